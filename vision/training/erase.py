"""The old name of `vision.training.synthetic.erase`, kept for one release for commands that people wrote down."""

from vision.training.synthetic.erase import main

if __name__ == "__main__":
    main()

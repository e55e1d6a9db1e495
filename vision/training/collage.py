"""The old name of `vision.training.synthetic.collage`, kept for one release for commands that people wrote down."""

from vision.training.synthetic.collage import main

if __name__ == "__main__":
    main()

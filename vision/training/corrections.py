"""The old name of `vision.training.data.corrections`, kept for one release for commands that people wrote down."""

from vision.training.data.corrections import main

if __name__ == "__main__":
    main()

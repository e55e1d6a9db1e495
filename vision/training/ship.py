"""The old name of `vision.training.export.package`, kept for one release for commands that people wrote down."""

from vision.training.export.package import main

if __name__ == "__main__":
    main()

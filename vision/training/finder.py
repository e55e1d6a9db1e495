"""The old name of `vision.training.networks.detector`, kept for one release for commands that people wrote down."""

from vision.training.networks.detector import main

if __name__ == "__main__":
    main()

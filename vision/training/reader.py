"""The old name of `vision.training.networks.classifier`, kept for one release for commands that people wrote down."""

from vision.training.networks.classifier import main

if __name__ == "__main__":
    main()

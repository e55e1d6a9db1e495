"""Names for annotations; nothing looks at them while the program runs."""


class NDArray:
    """``NDArray[np.float64]``: an array."""

    def __class_getitem__(cls, _: object) -> type:
        return cls

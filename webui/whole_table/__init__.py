"""全桌照: a photo of the whole table on the page, with what people say about it."""

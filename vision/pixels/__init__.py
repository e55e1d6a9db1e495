"""像素: everything that is done with the pixels of a photo and by the networks, as two short lists of functions.

:mod:`vision.pixels.files` opens and writes pictures, :mod:`vision.pixels.sight` looks at them. Each list has two
adapters: :mod:`vision.pixels.server` (NumPy, OpenCV, Pillow, onnxruntime) and :mod:`vision.pixels.browser` (the pocket
edition: Pyodide, where none of these is, and pixels and networks are JavaScript's). The rest of ``vision`` asks for
``shape`` and rectangles of a picture and passes it on.
"""

"""像素: all work on pixels and with networks, as two short lists of functions.

:mod:`vision.pixels.files` opens and writes pictures, :mod:`vision.pixels.sight` analyses them. Each list has two
adapters: :mod:`vision.pixels.server` (NumPy, OpenCV, Pillow, onnxruntime) and :mod:`vision.pixels.browser` (the pocket
edition: Pyodide without these libraries, with pixels and networks in JavaScript). The rest of ``vision`` uses only
``shape`` and rectangles of a picture.
"""

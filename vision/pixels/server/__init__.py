"""Pixels by NumPy, OpenCV and Pillow, networks by onnxruntime: on a computer."""

"""Pixels and networks by JavaScript, in the pocket edition's worker, whose Python is Pyodide.

The worker puts ``paitai`` into its global scope: ``paitai.pixels`` (pocket/site/pixels.js), ``paitai.networks``
(networks.js) and ``paitai.photos`` (photos.js). All calls are synchronous. Asynchronous work of the browser, such as
decoding a file, is done before the request enters Python. If something is missing, Python raises
:class:`~vision.pixels.browser.bridge.NotYet`; the worker does it and repeats the request.
"""

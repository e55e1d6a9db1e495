"""Pixels and networks by JavaScript: in the pocket edition's worker, where Python is Pyodide.

The worker puts ``paitai`` into its global scope: ``paitai.pixels`` (pocket/site/pixels.js), ``paitai.networks``
(networks.js) and ``paitai.photos`` (photos.js). Everything is asked synchronously. What a browser only does in its own
time (a file decoded, a JPEG made) is done before the request enters Python; where Python finds that it was not, it
raises :class:`~vision.pixels.browser.bridge.NotYet`, and the worker does it and asks the same request again.
"""

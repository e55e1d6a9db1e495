"""What runs in the phone's browser, inside Pyodide: the application asked by the service worker, without a server."""

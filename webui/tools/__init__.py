"""Programs that draw the page's tile faces and icons."""

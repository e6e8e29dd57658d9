"""Stand in for pillow in the browser, where ipycanvas imports it and there is no wheel."""

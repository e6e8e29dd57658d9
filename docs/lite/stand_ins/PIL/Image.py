"""Have the name that ipycanvas imports; pictures from files are not to be had in the browser."""

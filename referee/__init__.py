"""The instructors' package: it takes a submitted notebook and decides its marks."""

import sys

# To import nbformat is to import jsonschema, and with it a grammar of web addresses, which nothing
# here needs and which takes a second to build; without it jsonschema leaves such checks out.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

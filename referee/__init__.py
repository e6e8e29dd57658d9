"""The instructors' package: it takes a submitted notebook and decides its marks."""

import sys

# jsonschema, which nbformat imports, would import this for kinds of text that no notebook has; it
# builds grammars for longer than everything else takes to start. None says that it is not there.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

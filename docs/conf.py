"""Settings of the site. The pages are the Markdown files of this folder and of `engine/docs`.

Nothing on a page comes from elsewhere: no fonts, no scripts, formulas as MathML. Lessons that
compute something are run when the site is built; a picture is drawn by a function of `pictures`.
"""

import sys
from pathlib import Path

DOCS = Path(__file__).parent
ROOT = DOCS.parent
STUDENT = "handout", "engine/referee/templates/student"
sys.path[:0] = [str(DOCS), str(ROOT), *(str(ROOT / folder) for folder in STUDENT)]

import site_parts  # noqa: E402 - it is found through the path above

project = "Adversarial search"
copyright = "2026, the authors of the course"
language = "en"

extensions = ["myst_nb", "sphinx.ext.autodoc"]
nitpicky = False
default_role = "code"  # docstrings write `name` for code
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
myst_url_schemes = {
    "http": None,
    "https": None,
    "lite": "lite/lab/index.html?path={{path}}/{{path}}.ipynb",
    "small": "lite/notebooks/index.html?path={{path}}/{{path}}.ipynb",
}
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_merge_streams = True
nb_ipywidgets_js: dict[str, dict[str, str]] = {}  # no script from elsewhere

smartquotes_action = "qe"  # two dashes begin an option

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autoclass_content = "both"
autodoc_default_options = {"members": True, "show-inheritance": True}

html_title = project
templates_path = ["_templates"]
html_theme = "furo"
html_static_path = ["_static"]
html_favicon = "_static/favicon.svg"
html_css_files = ["site.css"]
html_js_files = [("tree.js", {"defer": "defer"})]
html_math_renderer = "mathml"
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {"navigation_with_keys": True}

setup = site_parts.setup

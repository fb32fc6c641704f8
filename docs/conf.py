"""How Sphinx builds the site: `make docs`."""

from importlib.metadata import version as version_of

project = "Likely"
author = "The Likely authors"
copyright = author
release = version = version_of("likely")

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.intersphinx",
    "numpydoc",
    "sphinx_click",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx-mathjax-offline",
]
intersphinx_mapping: dict[str, tuple[str, str | None]] = {}  # the site is built without a network
exclude_patterns = ["_build", "conf.py"]
default_role = "literal"  # what docstrings have in `single quotes` is code
templates_path = ["_templates"]
smartquotes_action = "q"  # quotes, but no dashes: --type is an option

myst_enable_extensions = ["colon_fence", "dollarmath", "deflist"]
myst_heading_anchors = 4

# The pages of the course are notebooks: they run at every build, and an error in one stops it.
nb_execution_mode = "cache"
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_execution_show_tb = True

autosummary_generate = True
autodoc_typehints = "none"  # numpydoc shows them with the parameters
autodoc_member_order = "bysource"
toc_object_entries_show_parents = "hide"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "pydata_sphinx_theme"
html_title = "Likely"
html_static_path = ["_static"]
html_css_files = ["likely.css"]
html_show_sourcelink = False
html_theme_options = {
    "navbar_align": "left",
    "show_prev_next": True,
    "show_toc_level": 2,
    "navigation_with_keys": True,
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "tango",
    "pygments_dark_style": "monokai",
}
html_sidebars = {"index": []}

man_pages = [
    ("reference/commands", "likely", "learn from labelled examples, and predict the class of new ones", [author], 1)
]

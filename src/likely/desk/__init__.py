"""The desk: a local web page to label rows, to file mail, and to ask a model why.

A place is a set of pages about one thing. Its views are thin: they read a form, call one function of a package below,
and render a template. What each calls:

| place | views | what decides |
|---|---|---|
| label | `desk/label.py` | `likely.labelling`: the next row, labels in SQLite, the model and its error |
| model | `desk/model.py` | `desk/what_if.py`, `desk/report_pages.py`, `likely.models.explain`, `likely.report` |
| mail | `desk/mail.py` | `likely.mail`: `filer` decides, `by_hand` does as you say, `trial` replays, `watcher` |

Shared by all: `server.py` (the socket, on 127.0.0.1 alone), `guard.py` (who may ask), `pages.py` (templates and forms),
`events.py` (what changed, as server-sent events), `worker.py` (one thread in which a place does all its work).

Nothing that the browser sends is a path: it names rows and messages by numbers, and folders and classes by names that
are looked up.
"""

try:
    import jinja2 as jinja2
    import starlette as starlette
    import uvicorn as uvicorn
except ModuleNotFoundError as error:
    raise ImportError("the desk needs starlette, uvicorn and jinja2: pip install 'likely[desk]'") from error

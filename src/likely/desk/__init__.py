"""The desk: a local web page to label rows, to file mail, and to ask a model why.

A place is a set of pages about one subject. Its views are thin: they read a form, call one function of a package below,
and render a template. The places, and what their views call:

| place | views | logic |
|---|---|---|
| label | `desk/label.py` | `likely.labelling`: the next row, labels in SQLite, the model and its error |
| model | `desk/model.py` | `desk/what_if.py`, `desk/report_pages.py`, `likely.models.explain`, `likely.report` |
| mail | `desk/mail.py` | `likely.mail`: `filer` decides, `by_hand` moves what you choose, `trial` replays, `watcher` |

All places share `server.py` (the socket, only on 127.0.0.1), `guard.py` (access control), `pages.py` (templates and
forms), `events.py` (server-sent events for changes) and `worker.py` (one thread for all the work of a place).

No path ever comes from the browser. It names rows and messages by numbers, and folders and classes by names that are
looked up.
"""

try:
    import jinja2 as jinja2
    import starlette as starlette
    import uvicorn as uvicorn
except ModuleNotFoundError as error:
    raise ImportError("the desk needs starlette, uvicorn and jinja2: pip install 'likely[desk]'") from error

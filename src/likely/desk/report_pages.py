"""Shows the sections of the report as pages of the desk. The report has its own stylesheet, so each section is in a
shadow root: neither stylesheet affects the other's part of the page."""

import re
from dataclasses import dataclass
from functools import cached_property

from markupsafe import Markup

from likely.desk.guard import POLICY

INLINE_STYLES = POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
"""The content security policy of these pages: figures have inline styles. Only the desk's own script runs in them."""


@dataclass(frozen=True)
class ReportPages:
    report: str
    """The HTML of the whole report, with all names escaped."""

    @cached_property
    def titles(self) -> dict[str, Markup]:
        """The title of each section, by its name."""
        found = re.findall(r'<li><a href="#(\w+)">(.*?)</a></li>', self.report)
        return {name: Markup(title) for name, title in found if name in self._sections}

    @cached_property
    def _sections(self) -> dict[str, str]:
        found = re.finditer(r'<section id="(\w+)".*?</section>', self.report, re.DOTALL)
        return {section[1]: section[0] for section in found}

    @cached_property
    def style(self) -> Markup:
        (found,) = re.findall(r"<style>(.*?)</style>\s*</head>", self.report, re.DOTALL)
        return Markup(found.replace(":root", ":host"))

    def section(self, name: str) -> Markup:
        return Markup(self._sections[name])

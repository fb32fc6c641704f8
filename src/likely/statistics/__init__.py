"""Statistics: sums per class, which can be added, subtracted and scaled."""

from likely.errors import NeverLearned
from likely.statistics.counts import Counts
from likely.statistics.frame import Frame
from likely.statistics.joint import JointCells
from likely.statistics.joint_counts import JointCounts, JointFrame
from likely.statistics.labels import Labels, Placement, union
from likely.statistics.moments import Moments
from likely.statistics.resultants import Resultants
from likely.statistics.scatter import Scatter
from likely.statistics.sums import Statistics
from likely.statistics.tallies import Tallies
from likely.statistics.totals import Totals
from likely.statistics.vocabulary import Vocabulary

__all__ = [
    "Counts",
    "Frame",
    "JointCells",
    "JointCounts",
    "JointFrame",
    "Labels",
    "Moments",
    "NeverLearned",
    "Placement",
    "Resultants",
    "Scatter",
    "Statistics",
    "Tallies",
    "Totals",
    "Vocabulary",
    "union",
]

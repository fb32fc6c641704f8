"""How often a model will be wrong, known honestly.

Every procedure takes a model, a table and labels, and gives a `Result`: for each row that was judged its label, and
what a model said of it that had not seen it. All figures are read off that, and `.model` is the model learned from all
rows.

A model is one of `likely.models` (its parameters count, not what it may have learned), one of our estimators, or any
scikit-learn classifier. A table is whatever these take. scikit-learn is imported only for what is its own.

- `training_error`: of rows that were learned; says little, and so has no interval
- `holdout`: some rows are kept for the end
- `tune`: some rows choose between models, others measure the one chosen
- `cross_validate`: k-fold cross-validation
- `leave_one_out`: leave-one-out; in closed form where there is one
- `replay`: in the order of time, predict and then learn
- `learning_curve`: the error by the number of rows learned
- `audit`: rows whose label is improbable when they are left out
- `relevance`: which columns depend on the class, by evidence
- `weigh`: hypotheses by their probability given the rows
- `thresholds`, `choose_threshold`: what flagging a class from a probability on finds, misses and costs
- `class_shift`, `drift`: how new rows without labels differ from those learned
- `calibration`: the map from left-out probabilities to what they turn out to mean
"""

from likely.models.calibration import Calibration
from likely.validation.calibrate import calibration
from likely.validation.class_shift import ClassShift, class_shift
from likely.validation.curves import Curve, learning_curve
from likely.validation.drift import Drift, drift
from likely.validation.folds import cross_validate
from likely.validation.held_out import holdout, training_error
from likely.validation.in_order import Replayed, replay
from likely.validation.left_out import leave_one_out
from likely.validation.mislabelled import Audit, audit
from likely.validation.relevant import Relevance, relevance
from likely.validation.result import Result
from likely.validation.risk import Risk, risk
from likely.validation.thresholds import ChosenThreshold, Cut, Thresholds, choose_threshold, thresholds
from likely.validation.tuning import Tuned, tune
from likely.validation.weighed import Weighed, weigh

__all__ = [
    "Audit",
    "Calibration",
    "ChosenThreshold",
    "ClassShift",
    "Curve",
    "Cut",
    "Drift",
    "Relevance",
    "Replayed",
    "Result",
    "Risk",
    "Thresholds",
    "Tuned",
    "Weighed",
    "audit",
    "calibration",
    "choose_threshold",
    "class_shift",
    "cross_validate",
    "drift",
    "holdout",
    "learning_curve",
    "leave_one_out",
    "relevance",
    "replay",
    "risk",
    "thresholds",
    "training_error",
    "tune",
    "weigh",
]

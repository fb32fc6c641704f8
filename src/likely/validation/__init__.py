"""Validation: honest estimates of how often a model will be wrong.

Every procedure takes a model, a table and labels, and returns a `Result`: for each judged row, its label and the
prediction of a model that has not seen the row. All figures are computed from these; `.model` is the model learned from
all rows.

A model is one of `likely.models`, one of our estimators, or any scikit-learn classifier. Its parameters are used, not
what it has learned before. A table is whatever the model takes. scikit-learn is imported only for its own classifiers.

- `training_error`: the error on rows that were learned; it shows little, and so has no interval
- `holdout`: a share of the rows is held out
- `tune`: some rows choose between models, others measure the chosen one
- `cross_validate`: k-fold cross-validation
- `leave_one_out`: leave-one-out, in closed form if there is one
- `replay`: in order of time, each row is predicted and then learned
- `learning_curve`: the error by the number of rows learned
- `audit`: rows whose label is improbable for a model without the row
- `relevance`: which columns depend on the class, by Bayes factors
- `weigh`: the posterior probabilities of hypotheses, given the rows
- `thresholds`, `choose_threshold`: what each threshold on the probability of a class finds, misses and costs
- `class_shift`, `drift`: how new rows without labels differ from the learned ones
- `calibration`: the map from leave-one-out probabilities to calibrated probabilities
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

"""Pictures on the caller's own axes: what is drawn is what the value holds."""

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from scipy import stats

from likely import BayesNetwork, GaussianClassifier, LogisticRegression, NaiveBayes
from likely.data import read
from likely.optimize import gradient_descent
from likely.priors import Beta, Dirichlet, Gamma, InverseWishart, Normal, NormalInverseGamma
from likely.validation import learning_curve, leave_one_out, thresholds

from ..hostile import KINDS, table

mpl.use("agg")
from matplotlib import pyplot as plt

RNG = np.random.default_rng(0)
Y = np.repeat(["no", "yes"], 60)
X = pd.DataFrame(
    {
        "age": RNG.normal(40, 9, 120) + 9 * (Y == "yes"),
        "height": RNG.normal(170, 9, 120),
        "visits": RNG.poisson(3, 120),
        "region": RNG.choice(["n", "s"], 120),
        "member": RNG.random(120) < 0.4,
    }
)
RESULT = leave_one_out(NaiveBayes(), X, Y)


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


PRIORS = {
    "Beta": (Beta(2, 3), stats.beta(2, 3)),
    "Gamma": (Gamma(2, 3), stats.gamma(2, scale=1 / 3)),
    "Normal": (Normal([1.0], [[4.0]]), stats.norm(1, 2)),
    "Dirichlet": (Dirichlet([1.0, 2.0]), stats.beta([1, 2], [2, 1])),
}


@pytest.mark.parametrize("name", PRIORS)
def test_priors_are_drawn_as_their_density(name):
    prior, truth = PRIORS[name]
    axes = prior.plot()
    for k, line in enumerate(axes.lines):
        x, y = line.get_data()
        np.testing.assert_allclose(y, truth.pdf(x[:, None])[:, min(k, np.size(truth.mean()) - 1)], rtol=1e-9)
    low, high = prior.interval(0.9)
    np.testing.assert_allclose(np.ravel(low), np.ravel(prior.distribution().ppf(0.05)), rtol=1e-9)
    np.testing.assert_allclose(np.ravel(high), np.ravel(prior.distribution().ppf(0.95)), rtol=1e-9)


def test_the_mean_under_a_normal_inverse_gamma_is_students_t():
    posterior = NormalInverseGamma(mean=0.0, mean_rows=1.0, variance=1.0, variance_rows=1.0).posterior(20, 5.0, 40.0)
    rng = np.random.default_rng(0)
    alpha, beta = 1 + posterior.variance_rows / 2, posterior.variance_rows * posterior.variance / 2
    variances = 1 / rng.gamma(alpha, 1 / beta, 20_000)
    means = rng.normal(posterior.mean, np.sqrt(variances / posterior.mean_rows))
    assert stats.kstest(means, posterior.distribution().cdf).pvalue > 0.001


def test_a_posterior_has_a_line_for_each_class():
    posterior = NaiveBayes({"visits": "poisson"}).fit(X, Y).parameter_posterior("visits")
    axes = posterior.plot(names=["no", "yes"])
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["no", "yes"]


def test_a_posterior_of_categories_has_lines_for_each_class_that_look_alike():
    nb = NaiveBayes({"region": "categorical"}).fit(X, Y)
    axes = nb.parameter_posterior("region").plot(names=nb.classes_)
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["no", "yes"]
    assert [line.get_color() for line in axes.get_lines()] == ["C0"] * 3 + ["C1"] * 3  # two values, and those to come
    shares = [line.get_xdata()[line.get_ydata().argmax()] for line in axes.get_lines()]
    for label, n in (("no", shares[0]), ("yes", shares[3])):
        assert n == pytest.approx((X["region"][label == Y] == "n").mean(), abs=0.02)


def test_names_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"^there are 3 parameters, but 2 names$"):
        Dirichlet([1, 2, 3]).plot(names=["a", "b"])


def test_a_prior_of_the_data_is_not_drawn_before_them():
    with pytest.raises(ValueError, match=r"^NormalInverseGamma takes its mean and variance from the data"):
        NormalInverseGamma().plot()


def test_texts_are_not_plotted():
    nb = NaiveBayes().fit(["the cat sat on a mat", "dogs bark at night"] * 5, [0, 1] * 5)
    with pytest.raises(
        ValueError, match=r"^column 0 has texts, which can't be plotted; describe\(\) shows their words$"
    ):
        nb.plot(0)


def test_what_is_no_distribution_of_single_parameters_says_so():
    with pytest.raises(TypeError, match=r"^InverseWishart is no distribution of single parameters$"):
        InverseWishart(np.eye(2), 4).plot()


def test_the_axes_given_are_those_returned():
    _, ax = plt.subplots()
    assert Beta(1, 2).plot(ax) is ax


@pytest.mark.parametrize("kind", ["reliability", "roc", "precision_recall", "coverage"])
def test_results(kind):
    axes = RESULT.plot(kind=kind)
    x, y = axes.lines[-1].get_data()
    truth = {
        "reliability": lambda: (RESULT.reliability().confidence, RESULT.reliability().accuracy),
        "roc": lambda: RESULT.roc()[:2],
        "precision_recall": lambda: (thresholds(RESULT).recall, thresholds(RESULT).precision),
        "coverage": lambda: (RESULT.risk.coverage, 1 - RESULT.risk.precision),
    }[kind]()
    np.testing.assert_array_equal(np.array([x, y]), np.array(truth))


def test_another_kind_is_refused():
    with pytest.raises(ValueError, match=r"^kind is one of reliability, roc, precision_recall, coverage, not 'lift'$"):
        RESULT.plot(kind="lift")


def test_thresholds_and_curves():
    assert len(thresholds(RESULT).plot().lines) == 3
    curve = learning_curve({"a": NaiveBayes(), "b": NaiveBayes(class_prior="uniform")}, X, Y, repeats=3)
    axes = curve.plot(of="log_loss")
    np.testing.assert_array_equal(axes.lines[1].get_ydata(), curve.log_losses["b"].mean(axis=1))


def test_a_trace_by_step_and_on_contours():
    def bowl(x):
        return float(x[0] ** 2 + 4 * x[1] ** 2)

    trace = gradient_descent(bowl, [2.0, 1.0])
    assert len(trace.plot().lines[0].get_ydata()) == len(trace.values)
    np.testing.assert_array_equal(np.column_stack(trace.plot(objective=bowl).lines[-1].get_data()), trace.points)
    with pytest.raises(ValueError, match=r"^contours need two unknowns, and there are 3$"):
        gradient_descent(lambda x: x @ x, [1.0, 1, 1]).plot(objective=bowl)


@pytest.mark.parametrize("column", list(X))
def test_columns(column):
    families = {"age": "gaussian", "height": "histogram", "visits": "poisson"}
    nb = NaiveBayes(families, column_weights=False).fit(X, Y)
    axes = nb.plot(column)
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["no", "yes"]
    if column == "age":
        x, y = axes.lines[1].get_data()
        assert np.trapezoid(y, x) == pytest.approx(1, abs=0.02)
        assert x[y.argmax()] == pytest.approx(X["age"][Y == "yes"].mean(), abs=0.3)
    if column == "region":  # Laplace: one more of each value, and of one never seen
        heights = np.array([bar.get_height() for bar in axes.patches]).reshape(2, 2)
        counts = [[(X["region"][label == Y] == value).sum() for value in "ns"] for label in ("no", "yes")]
        np.testing.assert_allclose(heights, (np.array(counts) + 1) / 63)


def test_two_gaussians():
    two = X[["age", "height"]]
    gaussian = GaussianClassifier(shrinkage=0).fit(two, Y)
    axes = gaussian.plot()
    ellipse = np.column_stack(axes.lines[0].get_data())
    distances = gaussian.model_.squared_distances(read(ellipse))
    np.testing.assert_allclose(distances[:, 0], 1, rtol=1e-9)
    with pytest.raises(ValueError, match=r"^ellipses need a model of two columns, and it has 1$"):
        GaussianClassifier().fit(X[["age"]], Y).plot()


@pytest.mark.parametrize(("columns", "label"), [(2, "weight of 1"), (3, "objective above its minimum")])
def test_the_trace_of_logistic_regression(columns, label):
    x = np.random.default_rng(0).normal(size=(60, columns))
    y = (x[:, 0] + x[:, 1] > 0.3 * np.arange(60) % 2).astype(int)
    trace = LogisticRegression().fit(x, y).trace(x, y)
    axes = trace.plot()
    assert axes.get_ylabel() == label
    assert len(axes.lines[-1].get_xdata()) == len(trace.points)
    plt.close("all")


@pytest.mark.parametrize("kind", KINDS)
def test_names_are_no_formulas(kind):
    x, y = table(KINDS[kind], 0)
    model = NaiveBayes().fit(x, y)
    drawn = [model.plot(column) for column in x]
    drawn.append(GaussianClassifier().fit(x.iloc[:, :2], y).plot())
    drawn.append(BayesNetwork("tan", bins=3).fit(x, y).plot())
    drawn.append(thresholds(leave_one_out(NaiveBayes(), x, y), y[0]).plot())
    for axes in drawn:
        axes.figure.canvas.draw()
        plt.close(axes.figure)

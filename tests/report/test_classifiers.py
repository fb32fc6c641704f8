import pytest

from likely import GaussianClassifier, LogisticRegression, NaiveBayes
from likely.report import Picture, draw_boundary, draw_curves, report
from likely.validation import learning_curve


@pytest.mark.parametrize("make", [GaussianClassifier, LogisticRegression, lambda: NaiveBayes(select="auto")])
def test_a_page_of_every_classifier(make, animals):
    x, y = animals
    numbers = x[["shoulder_cm", "sightings"]]
    page = report(make().fit(numbers, y), numbers, y, title="Animals")
    assert "<title>Animals</title>" in page
    assert "rows that the model has learned, each predicted without it" in page
    assert page.count("<figure>") >= 6


def test_new_rows_and_what_is_said_of_them(fitted, animals):
    x, y = animals
    assert "(rows that the model may have learned)" in report(fitted, x[:60], y[:60])
    assert "(rows that the model has not learned)" in report(fitted, x, y, learned=False)
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[122, 60\]"):
        report(fitted, x, y[:60])
    with pytest.raises(ValueError, match="feature names should match those that were passed during fit"):
        report(fitted, x.drop(columns="legs"), y)


def test_pictures_show_themselves(fitted, animals):
    picture = draw_boundary(fitted, *animals)
    assert isinstance(picture, Picture)
    assert picture._repr_html_().startswith("<svg")
    curve = learning_curve({"nb": NaiveBayes()}, *animals, sizes=[20, 60], repeats=2)
    assert draw_curves(curve)._repr_html_().startswith("<svg")

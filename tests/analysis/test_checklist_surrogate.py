"""The linear surrogate over templates: its features, its fit, and its honesty."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.analysis.checklist.surrogate import surrogate
from nliprobe.analysis.checklist.wording import TemplateWording, other_words, placeholders


def written(name: str, premise: str, hypothesis: str = "", label: str = "E") -> TemplateWording:
    return TemplateWording(name, "lexical", premise, hypothesis, label)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("{NAME1} and {NAME2} are from {COUNTRY1}.", ["NAME", "COUNTRY"]),
        ("{GRADABLE.comparative} than {CITY.country}", ["GRADABLE", "CITY"]),
        ("{cap(a(ANIMAL))} of {NumLessThan(YEAR)} by {agree(N, 'A B', 'children')}", ["ANIMAL", "YEAR", "N"]),
        ("{T1_COM} {T12_RELATION_GENDER} {ADJECTIVE_OF_PERSON2}", ["COM", "RELATION_GENDER", "ADJECTIVE_OF_PERSON"]),
        ("{nearer/farther} {DIR: left/right} {{NOT}} no braces", ["DIR"]),
        ("{}", []),
    ],
)
def test_placeholders_lose_numbers_and_fields(text: str, names: list[str]) -> None:
    assert placeholders(written("t", text)) == names


def test_other_words_are_what_is_written_and_alternatives() -> None:
    pattern = written("t", "{NAME1} isn't {nearer/farther} than {cap(a(X))}.", "{agree(N, 'Child', 'Children')} don’t.")
    assert other_words(pattern) == ["isn't", "nearer", "farther", "than", "child", "children", "don’t"]


@given(st.text(alphabet="{}NAME1 a/.':(", max_size=40))
def test_no_text_breaks_them(text: str) -> None:
    assert all(name.strip() for name in placeholders(written("t", text)))
    assert all(word == word.lower() for word in other_words(written("t", text)))


def made(count: int, seed: int) -> tuple[list[TemplateWording], dict[str, float]]:
    """Templates whose accuracy is decided by placeholders and label, and a little noise."""
    random = np.random.default_rng(seed)
    patterns, accuracies = [], {}
    for number in range(count):
        year, colour = random.random(2) < 0.5
        label = "ENC"[random.integers(3)]
        premise = f"{{NAME1}} is {'{YEAR}' if year else ''} {'{COLOUR}' if colour else ''}"
        patterns.append(written(f"t{number:03d}", premise, "{NAME2} is.", label))
        accuracies[f"t{number:03d}"] = 0.5 - 0.3 * year + 0.2 * colour + 0.1 * (label == "N") + 0.02 * random.random()
    return patterns, accuracies


def test_coefficients_are_those_of_statsmodels() -> None:
    patterns, accuracies = made(60, 0)
    found = surrogate("m", patterns, accuracies)
    assert found is not None
    by_name = {item["feature"]: item["coefficient"] for item in found["coefficients"]}
    design = np.array(
        [["YEAR" in item.premise, "COLOUR" in item.premise, item.label == "N", item.label == "C"] for item in patterns]
    ).astype(float)
    oracle = sm.OLS([accuracies[item.id] for item in patterns], sm.add_constant(design)).fit()
    assert by_name["YEAR"] == pytest.approx(oracle.params[1])
    assert by_name["COLOUR"] == pytest.approx(oracle.params[2])
    # The three labels always add up to one: only their differences are decided.
    assert by_name["N"] - by_name["E"] == pytest.approx(oracle.params[3])
    assert by_name["C"] - by_name["E"] == pytest.approx(oracle.params[4])
    assert found["r2"] == pytest.approx(oracle.rsquared)
    # NAME and the word "is" are in every template; of the labels one is the rest.
    assert (found["rank"], len(found["coefficients"])) == (4, 7)


def test_a_real_effect_is_foreseen_and_the_order_of_templates_does_not_matter() -> None:
    patterns, accuracies = made(60, 0)
    found = surrogate("m", patterns, accuracies, seed=1)
    assert found is not None
    assert found["r2_cross_validated"] is not None
    assert found["r2_cross_validated"] > 0.9
    assert found["verdict"].startswith("It predicts 100 % of the variance")
    assert found == surrogate("m", patterns[::-1], accuracies, seed=1)


def test_noise_is_called_worthless() -> None:
    patterns, _ = made(60, 0)
    random = np.random.default_rng(5)
    found = surrogate("m", patterns, {item.id: random.random() for item in patterns})
    assert found is not None
    assert found["r2_cross_validated"] is not None
    assert found["r2_cross_validated"] <= 0
    assert found["verdict"].startswith("Worthless")


def test_words_are_the_most_frequent_ones() -> None:
    patterns = [written(f"t{number}", " ".join("abcdefghijklmnopqrstuvwxyz"[number:])) for number in range(26)]
    found = surrogate("m", patterns, {item.id: 0.5 for item in patterns})
    assert found is not None
    words = [item for item in found["coefficients"] if item["kind"] == "word"]
    assert [item["feature"] for item in words] == list("zyxwvutsrqponmlkjihg")
    assert words[0]["templates"] == 26
    assert found["r2_cross_validated"] is None
    assert found["verdict"].startswith("All templates have the same accuracy")


def test_templates_without_accuracy_are_left_out_and_two_are_too_few() -> None:
    patterns, accuracies = made(12, 0)
    known = dict(list(accuracies.items())[:10])
    found = surrogate("m", patterns, known)
    assert found is not None
    assert found["templates"] == 10
    assert surrogate("m", patterns, dict(list(accuracies.items())[:2])) is None

"""The seam at which the manager of language models will stand."""

from typing import Any

import pytest

from genius_py.fronts.platform.models import ModelSource, model_of


class Source:
    def get_response(self, prompt: str, model_id: str | None = None, **kwargs: Any) -> str:
        return f"{model_id}: {prompt}"


def test_a_model_may_be_given_itself() -> None:
    assert model_of(None, str.upper)("hi") == "HI"


def test_a_model_is_found_in_a_mapping() -> None:
    assert model_of({"loud": str.upper}, "loud")("hi") == "HI"


def test_a_model_is_asked_through_a_manager() -> None:
    assert isinstance(Source(), ModelSource)
    assert model_of(Source(), "m")("hi") == "m: hi"


@pytest.mark.parametrize(
    ("source", "complaint"),
    [({}, "No model"), (None, "No model"), ({"m": "text"}, "cannot be called")],
)
def test_a_model_that_is_not_there_is_an_error(source: Any, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        model_of(source, "m")

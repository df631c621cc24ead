"""The manager of language models: statements S0.10 to S0.21, S0.130 and S0.132 as far as it goes.

The seam that it will fill is tested in `tests/fronts/test_models.py`.
"""

import pytest

pytestmark = pytest.mark.skip(reason="belongs to the LLM issue")


def test_s0_010_models_are_known_at_construction_and_none_is_loaded() -> None: ...


def test_s0_011_an_unsupported_type_of_model_is_an_error() -> None: ...


def test_s0_012_ids_of_one_underlying_model_share_it() -> None: ...


def test_s0_013_the_least_recently_used_model_makes_room_for_a_third() -> None: ...


def test_s0_014_using_a_loaded_model_makes_it_the_most_recent() -> None: ...


def test_s0_015_switching_loads_and_activates_a_model() -> None: ...


def test_s0_016_a_response_needs_an_active_or_a_known_model() -> None: ...


def test_s0_017_a_shared_model_is_not_unloaded() -> None: ...


def test_s0_018_models_are_listed_with_name_state_and_device() -> None: ...


def test_s0_019_cleanup_unloads_and_forgets_everything() -> None: ...


def test_s0_020_eight_threads_never_exceed_the_limit() -> None: ...


def test_s0_021_generate_response_takes_the_model_first() -> None: ...


def test_s0_130_the_platform_exports_the_manager() -> None: ...


def test_s0_132_the_manager_has_the_attributes_of_the_seed() -> None: ...

import pytest

from genius_py.errors import UnknownName
from genius_py.formats import bundled_names, bundled_path, load, load_bundled


@pytest.mark.parametrize("name", bundled_names())
def test_every_bundled_domain_loads_by_name(name: str) -> None:
    scenario = load_bundled(name)
    assert scenario.name == name
    assert load(name) == load(bundled_path(name)) == scenario


def test_the_games_of_the_platform_are_bundled() -> None:
    assert {"company_car", "resource_allocation", "integrative_negotiations"} <= {*bundled_names()}


def test_another_name_is_unknown() -> None:
    with pytest.raises(UnknownName, match="No bundled domain is named 'company_cart'"):
        load_bundled("company_cart")

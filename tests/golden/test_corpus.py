"""Every published folder of domain files loads, or is refused with the reason."""

from __future__ import annotations

import csv
import os
import warnings
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from genius_py.errors import DomainError, GeniusWarning
from genius_py.formats import load
from genius_py.formats.genius_xml import (
    GeniusDomain,
    read_folder,
    read_genius_domain,
    read_profile,
    write_scenario,
)
from genius_py.formats.xml_text import NoElement, read_xml
from genius_py.scenario import Scenario


def _folders() -> list[str]:
    corpus = os.environ.get("GENIUS_PY_CORPUS")
    files = Path(corpus).glob("**/*.*") if corpus else ()
    folders = {path.parent for path in files if path.suffix in (".xml", ".json")}
    return sorted(folder.relative_to(corpus or "").as_posix() for folder in folders)


@cache
def _load(folder: Path) -> Scenario | DomainError:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GeniusWarning)
        try:
            return load(folder)
        except DomainError as refusal:
            return refusal


@pytest.fixture(params=_folders() or [""])
def scenario(request: pytest.FixtureRequest, corpus: Path) -> Scenario | DomainError:
    """What each folder is loaded as, or why it is refused."""
    return _load(corpus / str(request.param))


def test_a_published_folder_loads_or_is_refused_with_the_reason(
    scenario: Scenario | DomainError,
) -> None:
    if isinstance(scenario, DomainError):
        assert scenario.file is not None
        assert scenario.message
        return
    rng = np.random.default_rng(7)
    bids = [scenario.domain.random_bid(rng) for _ in range(5)]
    for space in scenario.profiles.values():
        if not space.complaint:
            assert all(np.isfinite(space.utility(bid)) for bid in bids)


def test_a_published_scenario_is_the_same_after_writing_it_as_genius_xml(
    scenario: Scenario | DomainError, tmp_path: Path
) -> None:
    if isinstance(scenario, DomainError):
        pytest.skip("the folder is refused")
    write_scenario(scenario, tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GeniusWarning)
        read = read_folder(tmp_path)
    assert read == scenario
    assert read.roles == scenario.roles


def test_nearly_all_published_folders_load(corpus: Path) -> None:
    loaded = {folder: _load(corpus / folder) for folder in _folders()}
    refused = [refusal for refusal in loaded.values() if isinstance(refusal, DomainError)]
    print(f"{len(loaded) - len(refused)} of {len(loaded)} folders load; refused are:")
    print(*refused, sep="\n")
    assert len(refused) <= 0.05 * len(loaded)  # Genius itself refuses 8 of 100


def test_a_published_folder_has_the_outcomes_that_its_index_says(corpus: Path) -> None:
    index = corpus / "INDEX.csv"
    if not index.exists():
        pytest.skip("the corpus has no INDEX.csv")
    compared = 0
    with index.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            scenario = _load(corpus / row["source"] / row["domain"])
            # A folder of several domains is counted by the first of them there.
            if isinstance(scenario, DomainError) or "domain files" in row["oddities"]:
                continue
            compared += 1
            assert len(scenario.domain.issues) == int(row["n_issues"])
            assert row["n_outcomes"] in (str(scenario.domain.size), "inf/unknown")
            assert 0 < len(scenario.profiles) <= int(row["n_parties"])
    assert compared > 0


def test_every_golden_input_loads_or_is_refused_with_the_reason(golden: Path) -> None:
    warnings.simplefilter("ignore", GeniusWarning)
    refused: list[DomainError] = []
    for folder in sorted({path.parent for path in golden.glob("inputs/**/*.xml")}):
        domains: list[GeniusDomain] = []
        profiles: list[Path] = []
        for path in sorted(folder.glob("*.xml")):
            try:
                if read_xml(path).tag == "utility_space":
                    profiles.append(path)
                else:
                    domains.append(read_genius_domain(path))
            except NoElement as refusal:
                refused.append(refusal)
                assert path.name == "pareto.xml"
            except DomainError as refusal:
                refused.append(refusal)
        for path in profiles:
            for genius in domains:
                try:
                    read_profile(path, genius)
                except DomainError as refusal:
                    refused.append(refusal)
    print(*dict.fromkeys(map(str, refused)), sep="\n")
    assert all(refusal.file is not None and refusal.message for refusal in refused)


# C118 of the known faults: utilities that were computed from the files by hand.
@pytest.mark.parametrize(
    ("values", "first", "second"),
    [
        ((5, 5, 5, 5, 5, 5, 5, 5, 5, 5), 0.56948640, 0.93220339),
        ((0, 0, 0, 0, 0, 0, 0, 0, 0, 0), 0.28096677, 0.59887006),
        ((7, 8, 9, 3, 2, 5, 1, 6, 4, 0), 0.55589124, 0.68135593),
        ((7, 7, 7, 7, 2, 4, 9, 0, 6, 0), 1.0, 0.42711864),
    ],
)
def test_hyper_rectangles_of_anac_2014(
    corpus: Path, values: tuple[int, ...], first: float, second: float
) -> None:
    folders = list(corpus.glob("**/*y2014__10issues"))
    if not folders:
        pytest.skip("the corpus has no folder of the ten issues of ANAC 2014")
    scenario = _load(folders[0])
    assert isinstance(scenario, Scenario)
    bid = scenario.domain.bid(dict(zip(scenario.domain.issue_names, values, strict=True)))
    utilities = [space.utility(bid) for space in scenario.profiles.values()]
    assert utilities == pytest.approx([first, second], abs=1e-8)

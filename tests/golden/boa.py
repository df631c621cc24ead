"""BOA parties as Genius configures them, read as the options of ours."""

import re
from collections.abc import Sequence

from genius_py.parties.boa import BoaParty

_PARTS = {"os": "offering", "ac": "acceptance", "om": "model", "oms": "choice"}

_NAMES = {
    "TimeDependent_Offering": "time_dependent",
    "GeniusTimeDependent_Offering": "shifted_time_dependent",
    "AC_ABMP": "abmp",
    "AC_CombiV2": "combi_v2",
    "AC_CombiV3": "combi_v3",
    "AC_CombiV4": "combi_v4",
    "AC_False": "never",
    "AC_True": "always",
    "BestBid": "best",
    "HardHeadedFrequencyModel": "hard_headed",
    "NTFTstrategy": "nice",
    "NoModel": "none",
    "NullStrategy": "first",
    "OfferBestN": "best_n",
    "ScalableBayesianModel": "scalable_bayesian",
    "SmithFrequencyModel": "smith",
}
"""What we call Genius's parts where it is not simply the name in small letters."""


def boa_party(spec: Sequence[str]) -> BoaParty:
    """The party of which a record's parts ``os= ac= om= oms=`` tell.

    Raises:
        OptionError: a part or parameter is unknown.
    """
    options: dict[str, object] = {"search": "genius"}
    for entry in spec:
        part, _, genius = entry.partition("=")
        match = re.fullmatch(r"(?:\w+\.)*(\w+)\{(.*)\}", genius)
        assert match is not None, entry
        parameters = match[2].replace(":", "=")
        if match[1] == "BestBid":
            options["learns_until"] = float(parameters.removeprefix("t=") or 1.1)
            parameters = ""
        options[_PARTS[part]] = f"{_ours(match[1])}({parameters})"
    return BoaParty(**options)  # type: ignore[arg-type]


def _ours(genius: str) -> str:
    if genius in _NAMES:
        return _NAMES[genius]
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", genius.removeprefix("AC_")).casefold()

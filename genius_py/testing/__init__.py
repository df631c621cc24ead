"""The conformance kit for everyone who writes a protocol, a party or a domain.

`check_protocol`, `check_party`, `check_rational` and `check_domain` let a plug-in play and raise
`ConformanceError` with sentences that say what to mend. `drive` feeds answers to a protocol by
hand, `ScriptedParty` does what a test tells it. Strategies of hypothesis stand in
`genius_py.testing.strategies`; nothing else here needs hypothesis.
"""

from genius_py.testing.domain_checks import check_domain
from genius_py.testing.driven import Driven, drive
from genius_py.testing.legal import legal_action
from genius_py.testing.opponents import LegalParty
from genius_py.testing.party_checks import check_party
from genius_py.testing.protocol_checks import check_protocol
from genius_py.testing.rational_checks import check_rational
from genius_py.testing.report import Check, ConformanceError, Report
from genius_py.testing.scripted import ScriptedParty

__all__ = [
    "Check",
    "ConformanceError",
    "Driven",
    "LegalParty",
    "Report",
    "ScriptedParty",
    "check_domain",
    "check_party",
    "check_protocol",
    "check_rational",
    "drive",
    "legal_action",
]

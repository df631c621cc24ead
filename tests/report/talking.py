"""A party that says what no page must take for markup, and fails at one seat."""

NASTY = 'Take it — 好吗? </script><script>alert("x")</script> <!-- & \u2028 \ud800 end'
"""Said in the sessions: it must end no element of the page, and come out as it went in."""

TALKER = f'''
from genius_py.parties.boulware import Boulware
from genius_py.session import Reply


class Talker(Boulware):
    """Says something at each turn, and fails as a mill."""

    def choose_action(self, allowed):
        if self.info.timeline.round == 3 and self.info.role == "mill":
            raise ValueError("ran out of <words>")
        return Reply(super().choose_action(allowed), {NASTY!r}, {{"plan": "hold"}})
'''

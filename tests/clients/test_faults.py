"""Every kind of scenario can fail: clients that are wrong in one place each are caught by those that are about it."""

import asyncio
import sys

import pytest

from referee.conformance import SCENARIOS_OF, Command, Outcome, game, run_command
from tests.support import REPOSITORY

HANGS = "nothing within 3 s"

BEGINNING = """
import sys
from dataclasses import replace
from clients.python.example import kozel, program, strategy
from referee.client import aio, deals, follower, poker_game
from referee.client.follower import Follower, Send
from referee.rules.events import ANTE_POSTED, CALLED
from referee.client.hand_view import HandView
from referee.client.kozel_view import KozelView
from referee.kozel.events import POINTS_SCORED, REMEMBERED_CLEARED, End
from referee.v1 import hand_pb2, table_pb2
"""
FAULTS = {
    "it does not wait before it reconnects": (
        """
async def at_once(self, lost, heard=False, moved=False): pass
aio.Retry.wait = at_once
""",
        {"backoff": "5 attempts within"},
    ),
    "it takes whatever comes for the next event": (
        "Follower._expect = lambda self, place: None",
        {"gap": HANGS, "gap-between-hands": HANGS},
    ),
    "it takes the beginning of any later hand for the next event": (
        """
expect = Follower._expect
Follower._expect = lambda self, place: None if place[1] == 1 and self.view else expect(self, place)
""",
        {"gap-between-hands": HANGS},
    ),
    "it asks its bot again instead of sending its answer again": (
        """
decision = Follower._decision
def asks_again(self, message):
    self._open = None
    return decision(self, message)
Follower._decision = asks_again
""",
        {
            "answer-unacknowledged": "under id",
            "refusal-cut": "under id",
            "tables-cut": "under id",
            "kozel-cut": "under id",
        },
    ),
    "it says nothing of how many tables may ask": (
        """
flush = aio.Session._flush
aio.Session._flush = lambda self, max_open_decisions=0: flush(self)
""",
        {"tables-batched": "0"},
    ),
    "it sends each answer by itself": (
        "aio.ITEMS_IN_A_MESSAGE = 1",
        {"tables-batched": "8 messages"},
    ),
    "it takes the end of one table for the end of all": (
        """
end = Follower._end
def ends_all(self, reason):
    if reason == table_pb2.STREAM_END_REASON_TABLE_ENDED:
        for other in followers: other.end(reason)
    return end(self, reason)
followers = []
begin = Follower.__init__
def known(self, *words): followers.append(self); begin(self, *words)
Follower.__init__, Follower._end = known, ends_all
""",
        {"tables-one-ended": "it closed its stream"},
    ),
    "it keeps 32 bits of an amount": (
        """
def short(decision):
    proposal = strategy.conformance(decision)
    return proposal._replace(to=proposal.to & 0x7fffffff)
program.BOTS["conformance"] = short
""",
        {"hand-large-amounts": "which is refused"},
    ),
    "it has no place for an enum value that it does not know": (
        """
options = poker_game.options_of
def strict(message):
    hand_pb2.WagerKind.Name(message.wager)
    return options(message)
poker_game.options_of = strict
""",
        {"future-enums": "it closed its stream"},
    ),
    "it takes a reason that it does not know for no refusal": (
        """
answered = Follower._answered
def known_only(self, told):
    known = told.ruling.accepted or told.ruling.reason in hand_pb2.Reason.values()
    return answered(self, told) if known else None
Follower._answered = known_only
""",
        {"future-refusal": HANGS},
    ),
    "it stops at an event that it does not know": (
        """
event_of = poker_game.event_of
def strict(message):
    hand_pb2.EventKind.Name(message.kind)
    return event_of(message)
poker_game.event_of = strict
""",
        {"future-events": "it closed its stream"},
    ),
    "it stops at an item that it does not know": (
        """
receive = Follower.receive
def strict(self, item):
    assert item.WhichOneof("item")
    return receive(self, item)
Follower.receive = strict
""",
        {"future-items": ""},
    ),
    "it counts events again that it has seen": (
        """
event = Follower._event
def again(self, seen):
    if self._cursor and (seen.hand, seen.number) <= self._cursor and seen.HasField("hand_event"):
        self.view.fold(follower.event_of(seen.hand_event))
    return event(self, seen)
Follower._event = again
""",
        {"told-again": ""},
    ),
    "it passes over what a snapshot tells": (
        """
snapshot = Follower._snapshot
def table_only(self, told):
    told.ClearField("events")
    return snapshot(self, told)
Follower._snapshot = table_only
""",
        {"cut-everywhere": "", "answer-accepted": ""},
    ),
    "it resumes from the beginning of the hand": (
        """
Follower.cursor = property(lambda self: self._cursor and table_pb2.Cursor(hand=self._cursor[0], number=0))
""",
        {"cut-everywhere": "event 0 of hand 1", "server-restart": "event 0 of hand 1"},
    ),
    "heartbeats are nothing to it": (
        """
heard = aio.heard
async def deaf(call, within_s):
    import asyncio
    try:
        async with asyncio.timeout(within_s):
            while True:
                response = await call.read()
                if response is aio.grpc.aio.EOF or not response.items[0].HasField("heartbeat"): return response
    except TimeoutError:
        raise aio.Silence("silence") from None
aio.heard = deaf
""",
        {"heartbeats": ""},
    ),
    "silence is nothing to it": (
        """
async def patient(call, within_s): return await call.read()
aio.heard = patient
""",
        {"heartbeats": HANGS},
    ),
    "no end is final": (
        "follower._TERMINAL = {table_pb2.STREAM_END_REASON_TABLE_ENDED}",
        {
            "end-replaced": "another stream",
            "end-detached": "another stream",
            "end-flooding": "another stream",
            "end-not-allowed": "another stream",
        },
    ),
    "every end is final": (
        "follower._TERMINAL = set(range(100))",
        {"end-draining": "", "end-too-slow": "", "end-store-failed": "", "end-newer": "", "slow-reader": ""},
    ),
    "it comes again with a cursor that is not known": (
        "Follower.forget_cursor = lambda self: False",
        {"end-cursor-unknown": "the cursor"},
    ),
    "it goes on with a decision that is not open any more": (
        """
answered = Follower._answered
def goes_on(self, told):
    if self._open is not None: told.ruling.legal.decision_id = self._open.legal.decision_id
    return answered(self, told)
Follower._answered = goes_on
""",
        {"stale-decision": "for decision"},
    ),
    "it gives a refused answer again under its id": (
        """
answered = Follower._answered
def same_id(self, told):
    before = self._open and self._open.propose
    outcome = answered(self, told)
    if before and not told.ruling.accepted: self._request_ids = iter([before.request_id, *map(str, range(9))])
    return outcome
Follower._answered = same_id
""",
        {"refusal-retry": "", "wrong-discard": ""},
    ),
    "what a player has left when he calls all-in is nothing to it": (
        """
fold = HandView.fold
def forgets(self, event):
    fold(self, event._replace(amount=0) if event.kind is CALLED and event.all_in else event)
HandView.fold = forgets
""",
        {"side-pots": "raise to"},
    ),
    "antes are nothing to it": (
        """
fold = HandView.fold
HandView.fold = lambda self, event: fold(self, event._replace(amount=0) if event.kind is ANTE_POSTED else event)
""",
        {"hand-antes": "raise to 35"},
    ),
    "it believes every deal": (
        """
def believes(self, shown, items): self.checked, self.fault = len(self._hands), ""
deals.DealCheck.ended = believes
""",
        {"deals-swapped-board": "deal_fault ''", "deals-swapped-hole": "deal_fault ''", "deals-another-seed": ""}
        | {"kozel-deals-swapped-own": "", "kozel-deals-swapped-others": "", "kozel-deals-another-seed": ""},
    ),
    "it believes no deal": (
        """
def doubts(self, shown, items): self.fault = "no"
deals.DealCheck.ended = doubts
""",
        {"deals-fair": "deal_fault 'no'", "kozel-deals-fair": "deal_fault 'no'"},
    ),
    "points are nothing to it": (
        """
fold = KozelView.fold
def forgets(self, event):
    fold(self, event._replace(total=0) if event.kind is POINTS_SCORED else event)
KozelView.fold = forgets
""",
        {"kozel-game-over": '"points": 0'},
    ),
    "it does not look at the boneyard": (
        """
decision = KozelView.decision
KozelView.decision = lambda self, *what: replace(decision(self, *what), boneyard_count=0)
""",
        {"kozel-two-players": "lay ", "kozel-three-players": "lay ", "kozel-passed-over": "lay "},
    ),
    "it names no end": (
        """
conformance = kozel.conformance
program.KOZEL_BOTS["conformance"] = lambda decision: conformance(decision)._replace(end=End.NONE)
""",
        {"kozel-both-ends": "KOZ-4", "kozel-end-refused": "KOZ-4"},
    ),
    "it leads what it likes": (
        """
def likes(decision):
    others = [tile for tile in decision.own_tiles if tile != decision.moves[0].tile]
    return kozel.conformance(decision) if decision.chain else decision.lay(others[0])
program.KOZEL_BOTS["conformance"] = likes
""",
        {"kozel-lead": "KOZ-3"},
    ),
    "it insists on a refused tile": (
        """
program.KOZEL_BOTS["conformance"] = lambda decision: kozel.conformance(replace(decision, refusal=None))
""",
        {"kozel-refusal": "KOZ-4", "kozel-end-refused": "KOZ-4"},
    ),
    "it keeps the first deal": (
        """
fold = KozelView.fold
def keeps(self, event):
    dealt = [one for one in self.events if one.kind is event.kind and one.seat == event.seat]
    fold(self, dealt[0] if dealt and event.kind.name == "TILES_DEALT" else event)
KozelView.fold = keeps
""",
        {"kozel-redealt": ""},
    ),
    "it answers in the words of poker": (
        """
propose = follower.game_of
def game_of(*words):
    game = propose(*words)
    speaks = game.propose
    def answers(request_id, proposal):
        asked = speaks(request_id, proposal)
        asked.proposal.hand_id, asked.proposal.decision_id = asked.kozel.hand_id, asked.kozel.decision_id
        asked.proposal.action.check.SetInParent()
        asked.ClearField("kozel")
        return asked
    game.propose = answers
    return game
follower.game_of = game_of
""",
        {"kozel-two-players": "check, of another game"},
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_wrong_client_is_caught(fault, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(REPOSITORY))
    code, caught = FAULTS[fault]
    if HANGS in caught.values():
        monkeypatch.setattr(game, "ANSWER_S", 3.0)
    client = tmp_path / "client.py"
    client.write_text(f"{BEGINNING}{code}\nsys.exit(program.main())\n")
    every = [scenario for of_a_game in SCENARIOS_OF.values() for scenario in of_a_game]
    chosen = [scenario for scenario in every if scenario.name in caught]
    verdicts = asyncio.run(run_command(Command(f"{sys.executable} {client}"), chosen))
    assert {verdict.scenario.name: verdict.outcome for verdict in verdicts} == dict.fromkeys(caught, Outcome.FAILED)
    for verdict in verdicts:
        assert caught[verdict.scenario.name] in verdict.seen

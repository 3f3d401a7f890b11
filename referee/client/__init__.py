"""Python SDK: a bot is one function from a decision to a proposal; play it live, or in process without a server.

The names here are plain calls; :mod:`referee.client.aio` has the same ones for programs with an event loop.
"""

from referee.client.connecting import Backoff, ConnectionLostError, Seat, Server
from referee.client.contests import Attended
from referee.client.decision import Bot, Decision, PlayerView
from referee.client.follower import BrokenStreamError, Played
from referee.client.hand_view import HandView
from referee.client.harness import MatchResult, PlayedHand, SeatResult, play_duplicate, play_match
from referee.client.kozel_decision import KozelBot, KozelDecision
from referee.client.kozel_harness import play_game
from referee.client.kozel_view import KozelView
from referee.client.sync import (
    attend,
    close_table,
    create_kozel_table,
    create_table,
    leave_seat,
    play,
    play_watching,
    sit_in,
    sit_out,
    take_seat,
    top_up,
)
from referee.table.faults import FaultPolicy, FaultRules

__all__ = [
    "Attended",
    "Backoff",
    "Bot",
    "BrokenStreamError",
    "ConnectionLostError",
    "Decision",
    "FaultPolicy",
    "FaultRules",
    "HandView",
    "KozelBot",
    "KozelDecision",
    "KozelView",
    "MatchResult",
    "Played",
    "PlayedHand",
    "PlayerView",
    "Seat",
    "SeatResult",
    "Server",
    "attend",
    "close_table",
    "create_kozel_table",
    "create_table",
    "leave_seat",
    "play",
    "play_duplicate",
    "play_game",
    "play_match",
    "play_watching",
    "sit_in",
    "sit_out",
    "take_seat",
    "top_up",
]

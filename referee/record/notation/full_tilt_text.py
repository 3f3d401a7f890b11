"""The wording of Full Tilt's hand histories: patterns, money, and the lines that tell nothing about the hand.

From the one real Irish hand at hand (2013): the header with the game's name after the stakes, seats, posted blinds,
the button's line after them, ``*** DISCARD ROUND ***``, hidden and known discards, the returned bet, the summary.
From public samples and descriptions of the room's hold'em histories: both orders of the header and its short forms
(NL, PL, FL), tournaments and their K and M, antes, dead blinds and posts, all-in notes, shows and mucks, side pots,
ties. Limit and pot-limit Irish are written by the same pattern; no real hand of these is known.
"""

import re
from decimal import Decimal
from fractions import Fraction
from typing import Final

from referee.record.notation.amounts import amount_of, parse_amount
from referee.record.notation.house import HOLDEM_NAME, IRISH_NAME
from referee.rules.ruleset import Limit

MONEY: Final = r"[$€£]?[0-9][0-9,]*(?:\.[0-9]+)?[KkMm]?"

_STAKES: Final = (
    r"(?P<currency>[$€£]?)(?P<small>[0-9][0-9.,]*[KkMm]?)/[$€£]?(?P<big>[0-9][0-9.,]*[KkMm]?)"
    r"(?: Ante [$€£]?(?P<ante>[0-9][0-9.,]*[KkMm]?))?"
)
_GAME: Final = (
    r"(?P<cap>(?:[$€£]?[0-9.,]+ )?C(?:ap|AP) )?(?P<limit>No Limit|NL|Pot Limit|PL|Fixed Limit|FL|Limit) (?P<game>.+?)"
)
_WHEN: Final = r"(?P<time>[0-9]{1,2}:[0-9]{2}.*?)(?P<partial> \(partial\))?"

HEADER_START: Final = re.compile(r"Full ?Tilt ?Poker Game #")
HEADER: Final = re.compile(r"Full ?Tilt ?Poker Game #(?P<number>[0-9]+): (?P<rest>.+)")
HEADER_ORDERS: Final = (
    re.compile(rf"(?P<place>.+) - {_STAKES} - {_GAME} - {_WHEN}"),
    re.compile(rf"(?P<place>.+) - {_GAME} - {_STAKES} - {_WHEN}"),
)
SEAT: Final = re.compile(rf"Seat (?P<seat>[0-9]+): (?P<name>.+) \((?P<stack>{MONEY})\)(?P<out>, is sitting out)?")
SUMMARY_SEAT: Final = re.compile(r"Seat (?P<seat>[0-9]+): (?P<rest>.+)")
BUTTON: Final = re.compile(r"The button is in seat #([0-9]+)")
DEALT: Final = re.compile(r"Dealt to (?P<name>.+) \[(?P<cards>[^\]]*)\]")
STREET: Final = re.compile(
    r"\*\*\* (?P<name>FLOP|TURN|RIVER) \*\*\*(?: \[(?P<before>[^\]]*)\])? \[(?P<cards>[^\]]*)\].*"
)
MARKERS: Final = re.compile(r"\*\*\* (?:HOLE CARDS|DISCARD ROUND|SHOW DOWN) \*\*\*.*")
SUMMARY: Final = "*** SUMMARY ***"
UNCALLED: Final = re.compile(rf"(?:Uncalled bet|Ante) of (?P<amount>{MONEY}) returned to (?P<name>.+)")
TOTAL_POT: Final = re.compile(
    rf"Total pot (?P<total>{MONEY})(?P<pots> (?:Main|Side) pot .*)? \| Rake (?P<rake>{MONEY})"
)
BOARD: Final = re.compile(r"Board: \[(?P<cards>[^\]]*)\]")
CANCELLED: Final = re.compile(r"Hand #[0-9]+ has been cancell?ed")
RUN_TWICE: Final = re.compile(
    r"Players agree to Run It Twice|\*\*\* (?:FLOP|TURN|RIVER|SHOW DOWN|SUMMARY) [12] \*\*\*.*"
)

_ALL_IN: Final = r"(?:, and is (?:all in|capped))?"
POST: Final = re.compile(
    rf"(?P<kind>antes|posts the small blind of|posts the big blind of|posts a dead small blind of|posts)"
    rf" (?P<amount>{MONEY})(?P<all_in>, and is all in)?"
)
MOVE: Final = re.compile(
    rf"(?P<kind>folds|checks|calls|bets|raises to|completes it to)(?: (?P<amount>{MONEY}))?{_ALL_IN}"
)
DISCARD: Final = re.compile(r"discards(?: [0-9]+ cards?)?(?: \[(?P<cards>[^\]]*)\])?")
SHOWS: Final = re.compile(r"shows \[(?P<cards>[^\]]*)\].*")
MUCKS: Final = re.compile(r"mucks|doesn't show(?: hand)?")
WINS: Final = re.compile(
    rf"(?:wins|ties for) (?:the )?(?:(?:main |side )?pot|side pot #?[0-9]+) \((?P<amount>{MONEY})\)(?: with .*)?"
)
OUTCOME_CARDS: Final = re.compile(r".*?(?P<verb>showed|mucked) \[(?P<cards>[^\]]*)\].*")
OUTCOME_WON: Final = re.compile(rf".*?(?:collected|and won) \((?P<amount>{MONEY})\).*")

_ABOUT_A_PLAYER: Final = re.compile(
    r"(?:has [0-9]+ seconds (?:left to act|to reconnect)|has timed out|has been disconnected|has reconnected"
    r"|has returned|has requested TIME|is sitting out|sits out|stands up|sits down|adds .*|is feeling .*"
    r"|is dealt [0-9]+ cards?|shows (?!\[).*|has registered late .*|is now a spectator|finished the tournament .*)"
)
_ABOUT_NOBODY: Final = re.compile(
    r"(?:[0-9]+ seconds left to act|Time has expired|The blinds are now .*|.+: .*"
    r"|.+ (?:stands up|sits down|adds .+|has returned|is sitting out|has been disconnected|has reconnected"
    r"|has registered late .*))"
)

LIMITS: Final = {
    "No Limit": Limit.NO_LIMIT,
    "NL": Limit.NO_LIMIT,
    "Pot Limit": Limit.POT_LIMIT,
    "PL": Limit.POT_LIMIT,
    "Fixed Limit": Limit.FIXED_LIMIT,
    "FL": Limit.FIXED_LIMIT,
    "Limit": Limit.FIXED_LIMIT,
}
WRITTEN_LIMITS: Final = {Limit.NO_LIMIT: "No Limit", Limit.POT_LIMIT: "Pot Limit", Limit.FIXED_LIMIT: "Limit"}
GAMES: Final = {"Hold'em": HOLDEM_NAME, "Hold’em": HOLDEM_NAME, "Irish": IRISH_NAME}
WRITTEN_GAMES: Final = {HOLDEM_NAME: "Hold'em", IRISH_NAME: "Irish"}

_MULTIPLES: Final = {"K": 1_000, "M": 1_000_000}


def is_about_a_player(words: str) -> bool:
    """Whether what follows a player's name tells nothing that happened in the hand."""
    return _ABOUT_A_PLAYER.fullmatch(words) is not None


def is_about_nobody(line: str) -> bool:
    """Whether a line that names no player of the hand is chat or a message of the room."""
    return _ABOUT_NOBODY.fullmatch(line) is not None


def parse_money(text: str) -> Decimal:
    """Reads ``$1,044.50``, ``15`` or ``50K``; raises ValueError for what is no amount."""
    digits = text.lstrip("$€£")
    multiple = _MULTIPLES.get(digits[-1:].upper())
    return parse_amount(digits[:-1]) * multiple if multiple else parse_amount(digits)


def money_text(chips: int | Fraction, unit: Decimal, currency: str) -> str:
    """Writes chips as the room does: thousands with commas, cents in two places where there are any."""
    amount = amount_of(chips, unit)
    if amount == amount.to_integral_value():
        return f"{currency}{amount:,.0f}"
    return f"{currency}{amount:,.2f}" if amount * 100 % 1 == 0 else f"{currency}{amount:,f}"

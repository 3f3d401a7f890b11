"""A client that is right at poker and knows no other game."""

import sys

from clients.python.example import program
from referee.client import follower
from referee.client.poker_game import PokerGame

follower.game_of = PokerGame
sys.exit(program.main())

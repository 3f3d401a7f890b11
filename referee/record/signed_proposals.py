"""Proposals that a player has signed: the text that is signed, and whether a signature fits it (docs/records.md)."""

from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from referee.kozel.events import End
from referee.kozel.rulings import LAY
from referee.kozel.rulings import Proposal as KozelProposal
from referee.kozel.tiles import tile_text
from referee.rules.cards import cards_text
from referee.rules.rulings import ActionKind, Proposal

FORMAT: Final = "referee-proposal/1"
PUBLIC_KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64


def proposal_text(proposal: Proposal | KozelProposal, request_id: str) -> str:
    """What is signed of a proposal; ``proposal.seat`` is the seat's number, never 0."""
    action = _kozel_action(proposal) if isinstance(proposal, KozelProposal) else _poker_action(proposal)
    lines = (FORMAT, proposal.hand_id, proposal.decision_id, proposal.seat, request_id, action)
    return "".join([f"{line}\n" for line in lines])


def _poker_action(proposal: Proposal) -> str:
    action = proposal.kind.name.lower()
    if proposal.kind in (ActionKind.BET, ActionKind.RAISE):
        action += f" {proposal.to}"
    elif proposal.kind == ActionKind.DISCARD:
        action += f" {cards_text(proposal.cards)}"
    return action


def _kozel_action(proposal: KozelProposal) -> str:
    action = proposal.kind.name.lower()
    if proposal.kind is LAY:
        action += f" {tile_text(proposal.tile)}"
        if proposal.end is not End.NONE:
            action += f" {proposal.end.name.lower()}"
    return action


def signature_fits(public_key: bytes, proposal: Proposal | KozelProposal, request_id: str, signature: bytes) -> bool:
    """Whether the signature is that of a seat's key over the proposal; false without a key."""
    if len(public_key) != PUBLIC_KEY_BYTES or len(signature) != SIGNATURE_BYTES:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, proposal_text(proposal, request_id).encode())
    except InvalidSignature:
        return False
    return True

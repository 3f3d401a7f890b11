"""What passes as plainly shaped is what protovalidate passes; bots' usual requests do."""

from hypothesis import given
from hypothesis import strategies as st

from referee.limits import ITEMS_IN_A_PLAY_REQUEST
from referee.service.errors import violations_of
from referee.service.proposing import plain_proposals
from referee.v1 import table_pb2

LENGTHS = st.sampled_from([0, 1, 64, 65, 100, 101, 200, 201])
NAMES = st.builds(lambda letter, length: letter * length, st.sampled_from("a\u00e4"), LENGTHS)
ACTIONS = st.sampled_from(
    [
        {},
        {"fold": {}},
        {"check": {}},
        {"call": {}},
        {"bet": {"raise_to": -1}},
        {"raise": {"raise_to": 2**62}},
        {"discard": {"cards": ["Ah", "zz"]}},
        {"timeout": {}},
        {"show": {}},
    ]
)
PROPOSALS = st.none() | st.fixed_dictionaries(
    {"hand_id": NAMES, "decision_id": st.integers(-5, 5), "seat": st.integers(-1, 11), "action": ACTIONS}
)
PROPOSES = st.fixed_dictionaries({"request_id": NAMES, "proposal": PROPOSALS})
ITEMS = st.one_of(
    st.fixed_dictionaries({"table_id": NAMES, "propose": PROPOSES}),
    st.just({"table_id": "t", "attach": {"seat_token": "s"}}),
    st.just({"table_id": "t"}),
)
REQUESTS = st.builds(
    lambda items, most: table_pb2.PlayRequest(items=items, max_open_decisions=most),
    st.lists(ITEMS, max_size=3),
    st.sampled_from([0, 1, -1, 5000]),
)


@given(REQUESTS)
def test_nothing_that_lacks_the_shape_passes_as_plain(request_):
    if plain_proposals(request_) is not None:
        assert not violations_of(request_)


def test_the_usual_is_plain_and_too_many_are_not():
    usual = {
        "table_id": "t",
        "propose": {"request_id": "r", "proposal": {"hand_id": "t-1", "decision_id": 1, "action": {"call": {}}}},
    }
    assert (
        len(plain_proposals(table_pb2.PlayRequest(items=[usual] * ITEMS_IN_A_PLAY_REQUEST))) == ITEMS_IN_A_PLAY_REQUEST
    )
    assert plain_proposals(table_pb2.PlayRequest(items=[usual] * (ITEMS_IN_A_PLAY_REQUEST + 1))) is None

"""Blocks, numbers and the shuffle, each beside something slower that is plainly right."""

import hashlib
import hmac
import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.dealing.stream import MAX_ITEMS, KeyedBlocks, below, shuffled


@given(st.binary(min_size=32, max_size=32), st.text("abc/0-9", max_size=80), st.integers(0, 2**40), st.integers(0, 5))
def test_a_block_is_the_hmac_of_label_and_number(key, label, first, count):
    expected = b"".join(hmac.digest(key, f"{label}/{first + at}".encode(), hashlib.sha256) for at in range(count))
    assert KeyedBlocks(key).blocks(label, first, count) == expected


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_a_key_of_another_length_is_refused(length):
    with pytest.raises(ValueError, match=f"{length} bytes"):
        KeyedBlocks(bytes(length))


@pytest.mark.parametrize("expected", [0, 1, 16, 17, 51, 200])
def test_how_many_numbers_are_expected_changes_none_of_them(expected):
    blocks = KeyedBlocks(bytes(32))
    raw = blocks.blocks("label", 0, 20)
    wanted = [int.from_bytes(raw[at : at + 2], "big") for at in range(0, len(raw), 2)]
    assert list(itertools.islice(blocks.numbers("label", expected), len(wanted))) == wanted


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 28, 51, 52, 1000, MAX_ITEMS])
def test_of_all_numbers_each_remainder_comes_equally_often(bound):
    accepted = Counter()
    for number in range(1 << 16):
        marked = iter((number, 0))
        result = below(bound, marked)
        # Whoever took only one number accepted it; a second one was needed where the first was passed over.
        if next(marked, None) is not None:
            accepted[result] += 1
    assert sorted(accepted) == list(range(bound))
    assert set(accepted.values()) == {(1 << 16) // bound}


def test_a_number_too_high_is_passed_over_in_a_shuffle():
    # 65536 is 21845 times 3 and 1: the last number is refused for three items.
    assert shuffled(3, iter((65535, 65534, 1))) == shuffled(3, iter((65534, 1)))
    assert shuffled(3, iter((0, 0))) == (1, 2, 0)
    assert shuffled(3, iter((2, 1))) == (0, 1, 2)


def test_every_order_of_four_items_comes_from_as_many_choices():
    orders = Counter(shuffled(4, iter(choice)) for choice in itertools.product(range(4), range(3), range(2)))
    assert len(orders) == 24
    assert set(orders.values()) == {1}


@given(st.integers(1, 200), st.binary(min_size=32, max_size=32))
def test_a_shuffle_holds_each_item_once(count, key):
    assert sorted(shuffled(count, KeyedBlocks(key).numbers("x", count))) == list(range(count))

"""Request ids are remembered for good, at hand or in the store (BET-9)."""

import asyncio

import pytest

from referee.store.sqlite import Answer, Append, SqliteStore
from referee.table.answers import AT_HAND, Answers


class Counting(SqliteStore):
    """Counts how often the store is asked."""

    asked = 0

    def answer(self, scope, request_id):
        self.asked += 1
        return super().answer(scope, request_id)


@pytest.mark.rule("BET-9")
def test_every_answer_is_found_again_and_the_store_is_rarely_asked_for_new_ids(tmp_path):
    store = Counting(tmp_path / "store.sqlite")
    answers = Answers("t", store)
    made = [Answer("t", f"request {number}", bytes([number % 256]), b"a") for number in range(10 * AT_HAND)]
    for answer in made:
        assert answers.find(answer.request_id) is None
        answers.add(answer)
    assert store.asked < len(made) // 50
    asyncio.run(store.append(Append("t", answers=tuple(made))))
    for answer in made:
        assert answers.find(answer.request_id) == answer
        assert Answers("u", store).find(answer.request_id) is None, "another table's ids are its own"
        if answer is made[50]:
            break
    again = Answers("t", store)
    assert [again.find(answer.request_id) for answer in made] == made
    store.close()

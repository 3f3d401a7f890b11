import assert from "node:assert/strict";
import { test } from "node:test";
import { CARD_TEXTS, cardsText, cardText, parseCard, parseCards, rankOf, suitOf } from "../src/index.js";
import { read } from "./vectors.js";

interface Cards {
  readonly cards: readonly {
    readonly card: number;
    readonly text: string;
    readonly rank: number;
    readonly suit: number;
  }[];
  readonly unknown: { readonly card: number; readonly text: string };
  readonly bad: readonly string[];
  readonly rows: readonly { readonly text: string; readonly cards: readonly number[]; readonly written: string }[];
  readonly bad_rows: readonly string[];
}

const vectors = read<Cards>("cards.json");

test("vectors: every card is read and written, and has its rank and suit", () => {
  assert.equal(vectors.cards.length, 52);
  assert.equal(CARD_TEXTS.length, 52);
  for (const { card, text, rank, suit } of vectors.cards) {
    assert.equal(parseCard(text), card);
    assert.equal(cardText(card), text);
    assert.deepEqual([rankOf(card), suitOf(card)], [rank, suit]);
  }
  assert.equal(parseCard(vectors.unknown.text), vectors.unknown.card);
  assert.equal(cardText(vectors.unknown.card), vectors.unknown.text);
});

test("vectors: rows are read with and without spaces, and written with them", () => {
  assert.ok(vectors.rows.length);
  for (const { text, cards, written } of vectors.rows) {
    assert.deepEqual(parseCards(text), cards);
    assert.equal(cardsText(cards), written);
  }
});

test("vectors: what is no card is refused", () => {
  assert.ok(vectors.bad.length && vectors.bad_rows.length);
  for (const text of vectors.bad) assert.throws(() => parseCard(text), RangeError, text);
  for (const text of vectors.bad_rows) assert.throws(() => parseCards(text), RangeError, text);
  for (const card of [-2, 52, 0.5, Number.NaN]) assert.throws(() => cardText(card), RangeError);
});

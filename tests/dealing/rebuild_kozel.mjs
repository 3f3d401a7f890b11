// Rounds of Kozel rebuilt from docs/fair-deals.md and the rulebook alone, in Node without packages:
// node rebuild_kozel.mjs VECTORS. Takes match, seed and number of players; prints decks, hands, boneyard and who leads.
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
const texts = [];
for (let low = 0; low <= 6; low++) for (let high = low; high <= 6; high++) texts.push(`${high}-${low}`);
const halves = (tile) => tile.split("-").map(Number), pips = (tile) => halves(tile)[0] + halves(tile)[1];
function* numbers(key, label) {
  for (let n = 0; ; n++) {
    const block = createHmac("sha256", key).update(`${label}/${n}`).digest();
    for (let at = 0; at < 32; at += 2) yield block.readUInt16BE(at);
  }
}
function below(n, stream) {
  for (const x of { [Symbol.iterator]: () => ({ next: () => stream.next() }) }) if (x < 65536 - (65536 % n)) return x % n;
}
function deckOf(key, hand, redeal) {
  const deck = [...Array(28).keys()], stream = numbers(key, `referee-deal/1/deck/28/0/${hand}/${redeal}`);
  for (let top = 27; top > 0; top--) {
    const at = below(top + 1, stream);
    [deck[at], deck[top]] = [deck[top], deck[at]];
  }
  return deck.map((item) => texts[item]);
}
const handsOf = (deck, players) =>
  [...Array(players).keys()].map((player) => deck.filter((_, at) => at < 7 * players && at % players === player));
const again = (hand) =>
  hand.filter((tile) => halves(tile)[0] === halves(tile)[1]).length >= 5 ||
  [0, 1, 2, 3, 4, 5, 6].some((number) => hand.filter((tile) => halves(tile).includes(number)).length >= 6);
function openingTile(hands) {
  const held = hands.flat(), double = ["1-1", "2-2", "3-3", "4-4", "5-5", "6-6", "0-0"].find((tile) => held.includes(tile));
  return double ?? held.sort((a, b) => pips(b) - pips(a) || halves(b)[0] - halves(a)[0])[0];
}
function rebuild(key, players, hand) {
  const decks = [];
  do decks.push(deckOf(key, hand, decks.length));
  while (handsOf(decks.at(-1), players).some(again));
  const hands = handsOf(decks.at(-1), players), opening = openingTile(hands);
  return {
    decks: decks.map((deck) => deck.join(" ")), hands: hands.map((one) => one.join(" ")),
    boneyard: decks.at(-1).slice(7 * players).join(" "), leader: hands.findIndex((one) => one.includes(opening)) + 1, opening_tile: opening,
  };
}
const { matches } = JSON.parse(readFileSync(process.argv[2]));
console.log(JSON.stringify(matches.map(({ match_seed, players, rounds }) =>
  rounds.map(({ hand }) => rebuild(Buffer.from(match_seed, "hex"), players, hand)))));

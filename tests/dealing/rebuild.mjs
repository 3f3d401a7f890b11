// docs/fair-deals.md rebuilt from that page alone, in Node without packages: node rebuild.mjs VECTORS
// Takes what is published after a match (names, seats, commitments, seeds) and prints what follows from it. The decks
// take the first half of it; the rest is for opening single cards.
import { createHash, createHmac, hkdfSync } from "node:crypto";
import { readFileSync } from "node:fs";
const name = "referee-deal/1", hex = (text) => Buffer.from(text, "hex"), text = (bytes) => Buffer.from(bytes).toString("hex");
const sha = (...parts) => parts.reduce((hash, part) => hash.update(Buffer.from(part)), createHash("sha256")).digest();
const hmac = (key, label, number) => createHmac("sha256", key).update(`${label}/${number}`).digest();
function* numbers(key, label) {
  for (let number = 0; ; number++) for (let at = 0; at < 32; at += 2) yield hmac(key, label, number).readUInt16BE(at);
}
function below(n, stream) {
  const x = stream.next().value;
  return x < 65536 - (65536 % n) ? x % n : below(n, stream);
}
function shuffled(key, deal, items) {
  const deck = [...Array(items).keys()], stream = numbers(key, `${name}/deck/${deal}`);
  for (let top = items - 1, at; top > 0; top--) at = below(top + 1, stream), [deck[at], deck[top]] = [deck[top], deck[at]];
  return deck;
}
function root(leaves, left = 1) {
  while (left * 2 < leaves.length) left *= 2;
  return leaves.length === 1 ? leaves[0] : sha([1], root(leaves.slice(0, left)), root(leaves.slice(left)));
}
function path(leaves, p, left = 1) {
  while (left * 2 < leaves.length) left *= 2;
  const [near, far] = p < left ? [leaves.slice(0, left), leaves.slice(left)] : [leaves.slice(left), leaves.slice(0, left)];
  return leaves.length === 1 ? [] : [...path(near, p < left ? p : p - left), text(root(far))];
}
function rebuild({ match, referee, seats, deals }) {
  const C0 = sha(`${name}/commit/${match}/0/`, hex(referee.seed));
  const commitments = seats.map(({ seat, seed }) => seed && text(sha(`${name}/commit/${match}/${seat}/`, C0, hex(seed))));
  const material = [referee.seed, ...seats.map(({ seed, commitment }) => seed || commitment || "00".repeat(32))].map(hex);
  const labels = [`${name}/match/${match}`, `${name}/seats/${seats.map(({ seat }) => seat)}`];
  const M = Buffer.from(hkdfSync("sha256", Buffer.concat(material), ...labels, 32));
  const rebuilt = deals.map(({ items, block, hand, redeal, openings }) => {
    const deal = `${items}/${block}/${hand}/${redeal}`, deck = shuffled(M, deal, items);
    const salts = deck.map((_, p) => hmac(M, `${name}/salt/${deal}`, p >> 1).subarray(16 * (p % 2), 16 * (p % 2) + 16));
    const leaves = deck.map((item, p) => sha([0], `${name}/card/${match}/${deal}/${p}/${item}/`, salts[p]));
    const opened = openings.map(({ position: p }) => ({ position: p, item: deck[p], salt: text(salts[p]), path: path(leaves, p) }));
    return { deck, salts: text(Buffer.concat(salts)), root: text(root(leaves)), openings: opened };
  });
  const first_button = seats[below(seats.length, numbers(M, `${name}/button`))].seat;
  return { referee: text(C0), commitments, match_seed: text(M), first_button, deals: rebuilt };
}
console.log(JSON.stringify(JSON.parse(readFileSync(process.argv[2])).matches.map(rebuild)));

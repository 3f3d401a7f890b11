/** Cards as small integers (GAME-5): `4 * rank + suit`, rank 0 is the deuce and 12 the ace. */

export const RANKS = "23456789TJQKA";
export const SUITS = "cdhs";

/** A card that was dealt and that one may not see; written `??`. */
export const UNKNOWN = -1;

/** The 52 cards as they are written, in the order of their numbers. */
export const CARD_TEXTS: readonly string[] = [...RANKS].flatMap((rank) => [...SUITS].map((suit) => rank + suit));

const CARD_OF_TEXT: ReadonlyMap<string, number> = new Map([
  ...CARD_TEXTS.map((text, card): [string, number] => [text, card]),
  ["??", UNKNOWN],
]);

/** A card's rank, 0 for the deuce to 12 for the ace. */
export function rankOf(card: number): number {
  return card >> 2;
}

/** A card's suit, 0 to 3 for `cdhs`. */
export function suitOf(card: number): number {
  return card & 3;
}

/** Reads one card such as `Ah`; `??` is an unknown one. Raises RangeError for anything else. */
export function parseCard(text: string): number {
  const card = CARD_OF_TEXT.get(text);
  if (card === undefined) throw new RangeError(`${JSON.stringify(text)} is not a card; expected such as Ah or Td`);
  return card;
}

/** Reads cards written one after another, with or without spaces; raises RangeError. */
export function parseCards(text: string): number[] {
  const packed = text.replaceAll(" ", "");
  if (packed.length % 2) throw new RangeError(`${JSON.stringify(text)} is not a row of cards: two letters for each`);
  return (packed.match(/../gs) ?? []).map(parseCard);
}

/** Writes one card as `parseCard` reads it; raises RangeError for a number that is none. */
export function cardText(card: number): string {
  const text = card === UNKNOWN ? "??" : CARD_TEXTS[card];
  if (text === undefined) throw new RangeError(`${card} is not a card; expected 0 to 51, or -1`);
  return text;
}

/** Writes cards in the order given, parted by spaces. */
export function cardsText(cards: Iterable<number>): string {
  return [...cards].map(cardText).join(" ");
}

/**
 * Fair deals, {@code referee-deal/1}: seeds and commitments, the decks that follow from them, and openings of single
 * cards. docs/fair-deals.md specifies every byte, and what this proves and does not.
 */
package referee.client.deals;

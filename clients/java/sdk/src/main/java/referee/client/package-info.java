/**
 * A client of the Irish Poker Referee: a bot is one function from a {@link referee.client.Decision} to a
 * {@link referee.client.Proposal}, and {@link referee.client.RefereeClient} plays it at tables of a server.
 */
package referee.client;

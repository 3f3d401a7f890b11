/**
 * The signed log of records: inclusion and consistency proofs (RFC 6962, RFC 9162) and signed checkpoints (C2SP), as
 * docs/signed-log.md says.
 */
package referee.client.log;

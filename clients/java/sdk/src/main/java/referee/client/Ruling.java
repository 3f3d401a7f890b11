package referee.client;

import java.util.List;
import java.util.Optional;

/**
 * The referee's answer to one proposal. A refused one has changed nothing (BET-8).
 *
 * @param accepted whether it is accepted
 * @param rule the rule that decided
 * @param events what followed, the action first; none when refused
 * @param reason why it is refused; empty when accepted, and for a reason that this version does not know
 * @param message the same in a sentence
 * @param legal what the seat may do instead, if it has a decision
 * @param warning what the rules merely tolerate about an accepted action
 */
public record Ruling(
        boolean accepted,
        String rule,
        List<Event> events,
        Optional<Reason> reason,
        String message,
        Optional<LegalOptions> legal,
        String warning) {}

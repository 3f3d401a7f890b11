package referee.client;

/** A bot is one function: it is asked a decision and answers with a proposal. */
@FunctionalInterface
public interface Bot {
    /**
     * Answers a decision, discards included. What it throws ends the play with that error.
     *
     * <p>It is asked on a thread of its own, one decision after another unless {@link PlayOptions#botThreads} says
     * otherwise, and interrupted when play is stopped.
     */
    Proposal decide(Decision decision) throws Exception;
}

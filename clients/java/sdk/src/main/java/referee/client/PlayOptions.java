package referee.client;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * How to play. Callbacks are called on the session's own thread and should return at once.
 *
 * @param hands above 0 leaves a table after so many; a hand that begins before the seat is gone is answered as if out
 *     of time
 * @param maxOpenDecisions how many tables may ask at once; the clocks of further ones stand still
 * @param maxRefusals how often a refused bot is asked the same decision again, before it is answered with check, else
 *     fold, else a discard of the cards dealt last
 * @param botThreads how many decisions the bot may be asked at the same time; above 1 it must bear that
 * @param silence a stream on which nothing is heard for so long, heartbeats not either, is resumed
 * @param backoff how to wait before trying again
 * @param onRefused hears of each refused answer
 * @param onHandOver hears of each hand that is over; may answer {@code view.show()} to turn up one's hand
 */
public record PlayOptions(
        int hands,
        int maxOpenDecisions,
        int maxRefusals,
        int botThreads,
        Duration silence,
        Backoff backoff,
        BiConsumer<Decision, Ruling> onRefused,
        Function<HandView, Optional<Proposal>> onHandOver) {
    /** Until the table ends, one decision at a time, three times asked again; three missed heartbeats are silence. */
    public static final PlayOptions USUAL = new PlayOptions(
            0,
            1,
            3,
            1,
            Duration.ofSeconds(30),
            Backoff.USUAL,
            (decision, ruling) -> {},
            view -> Optional.empty());

    /** The same with another number of hands. */
    public PlayOptions withHands(int some) {
        return new PlayOptions(
                some, maxOpenDecisions, maxRefusals, botThreads, silence, backoff, onRefused, onHandOver);
    }

    /** The same with another number of decisions that may be open at once. */
    public PlayOptions withMaxOpenDecisions(int some) {
        return new PlayOptions(hands, some, maxRefusals, botThreads, silence, backoff, onRefused, onHandOver);
    }

    /** The same with another number of times that a refused bot is asked again. */
    public PlayOptions withMaxRefusals(int some) {
        return new PlayOptions(hands, maxOpenDecisions, some, botThreads, silence, backoff, onRefused, onHandOver);
    }

    /** The same with another number of threads for the bot. */
    public PlayOptions withBotThreads(int some) {
        return new PlayOptions(hands, maxOpenDecisions, maxRefusals, some, silence, backoff, onRefused, onHandOver);
    }

    /** The same with another silence. */
    public PlayOptions withSilence(Duration some) {
        return new PlayOptions(hands, maxOpenDecisions, maxRefusals, botThreads, some, backoff, onRefused, onHandOver);
    }

    /** The same with another back-off. */
    public PlayOptions withBackoff(Backoff some) {
        return new PlayOptions(hands, maxOpenDecisions, maxRefusals, botThreads, silence, some, onRefused, onHandOver);
    }

    /** The same with somebody who hears of refused answers. */
    public PlayOptions withOnRefused(BiConsumer<Decision, Ruling> some) {
        return new PlayOptions(hands, maxOpenDecisions, maxRefusals, botThreads, silence, backoff, some, onHandOver);
    }

    /** The same with somebody who hears of hands that are over. */
    public PlayOptions withOnHandOver(Function<HandView, Optional<Proposal>> some) {
        return new PlayOptions(hands, maxOpenDecisions, maxRefusals, botThreads, silence, backoff, onRefused, some);
    }
}

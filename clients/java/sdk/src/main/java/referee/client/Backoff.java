package referee.client;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before trying again: doubling from {@code first} to {@code most}, a part of it at random.
 *
 * @param first the longest wait after a first failure
 * @param most the longest wait of all
 * @param tries after so many attempts in a row to which the server did not answer it is given up
 */
public record Backoff(Duration first, Duration most, int tries) {
    /** From 100 ms to 5 s, given up after 30 attempts without an answer. */
    public static final Backoff USUAL = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5), 30);

    private static final int MAX_DOUBLINGS = 30;

    /** The wait in milliseconds after so many failures in a row, at least one. */
    long delayMs(int failures, RandomGenerator random) {
        double doubled = first.toMillis() * Math.pow(2, Math.min(failures - 1, MAX_DOUBLINGS));
        return Math.round(Math.min(most.toMillis(), doubled) * (0.5 + random.nextDouble() / 2));
    }
}

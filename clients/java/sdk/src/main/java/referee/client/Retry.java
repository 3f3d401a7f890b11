package referee.client;

import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Counts failures, and says how long to wait after each or that it is given up. */
final class Retry {
    private static final Set<Status.Code> FINAL = EnumSet.of(
            Status.Code.INVALID_ARGUMENT,
            Status.Code.NOT_FOUND,
            Status.Code.ALREADY_EXISTS,
            Status.Code.PERMISSION_DENIED,
            Status.Code.UNAUTHENTICATED,
            Status.Code.FAILED_PRECONDITION,
            Status.Code.OUT_OF_RANGE,
            Status.Code.UNIMPLEMENTED);

    private final Backoff backoff;
    private int failures;
    private int unanswered;

    Retry(Backoff backoff) {
        this.backoff = backoff;
    }

    /** Whether the same call may go better later: the server was away or busy, not unwilling. */
    static boolean mayHelp(Throwable error) {
        if (error instanceof StatusRuntimeException || error instanceof StatusException) {
            return !FINAL.contains(Status.fromThrowable(error).getCode());
        }
        return false;
    }

    /**
     * The wait in milliseconds after a failure.
     *
     * @param heard whether the server answered before
     * @param moved whether something new happened: a server that only ends every stream at once is tried ever more
     *     slowly, and one that does not answer is given up
     * @throws ConnectionLostException when it is given up
     */
    long afterFailure(Throwable lost, boolean heard, boolean moved) {
        failures = moved ? 1 : failures + 1;
        unanswered = heard ? 1 : unanswered + 1;
        if (unanswered > backoff.tries()) {
            throw new ConnectionLostException(
                    "given up after " + backoff.tries() + " attempts without an answer", lost);
        }
        return backoff.delayMs(failures, ThreadLocalRandom.current());
    }

    /** The wait in milliseconds as after a first failure. */
    long pause() {
        return backoff.delayMs(1, ThreadLocalRandom.current());
    }
}

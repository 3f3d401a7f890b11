package referee.client;

import com.google.gson.JsonObject;
import io.grpc.StatusRuntimeException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A bot as a program: reads the command line ({@link #FLAGS}), plays, and prints a line of JSON for each table. */
public final class BotProgram {
    /** What the command line may say. */
    public static final String FLAGS =
            """
            --target HOST:PORT    the server (default: REFEREE_TARGET, else 127.0.0.1:50051)
            --seat TABLE=TOKEN    a seat that was taken; again for further tables (default: REFEREE_SEATS, with commas)
            --table ID            a table to take the first free seat of, with a seed of the seat's own
            --name NAME           what it is called there (default: bot)
            --bot NAME            which bot, where the program has several
            --hands N             leave after so many hands; 0 plays until the table ends (default: 0)
            --max-open N          how many decisions may be open at once (default: 1)
            --tls-ca FILE         PEM file of the authority to trust; turns TLS on
            --heartbeat-ms N      reconnect when nothing was heard for so long (default: 30000)
            --backoff-ms N        first wait before trying again, doubling up to 5 s (default: 200)
            """;

    private static final int PLAYED_TO_THE_END = 0;
    private static final int NOT_PLAYED_TO_THE_END = 1;
    private static final int USAGE = 2;
    private static final long MOST_BACKOFF_MS = 5_000;

    /** What the command line says. */
    private static final class Arguments {
        String target = System.getenv().getOrDefault("REFEREE_TARGET", "127.0.0.1:50051");
        List<Seat> seats = new ArrayList<>();
        String table = "";
        String name = "bot";
        String bot = "";
        String tlsCa = "";
        PlayOptions options = PlayOptions.USUAL.withBackoff(backoff(200));

        static Backoff backoff(long firstMs) {
            return new Backoff(
                    Duration.ofMillis(firstMs),
                    Duration.ofMillis(Math.max(firstMs, MOST_BACKOFF_MS)),
                    Backoff.USUAL.tries());
        }

        static Arguments of(String[] words) {
            Arguments arguments = new Arguments();
            if (words.length % 2 != 0) {
                throw new IllegalArgumentException("each flag has a value");
            }
            for (int at = 0; at < words.length; at += 2) {
                arguments.take(words[at], words[at + 1]);
            }
            if (arguments.seats.isEmpty() && arguments.table.isEmpty()) {
                for (String seat : System.getenv().getOrDefault("REFEREE_SEATS", "").split(",")) {
                    if (!seat.isBlank()) {
                        arguments.seats.add(seat(seat.strip()));
                    }
                }
            }
            if (arguments.seats.isEmpty() == arguments.table.isEmpty()) {
                throw new IllegalArgumentException("name seats (--seat TABLE=TOKEN) or one table (--table ID)");
            }
            return arguments;
        }

        private void take(String flag, String value) {
            switch (flag) {
                case "--target" -> target = value;
                case "--seat" -> seats.add(seat(value));
                case "--table" -> table = value;
                case "--name" -> name = value;
                case "--bot" -> bot = value;
                case "--tls-ca" -> tlsCa = value;
                case "--hands" -> options = options.withHands(number(flag, value, 0));
                case "--max-open" -> options = options.withMaxOpenDecisions(number(flag, value, 1));
                case "--heartbeat-ms" -> options =
                        options.withSilence(Duration.ofMillis(number(flag, value, 1)));
                case "--backoff-ms" -> options = options.withBackoff(backoff(number(flag, value, 1)));
                default -> throw new IllegalArgumentException("unknown flag " + flag);
            }
        }

        private static Seat seat(String text) {
            int split = text.indexOf('=');
            if (split < 1 || split == text.length() - 1) {
                throw new IllegalArgumentException("a seat is TABLE=TOKEN");
            }
            return Seat.of(text.substring(0, split), text.substring(split + 1));
        }

        private static int number(String flag, String value, int least) {
            try {
                int number = Integer.parseInt(value);
                if (number >= least) {
                    return number;
                }
            } catch (NumberFormatException error) {
                // said below
            }
            throw new IllegalArgumentException(flag + " is a number from " + least);
        }
    }

    private BotProgram() {}

    /** Plays one bot; see {@link #run(String[], Map, String)}. */
    public static int run(String[] args, Bot bot) {
        return run(args, Map.of("bot", bot), "bot");
    }

    /**
     * Plays the bot that the command line names, else the one named {@code usual}.
     *
     * @return the exit code: 0 when every table ended or {@code --hands} were played, 1 when not, 2 for a command line
     *     that makes no sense
     */
    public static int run(String[] args, Map<String, Bot> bots, String usual) {
        return run(args, bots, usual, System.out, System.err);
    }

    static int run(String[] args, Map<String, Bot> bots, String usual, PrintStream out, PrintStream err) {
        Arguments arguments;
        Bot bot;
        RefereeClient client;
        try {
            arguments = Arguments.of(args);
            bot = bots.get(arguments.bot.isEmpty() ? usual : arguments.bot);
            if (bot == null) {
                throw new IllegalArgumentException("--bot is one of " + String.join(", ", bots.keySet()));
            }
            client = RefereeClient.of(
                            arguments.tlsCa.isEmpty()
                                    ? Server.plain(arguments.target)
                                    : Server.tls(arguments.target, Path.of(arguments.tlsCa)))
                    .withBackoff(arguments.options.backoff());
        } catch (RuntimeException error) {
            err.println(error.getMessage());
            err.print(FLAGS);
            return USAGE;
        }
        try {
            List<Seat> seats = arguments.table.isEmpty()
                    ? arguments.seats
                    : List.of(client.takeSeat(arguments.table, arguments.name));
            return play(client, bot, seats, arguments.options, out, err);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return NOT_PLAYED_TO_THE_END;
        } catch (RuntimeException error) {
            tell(error, err);
            return NOT_PLAYED_TO_THE_END;
        }
    }

    private static int play(
            RefereeClient client, Bot bot, List<Seat> seats, PlayOptions options, PrintStream out, PrintStream err)
            throws InterruptedException {
        PlayOptions telling = options.withOnRefused((decision, ruling) -> err.println(
                decision.tableId() + ", hand " + decision.handNumber() + ": refused by " + ruling.rule() + ": "
                        + ruling.message()));
        Session session = client.session(bot, seats, telling);
        boolean failed = false;
        try (session) {
            session.run();
        } catch (RuntimeException error) {
            tell(error, err);
            failed = true;
        }
        boolean toTheEnd = !failed;
        for (Played played : session.played()) {
            out.println(json(played));
            boolean enough = options.hands() > 0 && played.hands() >= options.hands();
            toTheEnd &= enough || played.reason().equals("TABLE_ENDED");
        }
        out.flush();
        return toTheEnd ? PLAYED_TO_THE_END : NOT_PLAYED_TO_THE_END;
    }

    private static String json(Played played) {
        JsonObject line = new JsonObject();
        line.addProperty("table", played.tableId());
        line.addProperty("reason", played.reason());
        line.addProperty("hands", played.hands());
        line.addProperty("decisions", played.decisions());
        line.addProperty("refusals", played.refusals());
        line.addProperty("resumed", played.resumed());
        line.addProperty("deals_checked", played.dealsChecked());
        line.addProperty("deal_fault", played.dealFault());
        return line.toString();
    }

    /** An error of the server or the network in a line; of the bot, with its place. */
    private static void tell(Throwable error, PrintStream err) {
        boolean isOurs = error instanceof StatusRuntimeException
                || error instanceof ConnectionLostException
                || error instanceof BrokenStreamException
                || error instanceof RuleSetException;
        if (isOurs) {
            err.println(error.getMessage());
        } else {
            error.printStackTrace(err);
        }
    }
}

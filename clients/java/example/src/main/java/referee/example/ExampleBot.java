package referee.example;

import java.util.Map;
import referee.client.BotProgram;

/** The example bots as a program; {@link BotProgram} lists its flags. */
public final class ExampleBot {
    private ExampleBot() {}

    public static void main(String[] args) {
        System.exit(BotProgram.run(
                args, Map.of("plain", new PlainBot(), "conformance", new ConformanceBot()), "plain"));
    }
}

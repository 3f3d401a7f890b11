package referee.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import referee.client.ActionKind;
import referee.client.Cards;
import referee.client.Decision;
import referee.client.LegalOptions;
import referee.client.Limit;
import referee.client.PlayerView;
import referee.client.Proposal;
import referee.client.RuleSet;
import referee.client.Ruling;
import referee.client.Stakes;
import referee.client.TableRules;

/** What the example bots answer: the shared vectors of the plain strategy, and each wish of the conformance check. */
class BotsTest {
    private static final Path STRATEGY = Path.of("..", "..", "vectors", "strategy.json");

    // --- plain ------------------------------------------------------------------------------------------

    @Test
    void plainAnswersAsInEveryLanguage() throws IOException {
        JsonArray cases =
                JsonParser.parseString(Files.readString(STRATEGY)).getAsJsonObject().getAsJsonArray("cases");
        assertFalse(cases.isEmpty());
        PlainBot plain = new PlainBot();
        for (JsonElement element : cases) {
            JsonObject one = element.getAsJsonObject();
            Proposal given = plain.decide(decision(one));
            JsonObject expected = one.getAsJsonObject("answer");
            String told = one.toString();
            assertEquals(expected.get("action").getAsString(), given.kind().name().toLowerCase(Locale.ROOT), told);
            assertEquals(expected.has("to") ? expected.get("to").getAsLong() : 0, given.to(), told);
            assertEquals(expected.has("cards") ? cards(expected, "cards") : List.of(), given.cards(), told);
        }
    }

    private static Decision decision(JsonObject of) {
        JsonObject legal = of.getAsJsonObject("legal");
        boolean mayWager = legal.get("max_raise_to").getAsLong() > 0;
        LegalOptions options = new LegalOptions(
                legal.get("seat").getAsInt(),
                legal.get("decision_id").getAsInt(),
                legal.get("can_fold").getAsBoolean(),
                legal.get("can_check").getAsBoolean(),
                legal.get("amount_to_call").getAsLong(),
                mayWager ? ActionKind.valueOf(legal.get("wager").getAsString()) : ActionKind.BET,
                legal.get("min_raise_to").getAsLong(),
                legal.get("max_raise_to").getAsLong(),
                mayWager ? legal.get("raise_step").getAsLong() : 1,
                legal.get("cards_to_discard").getAsInt(),
                cards(legal, "held_cards"));
        return decision(
                "a-match",
                of.get("big_blind").getAsLong(),
                cards(of, "hole"),
                cards(of, "board"),
                of.get("pot").getAsLong(),
                of.get("level").getAsLong(),
                options,
                Optional.empty());
    }

    private static List<Integer> cards(JsonObject of, String name) {
        return StreamSupport.stream(of.getAsJsonArray(name).spliterator(), false)
                .map(card -> Cards.parse(card.getAsString()))
                .toList();
    }

    private static Decision decision(
            String matchName,
            long bigBlind,
            List<Integer> hole,
            List<Integer> board,
            long pot,
            long level,
            LegalOptions legal,
            Optional<Ruling> refusal) {
        TableRules rules = new TableRules(
                RuleSet.published("irish/full-tilt@1"), Limit.NO_LIMIT, Stakes.of(bigBlind / 2, bigBlind));
        PlayerView me = new PlayerView(legal.seat(), "me", 470, 20, 30, true, false, false, List.of());
        return new Decision(
                "t", matchName, "t-1", 1, legal.seat(), rules, 1, 2, 3, 0, List.of(me), hole, List.of(), board,
                List.of(), pot, level, legal, OptionalLong.empty(), List.of(), refusal);
    }

    // --- conformance ------------------------------------------------------------------------------------

    private static final List<Integer> HELD = Cards.parseAll("Ah Kd 9c 2s");

    /** A seat with 470 behind and 20 in, facing a level of 60: a call of 40, raises from 100 to 490. */
    private static Decision facing(String wish, boolean refused) {
        LegalOptions legal = new LegalOptions(
                3, 1, true, false, 40, ActionKind.RAISE, 100, 490, 1, 0, HELD);
        return decision("conformance." + wish, 10, HELD, List.of(), 95, 60, legal, refusal(refused));
    }

    private static Decision discarding(String wish, int owed, boolean refused) {
        LegalOptions legal = new LegalOptions(3, 2, false, false, 0, ActionKind.BET, 0, 0, 1, owed, HELD);
        return decision("conformance." + wish, 10, HELD, List.of(), 95, 0, legal, refusal(refused));
    }

    private static Optional<Ruling> refusal(boolean refused) {
        return refused
                ? Optional.of(new Ruling(false, "BET-8", List.of(), Optional.empty(), "", Optional.empty(), ""))
                : Optional.empty();
    }

    @ParameterizedTest
    @CsvSource({
        "check-or-call, false, CALL, 0",
        "check-or-call.3, false, CALL, 0",
        "check-or-fold, false, FOLD, 0",
        "min-raise, false, RAISE, 100",
        "max-raise, false, RAISE, 490",
        "all-in, false, RAISE, 490",
        "bet-pot, false, RAISE, 195",
        "wrong-discard, false, CALL, 0",
        "refused-first, false, RAISE, 531",
        "refused-first, true, CALL, 0"
    })
    void everyWishIsDone(String wish, boolean refused, ActionKind kind, long to) throws Exception {
        Proposal given = new ConformanceBot().decide(facing(wish, refused));
        assertEquals(kind, given.kind());
        assertEquals(to, given.to());
    }

    @ParameterizedTest
    @CsvSource({
        "check-or-call, 2, false, 'Ah Kd'",
        "check-or-fold, 1, false, 'Ah'",
        "all-in, 3, false, 'Ah Kd 9c'",
        "refused-first, 2, false, 'Ah Kd'",
        "wrong-discard, 2, false, 'Ah'",
        "wrong-discard, 1, false, 'Ah Kd'",
        "wrong-discard, 2, true, 'Ah Kd'"
    })
    void theFirstCardsAreDiscardedUnlessTheWishSaysOtherwise(String wish, int owed, boolean refused, String cards)
            throws Exception {
        Proposal given = new ConformanceBot().decide(discarding(wish, owed, refused));
        assertEquals(ActionKind.DISCARD, given.kind());
        assertEquals(cards, Cards.text(given.cards()));
    }

    @Test
    void atAnyOtherTableItPlaysPlain() throws Exception {
        LegalOptions legal = new LegalOptions(3, 2, false, false, 0, ActionKind.BET, 0, 0, 1, 2, HELD);
        Decision elsewhere = decision("a-match", 10, HELD, List.of(), 95, 0, legal, Optional.empty());
        assertEquals("9c 2s", Cards.text(new ConformanceBot().decide(elsewhere).cards()));
        Decision unknown = discarding("a-wish-of-tomorrow", 2, false);
        assertEquals("9c 2s", Cards.text(new ConformanceBot().decide(unknown).cards()));
    }
}

package referee.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/** What a decision's helpers propose: the shared vectors, and what they leave open. */
class DecisionTest {
    private static final Map<String, Function<Decision, Proposal>> HELPERS = Map.of(
            "fold", Decision::fold,
            "check", Decision::check,
            "call", Decision::call,
            "check_or_fold", Decision::checkOrFold,
            "check_or_call", Decision::checkOrCall,
            "all_in_or_call", Decision::allInOrCall,
            "discard_last", Decision::discardLast);

    @Test
    void helpersProposeWhatEverySdkProposes() {
        List<JsonObject> cases = Vectors.objects(Vectors.read("legal.json"), "cases");
        assertFalse(cases.isEmpty());
        for (JsonObject one : cases) {
            Decision decision = decision(
                    legal(one.getAsJsonObject("legal")), one.get("level").getAsLong(), one.get("pot").getAsLong());
            JsonObject answers = one.getAsJsonObject("answers");
            HELPERS.forEach((name, helper) -> {
                if (answers.get(name).isJsonObject()) {
                    assertAnswer(answers.getAsJsonObject(name), helper.apply(decision), one);
                }
            });
            assertAnswers(answers, "raise_to", decision::raiseTo, of -> of.get("total").getAsLong(), one);
            assertAnswers(answers, "bet_or_raise", decision::betOrRaise, of -> of.get("total").getAsLong(), one);
            assertAnswers(answers, "bet_pot", decision::betPot, of -> of.get("percent").getAsLong(), one);
            assertEquals(HELPERS.size() + 3, answers.size());
        }
    }

    private static void assertAnswers(
            JsonObject answers,
            String name,
            Function<Long, Proposal> helper,
            ToLongFunction<JsonObject> argument,
            JsonObject of) {
        for (JsonElement answer : answers.getAsJsonArray(name)) {
            JsonObject expected = answer.getAsJsonObject();
            assertAnswer(expected, helper.apply(argument.applyAsLong(expected)), of);
        }
    }

    private static void assertAnswer(JsonObject expected, Proposal given, JsonObject of) {
        String told = expected + " at " + of;
        assertEquals(expected.get("action").getAsString(), given.kind().name().toLowerCase(), told);
        assertEquals(expected.has("to") ? expected.get("to").getAsLong() : 0, given.to(), told);
        List<String> cards = expected.has("cards") ? Vectors.texts(expected, "cards") : List.of();
        assertEquals(cards, Cards.texts(given.cards()), told);
        assertEquals(of.getAsJsonObject("legal").get("seat").getAsInt(), given.seat());
        assertEquals(of.getAsJsonObject("legal").get("decision_id").getAsInt(), given.decisionId());
        assertEquals("t-1", given.handId());
    }

    @Test
    void arithmeticIsExactBeyondSixtyThreeBits() {
        LegalOptions legal = options(10, 20, 9_000_000_000_000_000L);
        Decision decision = decision(legal, 10, 9_000_000_000_000_000L);
        assertEquals(9_000_000_000_000_000L, decision.betPot(Long.MAX_VALUE).to());
        assertEquals(20, decision.betPot(-1).to());
        assertEquals(20, decision.betPot(Long.MIN_VALUE).to());
        assertEquals(20, decision.betOrRaise(Long.MIN_VALUE).to());
    }

    @Test
    void percentagesRoundDown() {
        // 1% of 99 + 51 = 150 is 1.5: the level 50 goes to 51, and not to 52
        assertEquals(51, decision(options(51, 1, 1000), 50, 99).betPot(1).to());
        // -1% is -1.5, rounded down to -2
        assertEquals(48, decision(options(51, 1, 1000), 50, 99).betPot(-1).to());
    }

    @Test
    void anAnswerIsCompletedWhereItNamesNothing() {
        Decision decision = decision(options(0, 10, 500), 0, 30);
        Proposal bare = new Proposal(0, ActionKind.CHECK, 0, List.of(), "", 0);
        assertEquals(decision.check(), decision.completed(bare));
        Proposal stale = new Proposal(4, ActionKind.CHECK, 0, List.of(), "other", 7);
        assertEquals(new Proposal(1, ActionKind.CHECK, 0, List.of(), "other", 7), decision.completed(stale));
    }

    private static LegalOptions options(long call, long minTo, long maxTo) {
        return new LegalOptions(
                1, 1, call > 0, call == 0, call, ActionKind.RAISE, minTo, maxTo, 1, 0, List.of());
    }

    private static LegalOptions legal(JsonObject of) {
        boolean mayWager = of.get("max_raise_to").getAsLong() > 0;
        return new LegalOptions(
                of.get("seat").getAsInt(),
                of.get("decision_id").getAsInt(),
                of.get("can_fold").getAsBoolean(),
                of.get("can_check").getAsBoolean(),
                of.get("amount_to_call").getAsLong(),
                mayWager ? ActionKind.valueOf(of.get("wager").getAsString()) : ActionKind.BET,
                of.get("min_raise_to").getAsLong(),
                of.get("max_raise_to").getAsLong(),
                mayWager ? of.get("raise_step").getAsLong() : 1,
                of.get("cards_to_discard").getAsInt(),
                Cards.ofTexts(Vectors.texts(of, "held_cards")));
    }

    private static Decision decision(LegalOptions legal, long level, long pot) {
        TableRules rules =
                new TableRules(RuleSet.published("irish/full-tilt@1"), Limit.NO_LIMIT, Stakes.of(5, 10));
        return new Decision(
                "t", "m", "t-1", 1, legal.seat(), rules, 1, 2, 3, 0, List.of(), List.of(), List.of(), List.of(),
                List.of(), pot, level, legal, OptionalLong.empty(), List.of(), Optional.empty());
    }
}

package referee.client;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import referee.v1.Hand;

/**
 * A named, versioned choice of the rulebook's options, as far as a player may want to know them.
 *
 * @param name the name, such as {@code irish/full-tilt}
 * @param version the version
 * @param game the game as data
 * @param limits the structures that it may be played with
 * @param maxRaises SIZE-6: raises of a street in fixed-limit
 * @param cappedHeadsUp SIZE-7: whether the cap binds two players
 * @param lateMinimumIsBigBet SIZE-9: whether the minimum of rounds 3 and 4 is the big bet
 * @param foldingIsAlwaysLegal BET-3: whether folding with nothing to match is accepted
 * @param lateDiscardFolds DISC-8: whether a discard not made in time folds the hand
 */
public record RuleSet(
        String name,
        int version,
        Game game,
        List<Limit> limits,
        int maxRaises,
        boolean cappedHeadsUp,
        boolean lateMinimumIsBigBet,
        boolean foldingIsAlwaysLegal,
        boolean lateDiscardFolds) {
    private static final int USUAL_RAISES = 3;

    private static final Map<String, RuleSet> PUBLISHED = Stream.of(
                    published("irish/full-tilt", Game.IRISH, false, Limit.NO_LIMIT, Limit.POT_LIMIT),
                    published("irish/french-limit", Game.IRISH_BEFORE_FLOP_BETTING, false, Limit.FIXED_LIMIT),
                    published("irish/french-minimum", Game.IRISH_BEFORE_FLOP_BETTING, true, Limit.NO_LIMIT),
                    published("holdem/online-limit", Game.HOLDEM, false, Limit.FIXED_LIMIT),
                    published("irish/tda", Game.IRISH, false, Limit.values()),
                    published("holdem/tda", Game.HOLDEM, false, Limit.values()))
            .collect(Collectors.toUnmodifiableMap(RuleSet::fullName, Function.identity()));

    /** Name and version as they are written everywhere, such as {@code irish/full-tilt@1}. */
    public String fullName() {
        return name + "@" + version;
    }

    /** A published rule set by its full name; throws RuleSetException for one that this version does not have. */
    public static RuleSet published(String fullName) {
        RuleSet found = PUBLISHED.get(fullName);
        if (found == null) {
            String known = PUBLISHED.keySet().stream().sorted().collect(Collectors.joining(", "));
            throw new RuleSetException("GAME-3", "no rule set is published as '" + fullName + "'; there are " + known);
        }
        return found;
    }

    private static RuleSet published(String name, Game game, boolean lateMinimumIsBigBet, Limit... limits) {
        return new RuleSet(name, 1, game, List.of(limits), USUAL_RAISES, true, lateMinimumIsBigBet, false, false);
    }

    /** A rule set of a host's own. Options of a newer contract are read as the default; an unknown game is refused. */
    static RuleSet of(Hand.RuleSet message) {
        Hand.Game game = message.getGame();
        if (game.getDiscardPoint() == Hand.DiscardPoint.UNRECOGNIZED
                || game.getDiscardVisibility() == Hand.DiscardVisibility.UNRECOGNIZED) {
            throw new RuleSetException("GAME-3", "this version does not know the game of " + message.getName());
        }
        Hand.DiscardVisibility visibility =
                game.getDiscardVisibility() == Hand.DiscardVisibility.DISCARD_VISIBILITY_UNSPECIFIED
                        ? Hand.DiscardVisibility.DISCARD_VISIBILITY_HIDDEN
                        : game.getDiscardVisibility();
        return new RuleSet(
                message.getName(),
                message.getVersion(),
                new Game(game.getHoleCards(), game.getDiscards(), game.getDiscardPoint(), visibility),
                message.getStructuresValueList().stream().map(Limit::ofNumber).toList(),
                message.hasMaxRaises() ? message.getMaxRaises() : USUAL_RAISES,
                message.getCapHeadsUp() != Hand.CapHeadsUp.CAP_HEADS_UP_UNCAPPED,
                message.getLateMinimum() == Hand.LateMinimum.LATE_MINIMUM_BIG_BET,
                message.getOpenFold() == Hand.OpenFold.OPEN_FOLD_ALLOW,
                message.getDiscardTimeout() == Hand.DiscardTimeout.DISCARD_TIMEOUT_FOLD);
    }
}

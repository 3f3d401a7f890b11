package referee.client;

import referee.v1.Hand;
import referee.v1.Hand.PlayerSetup;
import referee.v1.Table.HandBegan;
import referee.v1.Table.TableConfig;

/**
 * What a table plays, as far as a seat needs it.
 *
 * @param ruleSet the rule set
 * @param limit the betting structure
 * @param stakes the stakes
 */
public record TableRules(RuleSet ruleSet, Limit limit, Stakes stakes) {
    /** Throws RuleSetException for a published rule set, game or structure that this version does not have. */
    static TableRules of(TableConfig config) {
        RuleSet ruleSet = config.hasRuleSet()
                ? RuleSet.of(config.getRuleSet())
                : RuleSet.published(config.getRuleSetName());
        Hand.Stakes stakes = config.getStakes();
        return new TableRules(
                ruleSet,
                Limit.ofNumber(config.getStructureValue()),
                new Stakes(
                        stakes.getSmallBlind(),
                        stakes.getBigBlind(),
                        stakes.getSmallBet(),
                        stakes.getBigBet(),
                        stakes.getAnteKind(),
                        stakes.getAnte(),
                        Math.max(1, stakes.getChipUnit()),
                        stakes.getRakeBasisPoints(),
                        stakes.hasRakeCap() ? stakes.getRakeCap() : -1,
                        stakes.getNoFlopNoDrop()));
    }

    /** The setup of a hand that began. */
    HandSetup setup(HandBegan began) {
        return new HandSetup(
                this,
                began.getHandId(),
                began.getPlayersList().stream().map(PlayerSetup::getSeat).toList(),
                began.getPlayersList().stream().map(PlayerSetup::getStack).toList(),
                began.getButtonSeat(),
                began.getSmallBlindSeat(),
                began.getBigBlindSeat());
    }
}

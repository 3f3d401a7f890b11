package referee.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import referee.v1.Hand;
import referee.v1.Hand.BettingStructure;
import referee.v1.Hand.PlayerSetup;
import referee.v1.Table.Answered;
import referee.v1.Table.Decision;
import referee.v1.Table.HandBegan;
import referee.v1.Table.PlayResponseItem;
import referee.v1.Table.Propose;
import referee.v1.Table.SeatState;
import referee.v1.Table.SeenEvent;
import referee.v1.Table.Snapshot;
import referee.v1.Table.StreamEnd;
import referee.v1.Table.StreamEndReason;
import referee.v1.Table.TableConfig;
import referee.v1.Table.TableState;

/**
 * What seat 1 of a table is told: heads-up no-limit hold'em, blinds 5 and 10, stacks of 500, in numbered events. Seat 1
 * is the big blind; seat 2 has the button and acts first before the flop.
 */
final class Told {
    final String tableId;
    final List<SeenEvent> log = new ArrayList<>();
    String matchName = "a-match";
    long number;
    long count;
    private int decisionId;

    Told(String tableId) {
        this.tableId = tableId;
    }

    PlayResponseItem.Builder item() {
        return PlayResponseItem.newBuilder().setTableId(tableId);
    }

    /** The next numbered event. */
    PlayResponseItem seen(UnaryOperator<SeenEvent.Builder> what) {
        count++;
        SeenEvent event = what.apply(SeenEvent.newBuilder().setHand(number).setNumber(count).setTimeUnixMs(1)).build();
        log.add(event);
        return item().setEvent(event).build();
    }

    PlayResponseItem happened(EventKind kind, int seat, long amount, long total, String cards) {
        Hand.Event event = Hand.Event.newBuilder()
                .setKindValue(kind.number())
                .setSeat(seat)
                .setAmount(amount)
                .setStreetTotal(total)
                .addAllCards(Cards.texts(Cards.parseAll(cards)))
                .build();
        return seen(seen -> seen.setHandEvent(event));
    }

    TableState state() {
        return TableState.newBuilder()
                .setTableId(tableId)
                .setMatchName(matchName)
                .setHand(number)
                .setConfig(TableConfig.newBuilder()
                        .setRuleSetName("holdem/tda@1")
                        .setStructure(BettingStructure.BETTING_STRUCTURE_NO_LIMIT)
                        .setStakes(Hand.Stakes.newBuilder().setSmallBlind(5).setBigBlind(10))
                        .setSeats(2)
                        .setStartingStack(500))
                .addSeats(SeatState.newBuilder().setSeat(1).setName("player 1"))
                .addSeats(SeatState.newBuilder().setSeat(2).setName("player 2"))
                .build();
    }

    PlayResponseItem snapshot(List<SeenEvent> events) {
        return item().setSnapshot(Snapshot.newBuilder().setTable(state()).addAllEvents(events)).build();
    }

    PlayResponseItem snapshot() {
        return snapshot(List.of());
    }

    /** The next hand begins: five events. */
    List<PlayResponseItem> begin() {
        number++;
        count = 0;
        decisionId = 1;
        HandBegan began = HandBegan.newBuilder()
                .setHandId(handId())
                .addPlayers(PlayerSetup.newBuilder().setSeat(1).setStack(500))
                .addPlayers(PlayerSetup.newBuilder().setSeat(2).setStack(500))
                .setButtonSeat(2)
                .setSmallBlindSeat(2)
                .setBigBlindSeat(1)
                .build();
        return List.of(
                seen(seen -> seen.setHandBegan(began)),
                happened(EventKind.BLIND_POSTED, 2, 5, 5, ""),
                happened(EventKind.BLIND_POSTED, 1, 10, 10, ""),
                happened(EventKind.HOLE_DEALT, 1, 0, 0, "Ah Kd"),
                happened(EventKind.HOLE_DEALT, 2, 0, 0, "?? ??"));
    }

    String handId() {
        return tableId + "-" + number;
    }

    /** The button calls before the flop. */
    PlayResponseItem buttonCalls() {
        return happened(EventKind.CALLED, 2, 5, 10, "");
    }

    /** The button folds, and the hand is over: seat 1 wins 5 before the flop. */
    List<PlayResponseItem> buttonFolds() {
        return List.of(
                happened(EventKind.FOLDED, 2, 0, 0, ""),
                happened(EventKind.BET_RETURNED, 1, 5, 0, ""),
                happened(EventKind.POT_AWARDED, 1, 10, 0, ""),
                happened(EventKind.HAND_ENDED, 0, 0, 0, ""));
    }

    /** Seat 1 checks, and the flop comes. */
    List<PlayResponseItem> checksToTheFlop() {
        decisionId++;
        return List.of(
                happened(EventKind.CHECKED, 1, 0, 0, ""),
                happened(EventKind.ROUND_CLOSED, 0, 0, 0, ""),
                happened(EventKind.BOARD_DEALT, 0, 0, 0, "2c 7d 9h"));
    }

    Hand.LegalOptions legal() {
        return Hand.LegalOptions.newBuilder()
                .setSeat(1)
                .setDecisionId(decisionId)
                .setCanCheck(true)
                .setWager(decisionId == 1 ? Hand.WagerKind.WAGER_KIND_RAISE : Hand.WagerKind.WAGER_KIND_BET)
                .setMinRaiseTo(decisionId == 1 ? 20 : 10)
                .setMaxRaiseTo(decisionId == 1 ? 500 : 490)
                .setRaiseStep(1)
                .addHeldCards("Ah")
                .addHeldCards("Kd")
                .build();
    }

    /** Seat 1 is asked: check, or lift the level. */
    PlayResponseItem decision() {
        return decision(asked -> asked);
    }

    PlayResponseItem decision(UnaryOperator<Decision.Builder> with) {
        Decision.Builder asked =
                Decision.newBuilder().setHandId(handId()).setHand(number).setLegal(legal());
        return item().setDecision(with.apply(asked)).build();
    }

    /** A hand begins, the button calls, and seat 1 is asked. */
    List<PlayResponseItem> toMyTurn() {
        List<PlayResponseItem> items = new ArrayList<>(begin());
        items.add(buttonCalls());
        items.add(decision());
        return items;
    }

    PlayResponseItem accepted(Propose propose) {
        return answered(propose, Hand.Ruling.newBuilder().setAccepted(true).setRule("BET-2").build());
    }

    PlayResponseItem refused(Propose propose) {
        return answered(
                propose,
                Hand.Ruling.newBuilder()
                        .setRule("SIZE-3")
                        .setReason(Hand.Reason.REASON_BELOW_MINIMUM)
                        .setMessage("15 is below the minimum of 20")
                        .setLegal(legal())
                        .build());
    }

    PlayResponseItem answered(Propose propose, Hand.Ruling ruling) {
        return item().setAnswered(Answered.newBuilder().setRequestId(propose.getRequestId()).setRuling(ruling)).build();
    }

    PlayResponseItem end(StreamEndReason reason) {
        return item().setEnd(StreamEnd.newBuilder().setReason(reason)).build();
    }

    PlayResponseItem tableEnded() {
        return end(StreamEndReason.STREAM_END_REASON_TABLE_ENDED);
    }

    @SafeVarargs
    static List<PlayResponseItem> all(List<PlayResponseItem>... parts) {
        return Arrays.stream(parts).flatMap(List::stream).toList();
    }
}

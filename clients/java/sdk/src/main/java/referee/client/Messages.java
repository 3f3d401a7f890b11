package referee.client;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import referee.v1.Hand;

/** Between the contract's messages and what a bot works with. What a newer server adds is ignored, never guessed at. */
final class Messages {
    private Messages() {}

    /** An event, or nothing for a kind that this version does not know. */
    static Optional<Event> event(Hand.Event message) {
        EventKind kind = EventKind.ofNumber(message.getKindValue());
        if (kind == null) {
            return Optional.empty();
        }
        return Optional.of(new Event(
                kind,
                message.getRule(),
                message.getSeat(),
                message.getAmount(),
                message.getStreetTotal(),
                Cards.ofTexts(message.getCardsList()),
                message.getPot(),
                message.getAllIn(),
                message.getAutomatic()));
    }

    static LegalOptions options(Hand.LegalOptions message) {
        boolean mayWager = message.getMaxRaiseTo() > 0;
        return new LegalOptions(
                message.getSeat(),
                message.getDecisionId(),
                message.getCanFold(),
                message.getCanCheck(),
                message.getAmountToCall(),
                mayWager && message.getWager() == Hand.WagerKind.WAGER_KIND_RAISE ? ActionKind.RAISE : ActionKind.BET,
                message.getMinRaiseTo(),
                message.getMaxRaiseTo(),
                mayWager ? Math.max(1, message.getRaiseStep()) : 1,
                message.getCardsToDiscard(),
                Cards.ofTexts(message.getHeldCardsList()));
    }

    static Ruling ruling(Hand.Ruling message) {
        List<Event> events = message.getEventsList().stream().flatMap(event -> event(event).stream()).toList();
        return new Ruling(
                message.getAccepted(),
                message.getRule(),
                events,
                Optional.ofNullable(Reason.ofNumber(message.getReasonValue())),
                message.getMessage(),
                message.hasLegal() ? Optional.of(options(message.getLegal())) : Optional.empty(),
                message.getWarning());
    }

    static Hand.Proposal proposal(Proposal proposal) {
        return Hand.Proposal.newBuilder()
                .setHandId(proposal.handId())
                .setDecisionId(proposal.decisionId())
                .setSeat(proposal.seat())
                .setAction(action(proposal))
                .build();
    }

    private static Hand.Action.Builder action(Proposal proposal) {
        Hand.Action.Builder action = Hand.Action.newBuilder();
        return switch (Objects.requireNonNull(proposal.kind())) {
            case FOLD -> action.setFold(Hand.Fold.getDefaultInstance());
            case CHECK -> action.setCheck(Hand.Check.getDefaultInstance());
            case CALL -> action.setCall(Hand.Call.getDefaultInstance());
            case BET -> action.setBet(Hand.Bet.newBuilder().setRaiseTo(proposal.to()));
            case RAISE -> action.setRaise(Hand.Raise.newBuilder().setRaiseTo(proposal.to()));
            case DISCARD -> action.setDiscard(Hand.Discard.newBuilder().addAllCards(Cards.texts(proposal.cards())));
            case SHOW -> action.setShow(Hand.Show.getDefaultInstance());
        };
    }
}

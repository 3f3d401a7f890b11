package referee.client;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import referee.v1.Hand;
import referee.v1.Table;
import referee.v1.Table.Attach;
import referee.v1.Table.Cursor;
import referee.v1.Table.Detach;
import referee.v1.Table.PlayRequestItem;
import referee.v1.Table.PlayResponseItem;
import referee.v1.Table.Propose;
import referee.v1.Table.SeenEvent;
import referee.v1.Table.Snapshot;
import referee.v1.Table.StreamEndReason;

/**
 * Follows one table as one seat, from its first message to its last: what to ask, what to send again, when it ends. No
 * connection, no waiting and no thread here; it is used by one thread at a time.
 */
final class Follower {
    /** How many gaps of one hand are resumed from the cursor; from then on the hand is begun anew. */
    static final int FORGIVEN_GAPS = 3;

    /** How many gaps of one hand end the play: a server that never tells a hand whole cannot be followed. */
    static final int MAX_GAPS = 10;

    /** How often a seat that was attached before and now is not allowed tries again from the same cursor. */
    private static final int PATIENT_DENIALS = 2;

    private static final Set<StreamEndReason> FINAL_ENDS = Set.of(
            StreamEndReason.STREAM_END_REASON_TABLE_ENDED,
            StreamEndReason.STREAM_END_REASON_REPLACED,
            StreamEndReason.STREAM_END_REASON_DETACHED,
            StreamEndReason.STREAM_END_REASON_NOT_ALLOWED,
            StreamEndReason.STREAM_END_REASON_FLOODING);

    /** A place in the view: the last event that was seen. */
    private record Place(long hand, long number) {
        boolean isAfter(Place other) {
            return hand > other.hand || (hand == other.hand && number > other.number);
        }
    }

    /** The decision that is open. */
    private static final class Open {
        final String handId;
        LegalOptions legal;
        OptionalLong untilNanos;
        int refusals;
        Optional<Ruling> refusal = Optional.empty();
        Decision decision;
        /** An answer that the referee has not acknowledged. */
        Propose propose;

        boolean defaulted;

        Open(String handId, LegalOptions legal, OptionalLong untilNanos) {
            this.handId = handId;
            this.legal = legal;
            this.untilNanos = untilNanos;
        }

        boolean isBeingAsked() {
            return decision != null && propose == null;
        }
    }

    private final Seat seat;
    private final PlayOptions options;
    private final LongSupplier nanoTime;
    private final RequestIds requestIds;
    private final DealCheck deals;
    private final Map<Integer, String> names = new HashMap<>();
    private Place cursor;
    private TableRules rules;
    private String matchName = "";
    private HandView view;
    private Open open;
    private boolean attached;
    private boolean over;
    private int snapshots;
    private long events;
    private int gaps;
    private int denials;
    private long lastOver;

    private int seatNumber;
    private int hands;
    private long net;
    private int decisions;
    private int refusals;
    private int defaults;
    private String reason = "";

    /** Follows a seat; {@code nanoTime} is a clock that only goes forward. */
    Follower(Seat seat, PlayOptions options, LongSupplier nanoTime, RequestIds requestIds) {
        this.seat = seat;
        this.options = options;
        this.nanoTime = nanoTime;
        this.requestIds = requestIds;
        deals = new DealCheck(seat.seed());
        cursor = seat.hand() < 0 ? null : new Place(seat.hand(), 0);
        seatNumber = seat.number();
    }

    Seat seat() {
        return seat;
    }

    String tableId() {
        return seat.tableId();
    }

    /** Whether nothing more comes. */
    boolean over() {
        return over;
    }

    /** How often the table was told from its snapshot. */
    int snapshots() {
        return snapshots;
    }

    /** How many events were received, without what was told again. */
    long events() {
        return events;
    }

    /** The hand under way, or the last one; null before the first. */
    HandView view() {
        return view;
    }

    int hands() {
        return hands;
    }

    /** What the play came to so far. */
    Played played() {
        return new Played(
                tableId(),
                seatNumber,
                hands,
                net,
                decisions,
                refusals,
                defaults,
                Math.max(0, snapshots - 1),
                deals.checked(),
                deals.fault(),
                reason);
    }

    // --- attaching --------------------------------------------------------------------------------------

    /** The item that begins or resumes this table on a stream. */
    PlayRequestItem attach() {
        attached = false;
        Attach.Builder attach = Attach.newBuilder().setSeatToken(seat.token());
        if (cursor != null) {
            attach.setCursor(Cursor.newBuilder().setHand(cursor.hand()).setNumber(cursor.number()));
        }
        return item().setAttach(attach).build();
    }

    /** The item that stops playing this table on a stream. */
    PlayRequestItem detach() {
        return item().setDetach(Detach.getDefaultInstance()).build();
    }

    /** The item that carries a proposal. */
    PlayRequestItem proposing(Propose propose) {
        return item().setPropose(propose).build();
    }

    private PlayRequestItem.Builder item() {
        return PlayRequestItem.newBuilder().setTableId(tableId());
    }

    // --- what comes -------------------------------------------------------------------------------------

    /**
     * Takes what the server says and returns what to do. Items, events and enum values that this version does not know
     * are ignored.
     *
     * @throws StreamLostException when something was missed: the table is to be attached again from its cursor
     * @throws BrokenStreamException when the server does not keep to the contract
     */
    List<Outcome> receive(PlayResponseItem item) throws StreamLostException {
        return switch (item.getItemCase()) {
            case EVENT -> event(item.getEvent());
            case DECISION -> decision(item.getDecision()).stream().toList();
            case ANSWERED -> answered(item.getAnswered()).stream().toList();
            case SNAPSHOT -> snapshot(item.getSnapshot());
            case END -> List.of(ended(item.getEnd().getReason()));
            default -> List.of();
        };
    }

    private List<Outcome> snapshot(Snapshot snapshot) throws StreamLostException {
        attached = true;
        snapshots++;
        denials = 0;
        if (rules == null) {
            rules = TableRules.of(snapshot.getTable().getConfig());
        }
        if (!snapshot.getTable().getMatchName().isEmpty()) {
            matchName = snapshot.getTable().getMatchName();
        }
        snapshot.getTable().getSeatsList().forEach(state -> names.put(state.getSeat(), state.getName()));
        List<Outcome> outcomes = new ArrayList<>();
        for (SeenEvent event : snapshot.getEventsList()) {
            outcomes.addAll(event(event));
        }
        return outcomes;
    }

    private Outcome ended(StreamEndReason why) {
        attached = false;
        if (why == StreamEndReason.STREAM_END_REASON_CURSOR_UNKNOWN) {
            cursor = null;
        }
        boolean worthATry = why == StreamEndReason.STREAM_END_REASON_NOT_ALLOWED && mayBeAllowedLater();
        if (!FINAL_ENDS.contains(why) || worthATry) {
            return new Outcome.Interrupted(why);
        }
        end(why);
        return new Outcome.Ended(why);
    }

    /**
     * Whether a seat that is not allowed tries again. One that was attached before may find its server stopping, or its
     * cursor too far back: it tries again as it is, then from the hand under way, and then gives up.
     */
    private boolean mayBeAllowedLater() {
        if (cursor == null) {
            return false;
        }
        denials++;
        if (denials > PATIENT_DENIALS) {
            cursor = null;
        }
        return true;
    }

    /** Notes that nothing more comes. */
    void end(StreamEndReason why) {
        over = true;
        reason = why.name().replaceFirst("^STREAM_END_REASON_", "");
    }

    // --- events -----------------------------------------------------------------------------------------

    private List<Outcome> event(SeenEvent seen) throws StreamLostException {
        Place place = new Place(seen.getHand(), seen.getNumber());
        if (cursor != null && !place.isAfter(cursor)) {
            return List.of();
        }
        expect(place);
        cursor = place;
        events++;
        switch (seen.getEventCase()) {
            case HAND_EVENT -> {
                return handEvent(seen);
            }
            case HAND_BEGAN -> handBegan(seen.getHand(), seen.getHandBegan());
            case SEAT_TAKEN -> names.put(seen.getSeatTaken().getSeat(), seen.getSeatTaken().getName());
            case OPENED -> {
                deals.opened(seen.getOpened());
                matchName = seen.getOpened().getMatchName();
                if (rules == null) {
                    rules = TableRules.of(seen.getOpened().getConfig());
                }
            }
            case COMMITMENTS_CLOSED -> {
                deals.closed(seen.getCommitmentsClosed());
                return seat.seed().isEmpty() ? List.of() : List.of(new Outcome.Reveal(seat.seed()));
            }
            case ENDED -> deals.ended(seen.getEnded().getSeeds());
            default -> {}
        }
        return List.of();
    }

    /** Makes sure that nothing lies between the cursor and the next event. */
    private void expect(Place place) throws StreamLostException {
        if (cursor == null) {
            return;
        }
        boolean handIsOver = view == null || view.number() != cursor.hand() || view.over();
        boolean isNext = place.equals(new Place(cursor.hand(), cursor.number() + 1));
        boolean beginsNext = handIsOver && place.equals(new Place(cursor.hand() + 1, 1));
        if (!isNext && !beginsNext) {
            throw missed(
                    "after event " + cursor.number() + " of hand " + cursor.hand() + " came event " + place.number()
                            + " of hand " + place.hand(),
                    false);
        }
    }

    private StreamLostException missed(String what, boolean beginAnew) {
        gaps++;
        if (gaps > MAX_GAPS) {
            throw new BrokenStreamException(tableId() + ": " + what + ", " + gaps + " times");
        }
        if (beginAnew || gaps > FORGIVEN_GAPS) {
            cursor = null;
        }
        return new StreamLostException(tableId() + ": " + what);
    }

    private void handBegan(long number, Table.HandBegan began) {
        if (rules == null) {
            throw new BrokenStreamException(tableId() + ": a hand began before it was told what is played");
        }
        if (view == null || view.number() != number) {
            gaps = 0;
        }
        Map<Integer, String> called = new HashMap<>(names);
        began.getPlayersList().stream()
                .filter(player -> !player.getName().isEmpty())
                .forEach(player -> called.put(player.getSeat(), player.getName()));
        view = new HandView(rules.setup(began), number, tableId(), matchName, called);
        deals.began(number, began.getDeckRoot());
    }

    private List<Outcome> handEvent(SeenEvent seen) throws StreamLostException {
        if (view == null || view.number() != seen.getHand()) {
            throw missed("the beginning of hand " + seen.getHand() + " was not told", true);
        }
        Optional<Event> event = Messages.event(seen.getHandEvent());
        if (event.isEmpty()) {
            return List.of();
        }
        view.fold(event.get());
        if (view.seat() != 0) {
            seatNumber = view.seat();
        }
        return event.get().kind() == EventKind.HAND_ENDED ? handOver() : List.of();
    }

    private List<Outcome> handOver() {
        if (open != null && open.handId.equals(view.setup().handId())) {
            open = null;
        }
        if (view.number() <= lastOver) {
            return List.of(); // a hand that is told again
        }
        lastOver = view.number();
        deals.over(view);
        if (view.seat() != 0) {
            hands++;
            net += view.netOf(view.seat());
        }
        return options.onHandOver().apply(view).stream()
                .<Outcome>map(shows -> new Outcome.Send(proposeMessage(shows)))
                .toList();
    }

    private Propose proposeMessage(Proposal proposal) {
        return Propose.newBuilder()
                .setRequestId(requestIds.next())
                .setProposal(Messages.proposal(proposal))
                .build();
    }

    // --- decisions --------------------------------------------------------------------------------------

    private Optional<Outcome> decision(Table.Decision message) throws StreamLostException {
        LegalOptions legal = Messages.options(message.getLegal());
        OptionalLong until = message.getDeadlineUnixMs() == 0
                ? OptionalLong.empty()
                : OptionalLong.of(nanoTime.getAsLong() + message.getRemainingMs() * 1_000_000);
        if (open == null || !open.handId.equals(message.getHandId())
                || open.legal.decisionId() != legal.decisionId()) {
            open = new Open(message.getHandId(), legal, until);
            decisions++;
            return Optional.of(ask(message.getHand()));
        }
        open.legal = legal;
        open.untilNanos = until;
        if (open.propose != null) { // sent, and not acknowledged: the same again, under the same id
            return Optional.of(new Outcome.Send(open.propose));
        }
        return open.isBeingAsked() ? Optional.empty() : Optional.of(ask(message.getHand()));
    }

    private Outcome ask(long hand) throws StreamLostException {
        if (view == null || view.number() != hand || !view.setup().handId().equals(open.handId)) {
            open = null;
            throw missed("the beginning of hand " + hand + " was not told", true);
        }
        open.decision = view.decision(open.legal, remainingMs(), open.refusal);
        return new Outcome.Ask(open.decision);
    }

    private OptionalLong remainingMs() {
        return open.untilNanos.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(Math.max(0, (open.untilNanos.getAsLong() - nanoTime.getAsLong()) / 1_000_000));
    }

    /**
     * The proposal to send now for a decision that the bot answered. Nothing when the decision is no longer open, and
     * while the table is being attached again: the decision is then repeated after the snapshot, and what was answered
     * is sent once, by {@link #receive}.
     */
    Optional<Propose> answer(Decision decision, Proposal proposal) {
        if (open == null || open.decision != decision) {
            return Optional.empty();
        }
        open.propose = proposeMessage(decision.completed(proposal));
        return attached ? Optional.of(open.propose) : Optional.empty();
    }

    private Optional<Outcome> answered(Table.Answered answered) throws StreamLostException {
        Open known = open;
        if (known == null || known.propose == null
                || !known.propose.getRequestId().equals(answered.getRequestId())) {
            return Optional.empty();
        }
        Hand.Ruling told = answered.getRuling();
        if (told.getAccepted()) {
            open = null;
            return Optional.empty();
        }
        if (told.getReasonValue() == 0 && !told.hasLegal()) {
            return Optional.empty(); // not a ruling: the table is stopping, and asks again when it goes on
        }
        Decision decision = known.decision;
        Ruling ruling = Messages.ruling(told);
        refusals++;
        options.onRefused().accept(decision, ruling);
        // A newer server's reason may mean anything, so that without options the decision may still be open.
        boolean isGone = ruling.legal()
                .map(legal -> legal.decisionId() != known.legal.decisionId())
                .orElse(ruling.reason().isPresent());
        if (isGone || known.defaulted) {
            open = null; // no longer open, such as after a time-out; or nothing else is left to try
            return Optional.empty();
        }
        known.legal = ruling.legal().orElse(known.legal);
        known.refusal = Optional.of(ruling);
        known.propose = null;
        known.refusals++;
        known.decision = null;
        if (known.refusals <= options.maxRefusals()) {
            return Optional.of(ask(decision.handNumber()));
        }
        known.defaulted = true;
        known.decision = decision;
        defaults++;
        return answer(decision, decision.checkOrFold()).map(Outcome.Send::new);
    }
}

package referee.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.ByteString;
import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import com.google.protobuf.util.JsonFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import referee.v1.Server.GetServerInfoResponse;
import referee.v1.Table.PlayRequest;
import referee.v1.Table.PlayResponse;
import referee.v1.Table.PlayResponseItem;

/** Runs the shared vectors of messages, and of the decisions that a seat is told by them. */
class MessageVectorsTest {
    private static final Map<String, Parser<? extends Message>> PARSERS = Map.of(
            "referee.v1.PlayRequest", PlayRequest.parser(),
            "referee.v1.PlayResponse", PlayResponse.parser(),
            "referee.v1.GetServerInfoResponse", GetServerInfoResponse.parser());

    @Test
    void messagesAreReadAndWritten() throws InvalidProtocolBufferException {
        List<JsonObject> messages = Vectors.objects(Vectors.read("messages.json"), "messages");
        assertFalse(messages.isEmpty());
        for (JsonObject one : messages) {
            String name = Vectors.text(one, "name");
            Parser<? extends Message> parser = PARSERS.get(Vectors.text(one, "type"));
            ByteString bytes = Vectors.bytes(one, "bytes");
            Message known = DiscardUnknownFieldsParser.wrap(parser).parseFrom(bytes);
            assertEquals(Vectors.bytes(one, "known"), known.toByteString(), name);
            assertEquals(one.get("json"), JsonParser.parseString(JsonFormat.printer().print(known)), name);
            if (parser.parseFrom(bytes) instanceof PlayResponse response) {
                assertReceived(response);
            }
        }
    }

    /** Whatever a server says in the shape of the contract, it is followed or left for lost, and never a fault here. */
    private static void assertReceived(PlayResponse response) {
        for (PlayResponseItem item : response.getItemsList()) {
            try {
                follower(item.getTableId()).receive(item);
            } catch (StreamLostException | BrokenStreamException alone) {
                // an item on its own has no beginning
            }
        }
    }

    @Test
    void decisionsTellWhatTheSeatKnows() throws InvalidProtocolBufferException, StreamLostException {
        List<JsonObject> hands = Vectors.objects(Vectors.read("views.json"), "hands");
        int decisions = 0;
        for (JsonObject hand : hands) {
            List<PlayResponseItem> items = new ArrayList<>();
            items.add(PlayResponseItem.parseFrom(Vectors.bytes(hand, "snapshot")));
            for (ByteString item : Vectors.bytesList(hand, "items")) {
                items.add(PlayResponseItem.parseFrom(item));
            }
            for (JsonObject asked : Vectors.objects(hand, "decisions")) {
                int after = 1 + asked.get("after_items").getAsInt();
                Follower follower = fed(items.subList(0, after));
                List<Outcome> outcomes =
                        follower.receive(PlayResponseItem.parseFrom(Vectors.bytes(asked, "item")));
                assertEquals(1, outcomes.size());
                assertEquals(asked.get("view"), viewOf(((Outcome.Ask) outcomes.get(0)).decision()));
                decisions++;
            }
            Follower follower = fed(items);
            for (JsonObject left : Vectors.objects(hand, "stacks_after")) {
                assertEquals(
                        left.get("stack").getAsLong(),
                        follower.view().stackOf(left.get("seat").getAsInt()));
            }
        }
        assertFalse(decisions < 40, "few decisions: " + decisions);
    }

    private static Follower fed(List<PlayResponseItem> items) throws StreamLostException {
        Follower follower = follower(items.get(0).getTableId());
        for (PlayResponseItem item : items) {
            follower.receive(item);
        }
        return follower;
    }

    private static Follower follower(String tableId) {
        return new Follower(Seat.of(tableId, "token"), PlayOptions.USUAL, System::nanoTime, new RequestIds());
    }

    private static JsonObject viewOf(Decision decision) {
        return Json.object(
                "street", decision.street(),
                "hole", Cards.texts(decision.hole()),
                "discarded", Cards.texts(decision.discarded()),
                "board", Cards.texts(decision.board()),
                "joined", Cards.texts(decision.joined()),
                "pot", decision.pot(),
                "level", decision.level(),
                "to_call", decision.toCall(),
                "must_discard", decision.mustDiscard(),
                "button_seat", decision.buttonSeat(),
                "small_blind_seat", decision.smallBlindSeat(),
                "big_blind_seat", decision.bigBlindSeat(),
                "acts_last", decision.actsLast(),
                "legal", legalOf(decision.legal()),
                "players", decision.players().stream().map(MessageVectorsTest::playerOf).toList());
    }

    private static JsonObject legalOf(LegalOptions legal) {
        return Json.object(
                "seat", legal.seat(),
                "decision_id", legal.decisionId(),
                "can_fold", legal.fold(),
                "can_check", legal.check(),
                "amount_to_call", legal.call(),
                "wager", legal.mayWager() ? legal.wager().name() : "NONE",
                "min_raise_to", legal.minTo(),
                "max_raise_to", legal.maxTo(),
                "raise_step", legal.mayWager() ? legal.step() : 0,
                "cards_to_discard", legal.discard(),
                "held_cards", Cards.texts(legal.held()));
    }

    private static JsonObject playerOf(PlayerView player) {
        return Json.object(
                "seat", player.seat(),
                "name", player.name(),
                "stack", player.stack(),
                "bet", player.bet(),
                "put_in", player.putIn(),
                "live", player.live(),
                "all_in", player.allIn(),
                "discarded", player.discarded(),
                "shown", Cards.texts(player.shown()));
    }
}

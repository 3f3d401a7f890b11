package referee.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.gson.JsonObject;
import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import referee.client.deals.CommittedDeck;
import referee.client.deals.Deal;
import referee.client.deals.DealException;
import referee.client.deals.FairDecks;
import referee.client.deals.MatchSeeds;
import referee.client.deals.Opening;
import referee.client.deals.SeatSeed;

/** Runs the vectors that all SDKs share. */
class VectorsTest {
    /** What is run here; strategy.json is run by the example bot's tests. */
    private static final Set<String> RUN = Set.of(
            "cards.json",
            "checkpoints.json",
            "deals.json",
            "kozel_deals.json",
            "legal.json",
            "merkle.json",
            "messages.json",
            "views.json");

    private static final Set<String> RUN_ELSEWHERE = Set.of("strategy.json");

    @Test
    void everyFileIsRun() {
        Set<String> forgotten = new TreeSet<>(Vectors.files());
        forgotten.removeAll(RUN);
        forgotten.removeAll(RUN_ELSEWHERE);
        assertEquals(Set.of(), forgotten);
    }

    // --- cards ------------------------------------------------------------------------------------------

    @Test
    void cardsAreReadAndWritten() {
        JsonObject vectors = Vectors.read("cards.json");
        assertEquals(Vectors.text(vectors, "ranks"), Cards.RANKS);
        assertEquals(Vectors.text(vectors, "suits"), Cards.SUITS);
        assertEquals(52, Vectors.objects(vectors, "cards").size());
        for (JsonObject one : Vectors.objects(vectors, "cards")) {
            int card = one.get("card").getAsInt();
            assertEquals(card, Cards.parse(Vectors.text(one, "text")));
            assertEquals(Vectors.text(one, "text"), Cards.text(card));
            assertEquals(one.get("rank").getAsInt(), Cards.rank(card));
            assertEquals(one.get("suit").getAsInt(), Cards.suit(card));
        }
        JsonObject unknown = vectors.getAsJsonObject("unknown");
        assertEquals(unknown.get("card").getAsInt(), Cards.parse(Vectors.text(unknown, "text")));
        for (String bad : Vectors.texts(vectors, "bad")) {
            assertThrows(IllegalArgumentException.class, () -> Cards.parse(bad), bad);
        }
        for (JsonObject row : Vectors.objects(vectors, "rows")) {
            assertEquals(Vectors.ints(row, "cards"), Cards.parseAll(Vectors.text(row, "text")));
            assertEquals(Vectors.text(row, "written"), Cards.text(Vectors.ints(row, "cards")));
        }
        for (String bad : Vectors.texts(vectors, "bad_rows")) {
            assertThrows(IllegalArgumentException.class, () -> Cards.parseAll(bad), bad);
        }
    }

    // --- deals ------------------------------------------------------------------------------------------

    @Test
    void seedsAreCommittedToAndMakeTheMatchSeed() throws DealException {
        List<JsonObject> matches = Vectors.objects(Vectors.read("deals.json"), "matches");
        assertFalse(matches.isEmpty());
        for (JsonObject match : matches) {
            String name = Vectors.text(match, "match");
            JsonObject referee = match.getAsJsonObject("referee");
            ByteString refereeSeed = Vectors.bytes(referee, "seed");
            ByteString refereeCommitment = Vectors.bytes(referee, "commitment");
            assertEquals(refereeCommitment, MatchSeeds.commitReferee(name, refereeSeed));
            List<SeatSeed> seats = new ArrayList<>();
            for (JsonObject one : Vectors.objects(match, "seats")) {
                SeatSeed seat = new SeatSeed(
                        one.get("seat").getAsInt(), Vectors.bytes(one, "commitment"), Vectors.bytes(one, "seed"));
                assertEquals(Vectors.bytes(one, "counted"), seat.counted());
                if (!seat.seed().isEmpty()) {
                    assertEquals(
                            seat.commitment(),
                            MatchSeeds.commitSeat(name, seat.seat(), seat.seed(), refereeCommitment));
                }
                seats.add(seat);
            }
            MatchSeeds seeds = new MatchSeeds(name, refereeSeed, seats);
            seeds.check(refereeCommitment);
            assertEquals(Vectors.bytes(match, "match_seed"), seeds.matchSeed());
        }
    }

    @Test
    void decksFollowFromTheMatchSeed() throws DealException {
        int decks = 0;
        for (JsonObject match : Vectors.objects(Vectors.read("deals.json"), "matches")) {
            List<Integer> seats = Vectors.objects(match, "seats").stream()
                    .map(seat -> seat.get("seat").getAsInt())
                    .toList();
            FairDecks cards = decks(match, FairDecks.CARDS);
            assertEquals(match.get("first_button").getAsInt(), cards.firstButton(seats));
            for (JsonObject deal : Vectors.objects(match, "deals")) {
                CommittedDeck deck = committed(match, deal);
                assertEquals(Vectors.ints(deal, "deck"), deck.deck());
                if (deck.deck().size() == FairDecks.CARDS) {
                    assertEquals(Vectors.text(deal, "written"), Cards.text(deck.deck()));
                }
                assertEquals(Vectors.text(deal, "salts"), hex(deck.salts()));
                assertEquals(Vectors.bytes(deal, "root"), deck.root());
                decks++;
            }
        }
        assertFalse(decks < 10, "few decks: " + decks);
    }

    /** Decks of tiles and deals that were made anew (KOZ-2); who leads is Kozel's affair, which is not played here. */
    @Test
    void decksOfTilesFollowFromTheMatchSeed() throws DealException {
        List<String> tiles = new ArrayList<>();
        for (int low = 0; low <= 6; low++) {
            for (int high = low; high <= 6; high++) {
                tiles.add(high + "-" + low);
            }
        }
        int redeals = 0;
        for (JsonObject match : Vectors.objects(Vectors.read("kozel_deals.json"), "matches")) {
            FairDecks decks = decks(match, tiles.size());
            for (JsonObject round : Vectors.objects(match, "rounds")) {
                List<String> written = Vectors.texts(round, "decks");
                for (int redeal = 0; redeal < written.size(); redeal++) {
                    CommittedDeck deck = decks.committed(
                            round.get("block").getAsLong(), round.get("hand").getAsLong(), redeal);
                    assertEquals(
                            written.get(redeal), String.join(" ", deck.deck().stream().map(tiles::get).toList()));
                    assertEquals(Vectors.bytesList(round, "roots").get(redeal), deck.root());
                    redeals += redeal;
                }
            }
        }
        assertFalse(redeals == 0, "no deal was made anew");
    }

    @Test
    void openingsFitTheirRootsAndNothingElseDoes() throws DealException {
        for (JsonObject match : Vectors.objects(Vectors.read("deals.json"), "matches")) {
            for (JsonObject deal : Vectors.objects(match, "deals")) {
                CommittedDeck deck = committed(match, deal);
                for (JsonObject one : Vectors.objects(deal, "openings")) {
                    Opening opening = new Opening(
                            one.get("position").getAsInt(),
                            one.get("item").getAsInt(),
                            Vectors.bytes(one, "salt"),
                            Vectors.bytesList(one, "path"));
                    assertEquals(opening, deck.open(opening.position()));
                    opening.verify(deck.deal(), deck.root());
                    assertRefused(deck, withItem(opening, (opening.item() + 1) % deck.deal().items()));
                    assertRefused(deck, withoutAHash(opening));
                    Deal other = new Deal(
                            deck.deal().match(), deck.deal().items(), deck.deal().block(), deck.deal().hand() ^ 1, 0);
                    assertThrows(DealException.class, () -> opening.verify(other, deck.root()));
                }
            }
        }
    }

    private static Opening withItem(Opening opening, int item) {
        return new Opening(opening.position(), item, opening.salt(), opening.path());
    }

    private static Opening withoutAHash(Opening opening) {
        List<ByteString> path = opening.path().subList(1, opening.path().size());
        return new Opening(opening.position(), opening.item(), opening.salt(), path);
    }

    private static void assertRefused(CommittedDeck deck, Opening opening) {
        assertThrows(DealException.class, () -> opening.verify(deck.deal(), deck.root()));
    }

    private static FairDecks decks(JsonObject match, int items) throws DealException {
        return new FairDecks(Vectors.text(match, "match"), Vectors.bytes(match, "match_seed"), items);
    }

    private static CommittedDeck committed(JsonObject match, JsonObject deal) throws DealException {
        return decks(match, deal.get("items").getAsInt())
                .committed(
                        deal.get("block").getAsLong(), deal.get("hand").getAsLong(), deal.get("redeal").getAsLong());
    }

    private static String hex(List<ByteString> some) {
        return HexFormat.of().formatHex(ByteString.copyFrom(some).toByteArray());
    }
}

package referee

import (
	"bytes"
	"fmt"
	"slices"

	"irish.example/referee/deals"
	pb "irish.example/referee/refereepb"
)

// pokerGame is hand after hand of poker.
type pokerGame struct {
	tableID  string
	options  *Options
	rules    *tableRules
	view     *HandView
	deckRoot []byte

	open     LegalOptions
	refusal  *Ruling
	decision *Decision
}

func newPokerGame(config *pb.TableConfig, tableID string, options *Options) (game, error) {
	rules, err := tableRulesOf(config)
	if err != nil {
		return nil, err
	}
	return &pokerGame{tableID: tableID, options: options, rules: rules}, nil
}

func (g *pokerGame) hand() handUnderWay {
	if g.view == nil {
		return handUnderWay{}
	}
	return handUnderWay{g.view.Number, g.view.HandID(), g.view.Seat, g.view.over}
}

func (g *pokerGame) begin(number int64, began *pb.HandBegan, names map[int]string, matchName string) error {
	setup, err := g.rules.setup(began)
	if err != nil {
		return err
	}
	g.view = newHandView(setup, number, g.tableID, matchName, names)
	g.deckRoot = began.GetDeckRoot()
	return nil
}

func (g *pokerGame) fold(seen *pb.SeenEvent) (bool, error) {
	event, isKnown, err := eventOf(seen.GetHandEvent())
	if err != nil || !isKnown {
		return false, err
	}
	return event.Kind == HandEnded, g.view.fold(event)
}

func (g *pokerGame) decisionID(message *pb.Decision) int {
	return int(message.GetLegal().GetDecisionId())
}

func (g *pokerGame) legal(message *pb.Decision, isNew bool) error {
	legal, err := optionsOf(message.GetLegal())
	if err != nil {
		return err
	}
	g.open = legal
	if isNew {
		g.refusal = nil
	}
	return nil
}

func (g *pokerGame) question(hasClock bool, remainingMs int64) (question, error) {
	decision, err := g.view.decision(g.open, hasClock, remainingMs, g.refusal)
	g.decision = decision
	return decision, err
}

func (g *pokerGame) accepted(message *pb.Answered) bool { return message.GetRuling().GetAccepted() }

func (g *pokerGame) refused(message *pb.Answered) (*refusal, error) {
	if message.GetRuling().GetReason() == pb.Reason_REASON_UNSPECIFIED && message.GetRuling().GetLegal() == nil {
		return nil, nil
	}
	ruling, err := rulingOf(message.GetRuling())
	if err != nil {
		return nil, err
	}
	if g.options.OnRefused != nil {
		g.options.OnRefused(g.decision, ruling)
	}
	g.refusal = ruling
	told := &refusal{isKnown: ruling.Reason.IsKnown()}
	if ruling.Options != nil {
		g.open, told.newDecision = *ruling.Options, ruling.Options.DecisionID
	}
	return told, nil
}

func (g *pokerGame) instead() answer { return g.decision.CheckOrFold() }

func (g *pokerGame) over(played *Played) answer {
	if g.view.Seat != 0 {
		played.Net += g.view.Net(g.view.Seat)
	}
	if g.options.OnHandOver == nil {
		return nil
	}
	if shows := g.options.OnHandOver(g.view); shows != nil {
		return *shows
	}
	return nil
}

func (g *pokerGame) deckItems() int { return deals.CardItems }

func (g *pokerGame) dealt() seenDeal {
	if len(g.deckRoot) == 0 {
		return nil
	}
	dealt := &dealtHand{g.view.Number, g.deckRoot, g.view.setup, map[int][]Card{}, g.view.board}
	for place, player := range g.view.players {
		if len(player.hole) > 0 && !slices.Contains(player.hole, Unknown) {
			dealt.holes[place] = player.hole
		}
	}
	return dealt
}

// dealtHand is what a seat saw of a hand's cards, and the root that was published before it.
type dealtHand struct {
	number   int64
	deckRoot []byte
	setup    *handSetup
	holes    map[int][]Card
	board    []Card
}

func (d *dealtHand) check(decks *deals.Decks) error {
	committed, err := decks.Deck(0, d.number, 0)
	if err != nil {
		return err
	}
	if !bytes.Equal(committed.Root[:], d.deckRoot) {
		return fmt.Errorf("hand %d: the deck is not the one that was committed to before it", d.number)
	}
	deck := make([]Card, len(committed.Deck))
	for at, item := range committed.Deck {
		deck[at] = Card(item)
	}
	for place, cards := range d.holes {
		if right := d.setup.holeOf(deck, place); !slices.Equal(cards, right) {
			return fmt.Errorf("hand %d: seat %d was dealt %s, not %s",
				d.number, d.setup.seats[place], CardsText(cards), CardsText(right))
		}
	}
	board := d.setup.boardOf(deck)
	if right := board[:min(len(d.board), len(board))]; !slices.Equal(d.board, right) {
		return fmt.Errorf("hand %d: the board was %s, not %s", d.number, CardsText(d.board), CardsText(right))
	}
	return nil
}

package referee

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"irish.example/referee/deals"
	pb "irish.example/referee/refereepb"
)

// game is a game as one seat plays it at one table: the hand under way as the seat sees it, and the game's own messages.
// Connections, cursors, answers and refusals are the same in every game. Of the open decision it keeps what is legal, the
// last refusal and what the bot was asked.
type game interface {
	// hand is the hand under way or the last one; its number is 0 before the first.
	hand() handUnderWay
	// begin takes the beginning of a hand.
	begin(number int64, began *pb.HandBegan, names map[int]string, matchName string) error
	// fold takes an event and says whether the hand has ended with it. Kinds that are not known are passed over.
	fold(seen *pb.SeenEvent) (isOver bool, err error)
	// decisionID is the id of a decision; legal keeps what is legal at it, of a new one or of the same one told again.
	decisionID(message *pb.Decision) int
	legal(message *pb.Decision, isNew bool) error
	// question is what the bot is to be asked now.
	question(hasClock bool, remainingMs int64) (question, error)
	// accepted says whether an answer was accepted, refused what is to be known of a refusal; nil where it is none,
	// because the table takes no answers now.
	accepted(message *pb.Answered) bool
	refused(message *pb.Answered) (*refusal, error)
	// instead is what is answered for a bot that was refused too often.
	instead() answer
	// over enters a hand that is over; what it returns, if anything, is proposed then.
	over(played *Played) answer
	// dealt is what is to be checked of the hand that is over; nil where the host gave the decks.
	dealt() seenDeal
	// deckItems is how many cards or tiles a deck has.
	deckItems() int
}

// handUnderWay is what every game says of a hand. seat is 0 before it is told.
type handUnderWay struct {
	number int64
	id     string
	seat   int
	isOver bool
}

// question is a decision that a bot is asked: a *Decision or a *KozelDecision.
type question interface{ handNumber() int64 }

// answer is a whole proposal.
type answer interface {
	propose(requestID string) *pb.Propose
}

// refusal is what every game says of one. newDecision is the id of the decision that is open now, 0 where none was told.
type refusal struct {
	isKnown     bool
	newDecision int
}

// seenDeal is what a seat saw of a hand's cards or tiles, and what was published before it.
type seenDeal interface {
	check(decks *deals.Decks) error
}

// gameOf is the game that a table plays.
func gameOf(config *pb.TableConfig, tableID string, options *Options) (game, error) {
	_, isOwn := config.GetRules().(*pb.TableConfig_KozelRuleSet)
	if isOwn || strings.HasPrefix(config.GetRuleSetName(), kozelNames) {
		return newKozelGame(config, tableID, options)
	}
	return newPokerGame(config, tableID, options)
}

// Bots are a bot for each game that a table may play; one that is nil plays no table of its game.
type Bots struct {
	Poker Bot
	Kozel KozelBot
}

func (b Bots) answer(ctx context.Context, asked question) (answer, error) {
	switch decision := asked.(type) {
	case *Decision:
		if b.Poker == nil {
			return nil, fmt.Errorf("table %s plays poker, for which there is no bot", decision.TableID)
		}
		proposal, err := b.Poker(ctx, decision)
		if err != nil {
			return nil, err
		}
		if proposal.Kind == 0 {
			return nil, errors.New("a bot answers with a proposal, such as decision.CheckOrCall()")
		}
		return decision.completed(proposal), nil
	case *KozelDecision:
		if b.Kozel == nil {
			return nil, fmt.Errorf("table %s plays Kozel, for which there is no bot", decision.TableID)
		}
		proposal, err := b.Kozel(ctx, decision)
		if err != nil {
			return nil, err
		}
		if proposal == (KozelProposal{}) {
			return nil, errors.New("a bot of Kozel answers with a proposal, such as decision.Lay(move)")
		}
		return decision.completed(proposal), nil
	}
	panic("there is no third game")
}

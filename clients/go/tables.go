package referee

import (
	"context"
	"crypto/rand"
	"encoding/hex"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"irish.example/referee/deals"
	"irish.example/referee/merkle"
	pb "irish.example/referee/refereepb"
)

// Seat is a seat that was taken. Its token proves it and is a secret.
type Seat struct {
	TableID string
	Token   string
	// Number is 0 where it is not known.
	Number int
	// Seed is the seat's own share of the deals, a secret until it is revealed; empty for a seat that committed to none.
	Seed []byte

	// since is the hand under way when the seat was taken: play begins there, so that nothing is missed in between.
	since *int64
}

// SeatRequest is how to take a seat. Only Name is needed.
type SeatRequest struct {
	Name string
	// Number is which seat; 0 takes the first free one.
	Number int
	// ShowWhenBeaten is the preset that shows a beaten hand (SHOW-2).
	ShowWhenBeaten bool
	// Posts has the seat come in as soon as it may at a table that is playing, instead of waiting for the big blind
	// (SEAT-2).
	Posts bool
	// Seed has 32 bytes; by default they are drawn here. WithoutSeed takes no part in the deals.
	Seed        []byte
	WithoutSeed bool
	Backoff     Backoff
}

// TakeSeat takes a seat. Its token is told this once; keep it to come back.
//
// Before the first hand the seat also commits to a seed of its own (referee-deal/1), so that nobody else can have chosen
// the cards; playing reveals it in time. What the server will not do is the gRPC error of the call.
func TakeSeat(ctx context.Context, server Server, tableID string, how SeatRequest) (Seat, error) {
	table, err := GetTable(ctx, server, tableID, how.Backoff)
	if err != nil {
		return Seat{}, err
	}
	seed := how.Seed
	if len(seed) == 0 && !how.WithoutSeed {
		seed = make([]byte, deals.SeedBytes)
		rand.Read(seed) // never fails
	}
	commits := len(seed) > 0 && !how.WithoutSeed && table.GetHand() == 0
	request := &pb.TakeSeatRequest{
		RequestId:      freshID(),
		TableId:        tableID,
		Seat:           int32(how.Number),
		Name:           how.Name,
		ShowWhenBeaten: how.ShowWhenBeaten,
		CommitsSeed:    commits,
		Posts:          how.Posts,
	}
	taken, err := call(ctx, server, how.Backoff, pb.NewTableServiceClient, pb.TableServiceClient.TakeSeat, request)
	if err != nil {
		return Seat{}, err
	}
	since := table.GetHand()
	seat := Seat{TableID: tableID, Token: taken.GetSeatToken(), Number: int(taken.GetSeat()), since: &since}
	if !commits {
		return seat, nil
	}
	commitment, err := deals.CommitSeat(table.GetMatchName(), seat.Number, seed, table.GetDealCommitment())
	if err != nil {
		return Seat{}, err
	}
	commit := &pb.CommitSeedRequest{TableId: tableID, SeatToken: seat.Token, Commitment: commitment}
	_, err = call(ctx, server, how.Backoff, pb.NewTableServiceClient, pb.TableServiceClient.CommitSeed, commit)
	if err == nil {
		seat.Seed = seed
	}
	return seat, unlessRefused(err) // too late for a seed: the seat plays without one
}

// LeaveSeat leaves a seat after the hand under way; until then its decisions are answered as if out of time. A seat or
// a table that is gone already is left.
func LeaveSeat(ctx context.Context, server Server, seat Seat, backoff Backoff) error {
	request := &pb.LeaveSeatRequest{RequestId: freshID(), TableId: seat.TableID, SeatToken: seat.Token}
	_, err := call(ctx, server, backoff, pb.NewTableServiceClient, pb.TableServiceClient.LeaveSeat, request)
	return unlessRefused(err)
}

// SitOut keeps the seat, which is dealt in no more from the next hand on; blinds that pass it are owed (SEAT-3, SEAT-5).
func SitOut(ctx context.Context, server Server, seat Seat, backoff Backoff) error {
	request := &pb.SitOutRequest{RequestId: freshID(), TableId: seat.TableID, SeatToken: seat.Token}
	_, err := call(ctx, server, backoff, pb.NewTableServiceClient, pb.TableServiceClient.SitOut, request)
	return err
}

// SitIn plays again. Where the seat owes blinds or is new it waits for the big blind, or posts as soon as it may.
func SitIn(ctx context.Context, server Server, seat Seat, posts bool, backoff Backoff) error {
	request := &pb.SitInRequest{RequestId: freshID(), TableId: seat.TableID, SeatToken: seat.Token, Posts: posts}
	_, err := call(ctx, server, backoff, pb.NewTableServiceClient, pb.TableServiceClient.SitIn, request)
	return err
}

// TopUp has the stack filled up to so many chips before the next hand, if it then has fewer; 0 takes that back.
func TopUp(ctx context.Context, server Server, seat Seat, to int64, backoff Backoff) error {
	request := &pb.TopUpRequest{RequestId: freshID(), TableId: seat.TableID, SeatToken: seat.Token, To: to}
	_, err := call(ctx, server, backoff, pb.NewTableServiceClient, pb.TableServiceClient.TopUp, request)
	return err
}

// GetTable returns how a table stands, as anybody may see it.
func GetTable(ctx context.Context, server Server, tableID string, backoff Backoff) (*pb.TableState, error) {
	request := &pb.GetTableRequest{TableId: tableID}
	response, err := call(ctx, server, backoff, pb.NewTableServiceClient, pb.TableServiceClient.GetTable, request)
	return response.GetTable(), err
}

// CreateTable opens a table and returns its id; token is the host's. The error is a *RuleSetError when the rules do not
// allow such a table.
func CreateTable(ctx context.Context, server Server, token string, config *pb.TableConfig) (string, error) {
	request := &pb.CreateTableRequest{RequestId: freshID(), Config: config}
	response, err := call(bearing(ctx, token), server, Backoff{}, pb.NewTableServiceClient, pb.TableServiceClient.CreateTable, request)
	if refused := response.GetRefused(); refused != nil {
		return "", &RuleSetError{refused.GetRule(), refused.GetMessage()}
	}
	return response.GetTableId(), err
}

// SealedPiece is a piece of a table's record, such as a hand, in the log of the server. Keep the newest: it makes its
// reader a witness. Checkpoint is a signed note for signedlog.VerifyCheckpoint.
type SealedPiece struct {
	Seal       []byte
	Index      int64
	Checkpoint []byte
}

// ProveInclusion asks for the proof that a piece of a table's record is in the log of this size; hand h is piece h. The
// proof is for signedlog.VerifyPiece.
func ProveInclusion(
	ctx context.Context, server Server, tableID string, piece, size int64,
) (sealed SealedPiece, proof []merkle.Hash, err error) {
	request := &pb.GetInclusionProofRequest{TableId: tableID, Piece: piece, Size: size}
	response, err := call(ctx, server, Backoff{}, pb.NewLogServiceClient, pb.LogServiceClient.GetInclusionProof, request)
	if err != nil {
		return SealedPiece{}, nil, err
	}
	proof, err = merkle.HashesOf(response.GetHashes())
	return SealedPiece{Seal: response.GetSeal(), Index: response.GetIndex()}, proof, err
}

// ProveConsistency asks for the proof that the log of size goes on from that of oldSize, for signedlog.CheckGrowth.
func ProveConsistency(ctx context.Context, server Server, oldSize, size int64) ([]merkle.Hash, error) {
	request := &pb.GetConsistencyProofRequest{OldSize: oldSize, Size: size}
	response, err := call(ctx, server, Backoff{}, pb.NewLogServiceClient, pb.LogServiceClient.GetConsistencyProof, request)
	if err != nil {
		return nil, err
	}
	return merkle.HashesOf(response.GetHashes())
}

func reveals(ctx context.Context, server Server, seat Seat, backoff Backoff) error {
	request := &pb.RevealSeedRequest{TableId: seat.TableID, SeatToken: seat.Token, Seed: seat.Seed}
	_, err := call(ctx, server, backoff, pb.NewTableServiceClient, pb.TableServiceClient.RevealSeed, request)
	return unlessRefused(err)
}

// unlessRefused passes over that a table does not allow a call any more, or does not know the seat any more.
func unlessRefused(err error) error {
	switch status.Code(err) {
	case codes.FailedPrecondition, codes.PermissionDenied:
		return nil
	}
	return err
}

func freshID() string {
	var random [16]byte
	rand.Read(random[:]) // never fails
	return hex.EncodeToString(random[:])
}

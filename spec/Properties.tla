----------------------------- MODULE Properties -----------------------------
(***************************************************************************)
(* What must be true of every hand.  The README says each of these in a    *)
(* sentence.  They are written, wherever possible, without the operators   *)
(* that the actions use, so that a fault in one shows against the other;   *)
(* mutants/ holds a faulty specification for each of them to reject.       *)
(***************************************************************************)
EXTENDS IrishHand

Phases == {"opening", "betting", "discarding", "between", "over"}
MostChips == MaxOf(StackChoices)     \* that any seat begins with
AllChips  == 0 .. (N * MostChips)

(* What a step does, seen from outside.                                    *)
SameRound == phase = "betting" /\ phase' = "betting"
Lifted    == SameRound /\ level' > level          \* a bet or raise was made
ShownSet  == {shown[n] : n \in 1..Len(shown)}
AtShowdown == phase = "over" /\ Several(live)

-----------------------------------------------------------------------------
(* State and chips.                                                        *)

TypeOK ==
  /\ phase \in Phases /\ street \in 0..River
  /\ start \in Starts
  /\ \A f \in {stack, total, bet, won} : \A i \in Seats : f[i] \in AllChips
  /\ dead \in AllChips /\ rake \in AllChips
  /\ live \subseteq Seats /\ live # {} /\ acted \subseteq live
  /\ held \in [Seats -> 0..HoleCards]
  /\ lifts \in [0..River -> Seats \cup {None}]
  /\ last \in Seats \cup {None}
  /\ level \in Nat /\ increment \in Nat /\ base \in Nat /\ wagers \in Nat
  /\ startedWith \in 0..N
  /\ rank \in [Seats -> 0..N] /\ shown \in Seq(Seats) /\ mucked \subseteq live

ChipsConserved ==                                                \* POT-7
  Sum(stack, Seats) + rake + (IF phase = "over" THEN 0 ELSE Sum(total, Seats) + dead)
    = Sum(start, Seats)

WholeUnits ==                                                    \* chip_unit
  \A f \in {stack, total, bet, won} : \A i \in Seats : f[i] % ChipUnit = 0

-----------------------------------------------------------------------------
(* Decisions.                                                              *)

Deciding == {i \in Seats : Options(i).open}

OneDecisionAtATime ==
  /\ phase = "betting"    => Cardinality(Deciding) <= 1
  /\ phase = "discarding" /\ Several(live)
       => Deciding = {i \in live : held[i] = HoleCards}
  /\ phase \notin {"betting", "discarding"} \/ ~Several(live) => Deciding = {}
  /\ \A i \in Deciding : i \in live /\ (phase = "betting" => stack[i] > 0)

(* Every proposal that could be made, sensible or not.                     *)
Proposals ==
  [kind : {"fold", "check", "call", "timeout", "forfeit"}]
    \cup [kind : {"bet", "raise"}, to : 0 .. (MostChips + 1)]
    \cup [kind : {"discard"}, cards : 0..HoleCards, different : BOOLEAN, held : BOOLEAN]

(* What an offer o of the referee says of a proposal...                    *)
Offered(o, p) ==
  LET inRange == o.least <= p.to /\ p.to <= o.most /\ p.to % ChipUnit = 0 /\ o.most > 0
  IN  /\ o.open
      /\ CASE p.kind = "fold"    -> o.fold
           [] p.kind = "check"   -> o.check
           [] p.kind = "call"    -> o.call > 0
           [] p.kind = "bet"     -> inRange /\ level = 0
           [] p.kind = "raise"   -> inRange /\ level > 0
           [] p.kind = "discard" -> o.discard > 0 /\ p.cards = o.discard
                                    /\ p.different /\ p.held
           [] p.kind = "timeout" -> TRUE
           [] p.kind = "forfeit" -> Forfeits
(* ... and what the rules do with it.                                      *)
Taken(i, p) ==
  CASE p.kind = "fold"    -> Folded(i)
    [] p.kind = "check"   -> Checked(i)
    [] p.kind = "call"    -> Called(i)
    [] p.kind = "bet"     -> BetTo(i, p.to)
    [] p.kind = "raise"   -> RaiseTo(i, p.to)
    [] p.kind = "discard" -> DiscardOf(i, p.cards, p.different, p.held)
    [] p.kind = "timeout" -> TimedOut(i)
    [] p.kind = "forfeit" -> Forfeited(i)

OptionsAreActions ==                                             \* BET-2, BET-8
  \A i \in Seats : LET o == Options(i) IN
    \A p \in Proposals : Offered(o, p) <=> ENABLED Taken(i, p)

(* Whatever changes was proposed by a seat to which it was offered, or is  *)
(* forced, or is a voluntary showing after the end.                        *)
OnlyOffersChangeAnything ==                                      \* BET-8, BET-9
  [][\/ \E i \in Deciding : LET o == Options(i) IN
            \E p \in Proposals : Offered(o, p) /\ Taken(i, p)
     \/ Deciding = {} /\ (Forced \/ \E i \in Seats : HandShown(i))]_vars

(* In a betting round nobody's chips, cards or place in the hand change    *)
(* but those of the seat to act.                                           *)
OnlyTheSeatToActActs ==                                          \* BET-1
  [][SameRound => \A j \in Seats \ {Turn} :
       stack'[j] = stack[j] /\ bet'[j] = bet[j] /\ held'[j] = held[j]
       /\ (j \in live' <=> j \in live) /\ (j \in acted' <=> j \in acted)]_vars

(* An all-in seat never loses its hand, by time or otherwise.              *)
AllInStaysIn ==                                                  \* TIME-2, DISC-8
  [][\A i \in live : stack[i] = 0 => i \in live']_vars

(* Nobody gives up the last claim to a pot, but by a forfeit ahead of      *)
(* short blinds, where a live post is ahead of everybody: then its chips   *)
(* join the pot below (POT-3), unmatched.                                  *)
Abandons == Forfeits /\ LivePosts # {}
PotsKeepAnOwner ==                                               \* BET-3, DISC-8
  ~Abandons => \A i \in Seats \ live : \E j \in live : total[j] >= total[i]

(* While OpenFold = "REFUSE", folds happen only when something is owed, or *)
(* are forfeits.                                                           *)
NoOpenFold ==                                                    \* BET-3, TIME-4
  [][OpenFold = "REFUSE" /\ SameRound /\ live' # live
       => bet[Turn] < level \/ Forfeited(Turn)]_vars

-----------------------------------------------------------------------------
(* Betting rounds.                                                         *)

Matched ==
  \/ Cardinality(live) = 1
  \/ \A i \in live : stack[i] = 0
  \/ \E i \in live : /\ stack[i] > 0
                     /\ \A j \in live \ {i} : stack[j] = 0 /\ bet[j] <= bet[i]
  \/ /\ Cardinality({i \in live : stack[i] > 0}) >= 2
     /\ \A i \in live : stack[i] > 0 => i \in acted /\ bet[i] = level

RoundClosesWhenMatched ==                                        \* BET-4 to BET-7
  [][phase = "betting" => (phase' # "betting" <=> Matched)]_vars

EverybodyMatched ==        \* off the betting rounds nothing is owed (POT-2)
  phase \in {"between", "discarding"} =>
    \A i \in HasChips : \A j \in (IF Abandons THEN live ELSE Seats) : total[j] <= total[i]

UncalledIsReturned ==      \* and nothing else is: what stays in is matched (POT-2)
  [][phase = "betting" /\ phase' = "between" =>
       LET stays == [i \in Seats |-> bet[i] - (total[i] - total'[i])]
       IN  /\ \A i \in live : stays[i] > 0 => \E j \in Seats \ {i} : stays[j] >= stays[i]
           /\ \A i \in Seats : stays[i] # bet[i] =>
                i \in live /\ \E j \in Seats \ {i} : stays[j] = stays[i]]_vars

NoBettingAgainstNobody ==                                        \* BET-5, OPEN-4
  [][/\ Lifted => \E j \in live \ {Turn} : stack[j] > 0
     /\ phase # "betting" /\ phase' = "betting" /\ street' > 0
          => Cardinality({j \in live : stack[j] > 0}) >= 2]_vars

OnlyFullRaisesSetTheIncrement ==                                 \* SIZE-1, OPEN-3
  [][SameRound /\ increment' # increment =>
       increment' = level' - level /\ level' - level > increment]_vars

ShortAllInsNeverReopen ==                                        \* OPEN-1, OPEN-2
  phase = "betting" => \A i \in acted : MayLift(i) =>
    IF Limit = "FL" THEN 2 * (level - bet[i]) >= (IF street < 2 THEN BigBlind ELSE BigBet)
    ELSE level - bet[i] >= increment /\ level - bet[i] >= BigBlind

LiftsHaveALegalSize ==                                           \* SIZE-1 to SIZE-5
  [][Lifted =>
       LET to    == level'
           allIn == stack'[Turn] = 0
           one   == IF street < 2 THEN BigBlind ELSE BigBet
           least == IF street >= 2 /\ LateMinimum = "BIG_BET" THEN BigBet ELSE BigBlind
           inMiddle == Sum(start, Seats) - Sum(stack, Seats)
           call  == level - bet[Turn]
       IN  CASE Limit = "NL" -> to - level >= Max(increment, least) \/ allIn
             [] Limit = "PL" -> /\ to - level >= Max(increment, least) \/ allIn
                                /\ to - level <= inMiddle + call
                                     + (IF street = 0 THEN BlindsMissing ELSE 0)
             [] Limit = "FL" -> to - base = one \/ (allIn /\ to - base < one)]_vars

CapHolds ==                                                      \* SIZE-6, SIZE-7
  Limit = "FL" /\ phase = "betting" /\ (CapHeadsUp = "CAPPED" \/ startedWith > 2)
    => /\ level <= (1 + MaxRaises) * (IF street < 2 THEN BigBlind ELSE BigBet)
       /\ wagers <= 1 + MaxRaises
NothingLiftsTheCap ==                                            \* SIZE-6
  [][Lifted /\ Limit = "FL" /\ (CapHeadsUp = "CAPPED" \/ startedWith > 2)
       => wagers <= MaxRaises]_vars

WagersCount ==                                                   \* SIZE-8
  [][Lifted /\ Limit = "FL" =>
       LET one == IF street < 2 THEN BigBlind ELSE BigBet
       IN  IF 2 * (level' - base) >= one THEN base' = level' /\ wagers' = wagers + 1
           ELSE base' = base /\ wagers' = wagers]_vars

-----------------------------------------------------------------------------
(* Discards and cards.                                                     *)

PastDiscards == CASE DiscardPoint = "BEFORE_FLOP"         -> street >= 1
                  [] DiscardPoint = "BEFORE_FLOP_BETTING" ->
                       street >= 2 \/ (street = 1 /\ phase = "betting")
                  [] DiscardPoint = "AFTER_FLOP_BETTING"  -> street >= 2
                  [] OTHER -> TRUE

EveryLiveSeatDiscarded ==                                        \* DISC-1, DISC-2, DISC-4
  /\ phase # "opening" /\ PastDiscards => \A i \in live : held[i] = HoleCards - Discards
  /\ \A i \in Seats : held[i] \in {0, HoleCards, HoleCards - Discards}
  /\ phase # "opening" /\ street = 0 /\ DiscardPoint # "BEFORE_FLOP"
       => \A i \in Seats : held[i] = HoleCards

NothingMovesWhileADiscardIsOwed ==                               \* DISC-1
  [][phase = "discarding" /\ Cardinality(live') > 1
       /\ (\E i \in live : held[i] > HoleCards - Discards)
     => street' = street /\ stack' = stack /\ phase' = "discarding"]_vars

NothingExposedWhileADiscardIsOwed ==                             \* DISC-7
  Several(live) /\ shown # << >> => \A i \in live : held[i] = HoleCards - Discards

LoneSeatEndsTheHand ==                                           \* BET-7
  [][Cardinality(live) = 1 => street' = street /\ held' = held /\ mucked' = {}]_vars

-----------------------------------------------------------------------------
(* Settlement.                                                             *)

FinalPots == Pots(total, dead, live)
Matches(i) == Sum([j \in Seats |-> Min(total[i], total[j])], Seats)

EveryChipInOnePot ==                                             \* POT-1, POT-3
  phase \in {"between", "over"} =>
    /\ Sum([p \in FinalPots |-> p.amount], FinalPots) = Sum(total, Seats) + dead
    /\ \A p \in FinalPots : p.eligible # {} /\ p.eligible \subseteq live
    /\ \A p, q \in FinalPots : p # q => p.eligible # q.eligible

OnlyLiveSeatsWin == \A i \in Seats : won[i] > 0 => i \in live     \* POT-5

NobodyWinsMoreThanHeMatched ==                                   \* POT-1, BLIND-6
  phase = "over" /\ ~Abandons => \A i \in Seats : won[i] <= Matches(i) + dead

SoleBestHandWinsAllItMatched ==                                  \* POT-5
  phase = "over" => \A i \in live :
    (\A j \in live \ {i} : rank[j] < rank[i]) => won[i] >= Matches(i) + dead - rake

EqualClaimsDifferByOddChips ==                                   \* POT-5, POT-6
  AtShowdown => \A i, j \in live :
    i < j /\ rank[i] = rank[j] /\ total[i] = total[j]
      => won[j] <= won[i] /\ won[i] <= won[j] + ChipUnit * Cardinality(FinalPots)

SharesWithinOneUnit ==                                           \* POT-5, POT-6
  AtShowdown => \A p \in FinalPots :
    LET best == {i \in p.eligible : \A j \in p.eligible : rank[j] <= rank[i]}
        net  == p.amount - RakeOf(p, FinalPots, street > 0)
        of(i) == Share(i, net, best)
    IN  /\ Sum([i \in Seats |-> of(i)], Seats) = net
        /\ \A i \in Seats \ best : of(i) = 0
        /\ \A i, j \in best : i < j => of(i) - of(j) \in {0, ChipUnit}

RakeIsBounded ==                                                 \* POT-8
  /\ RakeBasisPoints = 0 => rake = 0
  /\ rake <= RakeCap
  /\ NoFlopNoDrop /\ street = 0 => rake = 0
  /\ rake * 10000 <= RakeBasisPoints * (Sum(total, Seats) + dead)
  /\ rake % ChipUnit = 0

-----------------------------------------------------------------------------
(* Showdown.                                                               *)

WinnersAreShown ==                                               \* SHOW-3
  AtShowdown => \A i \in Seats : won[i] > 0 => i \in ShownSet
EveryHandShownOrMucked ==                                        \* SHOW-2
  AtShowdown => ShownSet \cup mucked = live /\ ShownSet \cap mucked = {}
                /\ Len(shown) = Cardinality(ShownSet)
OnlyBeatenHandsAreMucked ==                                      \* SHOW-2
  AtShowdown => \A i \in mucked : \A p \in FinalPots :
    i \in p.eligible => \E j \in p.eligible \cap ShownSet : rank[j] > rank[i]
SomebodyIsAllIn == \E i \in live : total[i] + DeadPaid(i) = start[i]
AllHandsExposed ==                                               \* SHOW-4
  AtShowdown /\ (\/ AllInExposure = "SHOW_ALL"
                 \/ AllInExposure = "TABLE_ALL" /\ SomebodyIsAllIn) => mucked = {}
HandsTabledAtOnce ==                                             \* SHOW-4, DISC-7
  [][(/\ AllInExposure = "TABLE_ALL" /\ street' > street /\ SomebodyIsAllIn
      /\ Cardinality(HasChips) <= 1 /\ \A i \in live : held[i] = HoleCards - Discards)
        => ShownSet = live]_vars
AggressorShowsFirst ==                                           \* SHOW-1
  AtShowdown =>
    LET counting == IF ShowdownOrder = "WALK_BACK" THEN 0..River ELSE {River}
        deciding == {s \in counting : lifts[s] \in live /\
                       \A t \in counting : t > s => lifts[t] \notin live}
    IN  (AllInExposure = "TABLE_ALL" /\ SomebodyIsAllIn)
        \/ shown[1] = IF deciding = {} THEN MinOf(live)
                      ELSE lifts[CHOOSE s \in deciding : TRUE]
LastLifterIsLive ==                                              \* SHOW-1
  AtShowdown /\ DiscardTimeout = "AUTO" /\ OpenFold = "REFUSE" /\ ~Forfeits =>
    LET lifted == {s \in 0..River : lifts[s] # None}
    IN  lifted # {} => lifts[MaxOf(lifted)] \in live
LiftsAreRemembered ==                                            \* SHOW-1
  [][/\ Lifted => lifts' = [lifts EXCEPT ![street] = Turn]
     /\ ~Lifted => lifts' = lifts]_vars

-----------------------------------------------------------------------------
(* Every hand ends: each step lowers a natural number, and the referee     *)
(* alone, by what is forced and by its clock, brings the end about.        *)

StagesLeft ==                 \* changes of phase that may still come, at most
  LET beforeBetting == DiscardPoint = "BEFORE_FLOP_BETTING" /\ street = 1 /\ ~DiscardsDone
  IN  CASE phase = "over"    -> 0
        [] phase = "opening" -> 8 * (River + 1)
        [] OTHER -> 8 * (River - street)
             + (CASE phase = "between" /\ beforeBetting    -> 7
                  [] phase = "discarding" /\ beforeBetting -> 6
                  [] phase = "betting"                     -> 5
                  [] phase = "between" /\ DiscardsDue      -> 4
                  [] phase = "discarding"                  -> 3
                  [] OTHER -> IF shown = << >> THEN 2 ELSE 1)

StepsLeft ==                  \* within a phase
  CASE phase = "betting"    -> Sum(stack, Seats) * (2 * N + 1)
                               + Cardinality(live) + Cardinality(live \ acted)
    [] phase = "discarding" -> Cardinality({i \in live : held[i] = HoleCards})
    [] phase = "over"       -> Cardinality(live \ ShownSet)
    [] OTHER                -> 0
MostSteps == N * MostChips * (2 * N + 1) + 2 * N + 1

Measure == StagesLeft * MostSteps + StepsLeft
MeasureFalls ==                                                  \* BET-4 to BET-7
  [][Measure' >= 0 /\ StepsLeft' < MostSteps /\ Measure' < Measure]_vars
EveryHandEnds == <>(phase = "over")                              \* TIME-2, DISC-8
=============================================================================

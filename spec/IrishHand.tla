------------------------------ MODULE IrishHand ------------------------------
(***************************************************************************)
(* One hand of Irish poker, or of a relative of it, as its referee sees    *)
(* it: chips, turns, streets, the discard round, showdown and settlement.  *)
(*                                                                         *)
(* Cards are abstract.  Of a seat's hole cards only their number matters   *)
(* (held), and at the showdown any order of the live hands, ties included, *)
(* may turn out to be the true one (Showdown chooses it).                  *)
(*                                                                         *)
(* Ids such as SIZE-4 are rules of the rulebook.  An action is named after *)
(* the events that the referee records for it.  A refused proposal changes *)
(* nothing (BET-8, BET-9), so it is a stuttering step and is not written   *)
(* down; what is refused is whatever Options does not offer.               *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, Sequences

CONSTANTS
  N,                 \* seats dealt in, at least 2 (GAME-4)
  StackChoices,      \* every seat begins with one of these amounts
  Limit,             \* "NL", "PL" or "FL" (GAME-2)
  SmallBlind, BigBlind,  \* BLIND-1
  SmallBlindPosted,  \* FALSE: its seat is empty (SEAT-1, dead button)
  BigBet,            \* fixed bet of rounds 3 and 4 (SIZE-5), or SIZE-9's minimum
  ChipUnit,          \* smallest amount that changes hands
  AnteKind, Ante,    \* "NONE", "EACH" or "BIG_BLIND" (BLIND-5)
  LivePosts,         \* seats that post a live big blind (SEAT-2, SEAT-3)
  DeadPosts,         \* seats that post a dead small blind (SEAT-3, BLIND-6)
  HoleCards, Discards,   \* cards dealt to and discarded by a seat (GAME-3)
  DiscardPoint,      \* "NEVER", "BEFORE_FLOP", "BEFORE_FLOP_BETTING",
                     \* "AFTER_FLOP_BETTING" (GAME-3)
  DiscardTimeout,    \* "AUTO" or "FOLD" (DISC-8)
  OpenFold,          \* "REFUSE" or "ALLOW" (BET-3)
  MaxRaises,         \* fixed-limit raises a street after its bet (SIZE-6)
  CapHeadsUp,        \* "CAPPED" or "UNCAPPED" (SIZE-7)
  LateMinimum,       \* "BIG_BLIND" or "BIG_BET" (SIZE-9)
  ShowdownOrder,     \* "WALK_BACK" or "FINAL_ROUND" (SHOW-1)
  AllInExposure,     \* "ORDERED", "SHOW_ALL" or "TABLE_ALL" (SHOW-4)
  ShowWhenBeaten,    \* seats whose preset shows a beaten hand (SHOW-2)
  RakeBasisPoints, RakeCap, NoFlopNoDrop,   \* POT-8
  ShowsAfterEnd,     \* whether this model follows SHOW-2's and SHOW-7's
                     \* voluntary showing after the hand
  Forfeits           \* whether any decision may be one fault too many of a
                     \* seat that forfeits its hands by faults (TIME-4)

VARIABLES
  start,        \* chips of each seat before the hand; never changes
  phase,        \* "opening", "betting", "discarding", "between", "over"
  street,       \* 0 before the flop, 1 flop, 2 turn, 3 river
  stack,        \* chips that each seat still has behind
  total,        \* each seat's antes, blinds and wagers of the hand (POT-1)
  dead,         \* dead money (BLIND-6)
  live,         \* seats that have not folded
  held,         \* number of hole cards that each seat holds
  lifts,        \* per street, the last seat that lifted the level, or None
  \* The betting round.  At rest (see NoRound) while none is played.
  bet,          \* chips that each seat has in on this street
  acted,        \* seats that acted on this street and have not folded
  last,         \* the turn passes clockwise from this seat
  level,        \* the street total that must be matched
  increment,    \* least size of a full bet or raise (SIZE-1)
  base,         \* fixed-limit: level of the last wager that counted (SIZE-8)
  wagers,       \* fixed-limit: bets and raises that counted (SIZE-6)
  startedWith,  \* live seats when the street started (SIZE-7)
  \* The end of the hand.
  rank,         \* strength of each live hand, once a showdown compared them
  shown,        \* hands turned up, in order
  mucked,       \* seats that gave up a beaten hand unseen
  won,          \* what each seat was awarded
  rake          \* what the house took

roundVars == <<bet, acted, last, level, increment, base, wagers, startedWith>>
endVars   == <<rank, shown, mucked, won, rake>>
vars      == <<start, phase, street, stack, total, dead, live, held, lifts,
               roundVars, endVars>>

INSTANCE Settlement

None   == -1
Nobody == [i \in Seats |-> 0]
Kept   == HoleCards - Discards
River  == 3

-----------------------------------------------------------------------------
(* WHO SITS WHERE.  Heads-up the button (the last seat) has the small      *)
(* blind (BLIND-2); otherwise the blinds are the first two seats left of   *)
(* the button (BLIND-1).                                                   *)

SmallBlindSeat == IF N = 2 THEN 1 ELSE IF SmallBlindPosted THEN 0 ELSE None
BigBlindSeat   == IF N = 2 \/ ~SmallBlindPosted THEN 0 ELSE 1

(* How far clockwise from seat k seat i sits: 0 is the next seat.  From    *)
(* None it is counted from the button.                                     *)
Distance(k, i) == (i - k - 1 + N) % N
NextAfter(k, S) == CHOOSE i \in S : \A j \in S : Distance(k, i) <= Distance(k, j)

HasChips == {i \in live : stack[i] > 0}     \* the other live seats are all-in
Several(S) == Cardinality(S) > 1

-----------------------------------------------------------------------------
(* WHAT IS POSTED.  Nobody posts more than he has (BLIND-3).  Antes of     *)
(* EACH come before the blinds; a big-blind ante comes after the blind     *)
(* (BLIND-5), the dead part of a post after its live part (SEAT-3).        *)

AntePaid(i) == IF AnteKind = "EACH" THEN Min(Ante, start[i]) ELSE 0

BlindDue(i) == CASE i = BigBlindSeat   -> BigBlind
                 [] i = SmallBlindSeat -> SmallBlind
                 [] i \in LivePosts    -> BigBlind
                 [] OTHER              -> 0
BlindPaid(i) == Min(BlindDue(i), start[i] - AntePaid(i))

DeadDue(i) == (IF i \in DeadPosts THEN SmallBlind ELSE 0)
            + (IF AnteKind = "BIG_BLIND" /\ i = BigBlindSeat THEN Ante ELSE 0)
DeadPaid(i) == Min(DeadDue(i), start[i] - AntePaid(i) - BlindPaid(i))

(* SIZE-4.  What short or missing blinds (only they) lack.                 *)
BlindsMissing ==
  SmallBlind + BigBlind - BlindPaid(BigBlindSeat)
  - (IF SmallBlindSeat = None THEN 0 ELSE BlindPaid(SmallBlindSeat))

-----------------------------------------------------------------------------
(* WHOSE TURN IT IS.                                                       *)

(* BET-4, BET-5, BET-6.  The seats that still have a decision on this      *)
(* betting round: those with chips that have not acted or not matched the  *)
(* level.  A seat whose live opponents are all all-in is asked only if one *)
(* of them has more in on this street than it has.  A lone live seat is    *)
(* asked nothing (BET-7).                                                  *)
Asked ==
  CASE ~Several(live)    -> {}
    [] Several(HasChips) -> {i \in HasChips : i \notin acted \/ bet[i] < level}
    [] OTHER             -> {i \in HasChips : \E j \in live : bet[j] > bet[i]}

(* BET-1.  The first of them clockwise from whoever acted last; a round    *)
(* starts left of the big blind, later ones left of the button.            *)
Turn == IF phase = "betting" /\ Asked # {} THEN NextAfter(last, Asked) ELSE None

(* DISC-1, DISC-4.  Live seats that owe a discard, all-in seats too; a     *)
(* lone live seat owes nothing (BET-7).                                    *)
OwesDiscard(i) == /\ phase = "discarding" /\ Several(live)
                  /\ i \in live /\ held[i] > Kept

-----------------------------------------------------------------------------
(* HOW MUCH MAY BE WAGERED.  A wager names the street total it goes to.    *)

AllIn(i) == bet[i] + stack[i]
Owed(i)  == level - bet[i]
FixedBet == IF street < 2 THEN BigBlind ELSE BigBet                 \* SIZE-5

(* SIZE-1, SIZE-9.  The least bet of a street, which is also the first     *)
(* raise increment.                                                        *)
MinimumBet(s) == IF s >= 2 /\ LateMinimum = "BIG_BET" THEN BigBet ELSE BigBlind

(* SIZE-4.  Raising by the pot after calling; the pot is every chip in.    *)
ChipsIn == Sum(total, Seats) + dead
PotLimit(i) == level + ChipsIn + (IF street = 0 THEN BlindsMissing ELSE 0) + Owed(i)

(* SIZE-6, SIZE-7.  At the cap nothing may lift the level.                 *)
Capped == /\ Limit = "FL"
          /\ wagers >= 1 + MaxRaises
          /\ CapHeadsUp = "CAPPED" \/ startedWith > 2

(* OPEN-1, OPEN-2.  Who has acted may raise only if the level has risen    *)
(* enough since.  Who has acted and still has chips had matched the level  *)
(* then, so the rise is exactly what he owes now.                          *)
Reopened(i) == \/ i \notin acted
               \/ IF Limit = "FL" THEN 2 * Owed(i) >= FixedBet
                                  ELSE Owed(i) >= increment

MayLift(i) == /\ Several(HasChips)                                  \* OPEN-4
              /\ Reopened(i)
              /\ ~Capped

(* SIZE-1, SIZE-3: a full bet or raise.  SIZE-5, SIZE-8: in fixed-limit    *)
(* one bet above the last wager that counted, which may complete a short   *)
(* all-in.                                                                 *)
FullWager(to) == IF Limit = "FL" THEN to = base + FixedBet
                                 ELSE to >= level + increment
(* SIZE-2.  Less than that must be all the seat's chips.  BET-8: nothing   *)
(* is rounded.                                                             *)
MayLiftTo(i, to) ==
  /\ MayLift(i)
  /\ to % ChipUnit = 0
  /\ level < to /\ to <= AllIn(i)
  /\ FullWager(to) \/ (to = AllIn(i) /\ (Limit = "FL" => to < base + FixedBet))
  /\ Limit = "PL" => to <= PotLimit(i)

-----------------------------------------------------------------------------
(* WHAT THE REFEREE OFFERS.  The message that a seat with a decision gets; *)
(* whatever it does not offer is refused.  `least` and `most` bound the    *)
(* street total of a wager; both are 0 when none is legal.                 *)

NoWager == [least |-> 0, most |-> 0]
WagerRange(i) ==
  LET full == IF Limit = "FL" THEN base + FixedBet ELSE level + increment
      most == CASE Limit = "NL" -> AllIn(i)
                [] Limit = "PL" -> Min(AllIn(i), PotLimit(i))
                [] Limit = "FL" -> Min(AllIn(i), full)
  IN  IF ~MayLift(i) \/ AllIn(i) <= level THEN NoWager
      ELSE [least |-> Min(full, most), most |-> most]

(* BET-3.  Folding with nothing to match is tolerated if the rule set says *)
(* so, but never by the last seat left eligible for a pot.                 *)
MayFold(i) == \/ Owed(i) > 0
              \/ OpenFold = "ALLOW" /\ ~SoleContender(i, total, live)

NoDecision == [open |-> FALSE, fold |-> FALSE, check |-> FALSE, call |-> 0,
               least |-> 0, most |-> 0, discard |-> 0]
Options(i) ==
  CASE Turn = i ->
         [open |-> TRUE, fold |-> MayFold(i), check |-> Owed(i) = 0,
          call |-> Min(Owed(i), stack[i]),
          least |-> WagerRange(i).least, most |-> WagerRange(i).most,
          discard |-> 0]                                     \* BET-2
    [] OwesDiscard(i) ->
         [NoDecision EXCEPT !.open = TRUE, !.discard = Discards]   \* DISC-6
    [] OTHER -> NoDecision

-----------------------------------------------------------------------------
(* A hand begins.                                                          *)

Starts == [Seats -> StackChoices]
Init ==
  /\ start \in Starts
  /\ phase = "opening" /\ street = 0
  /\ stack = start /\ total = Nobody /\ dead = 0
  /\ live = Seats /\ held = Nobody
  /\ lifts = [s \in 0..River |-> None]
  /\ bet = Nobody /\ acted = {} /\ last = None /\ level = 0 /\ increment = 0
  /\ base = 0 /\ wagers = 0 /\ startedWith = 0
  /\ rank = Nobody /\ shown = << >> /\ mucked = {} /\ won = Nobody /\ rake = 0

(* ANTE_POSTED, BLIND_POSTED, DEAD_POSTED, HOLE_DEALT (DEAL-1).  The level *)
(* is the full big blind even if nobody could post it (BLIND-3), and in    *)
(* fixed-limit the big blind is the first bet of the street (SIZE-6).      *)
(* Blinds and live posts are bets of seats that have not acted yet, so the *)
(* big blind will be asked (BLIND-4).                                      *)
PostAndDeal ==
  /\ phase = "opening" /\ phase' = "betting"
  /\ stack' = [i \in Seats |-> start[i] - AntePaid(i) - BlindPaid(i) - DeadPaid(i)]
  /\ total' = [i \in Seats |-> AntePaid(i) + BlindPaid(i)]
  /\ bet'   = [i \in Seats |-> BlindPaid(i)]
  /\ dead'  = Sum([i \in Seats |-> DeadPaid(i)], Seats)
  /\ held'  = [i \in Seats |-> HoleCards]
  /\ level' = BigBlind /\ increment' = BigBlind /\ base' = BigBlind /\ wagers' = 1
  /\ last' = BigBlindSeat /\ acted' = {} /\ startedWith' = N
  /\ UNCHANGED <<start, street, live, lifts, endVars>>

-----------------------------------------------------------------------------
(* A seat answers its decision in a betting round.                         *)

PutIn(i, chips) ==
  /\ stack' = [stack EXCEPT ![i] = @ - chips]
  /\ total' = [total EXCEPT ![i] = @ + chips]
  /\ bet'   = [bet   EXCEPT ![i] = @ + chips]

FoldNow(i) ==
  /\ live' = live \ {i} /\ acted' = acted \ {i} /\ last' = i
  /\ UNCHANGED <<start, phase, street, stack, total, dead, held, lifts, bet, level,
                 increment, base, wagers, startedWith, endVars>>

CheckNow(i) ==
  /\ acted' = acted \cup {i} /\ last' = i
  /\ UNCHANGED <<start, phase, street, stack, total, dead, live, held, lifts, bet,
                 level, increment, base, wagers, startedWith, endVars>>

Folded(i)  == Turn = i /\ MayFold(i) /\ FoldNow(i)                  \* FOLDED
Checked(i) == Turn = i /\ Owed(i) = 0 /\ CheckNow(i)                \* CHECKED

(* CALLED.  A call goes to the level, or takes all the seat has; BET-6.    *)
Called(i) ==
  /\ Turn = i /\ Owed(i) > 0
  /\ PutIn(i, Min(Owed(i), stack[i]))
  /\ acted' = acted \cup {i} /\ last' = i
  /\ UNCHANGED <<start, phase, street, dead, live, held, lifts, level, increment,
                 base, wagers, startedWith, endVars>>

(* OPEN-3, SIZE-1.  Only a full bet or raise changes the increment.        *)
(* SIZE-8.  In fixed-limit a wager counts, and becomes the base, if it     *)
(* stands at least half a bet above the base.                              *)
LiftTo(i, to) ==
  LET counts == 2 * (to - base) >= FixedBet
  IN  /\ Turn = i /\ MayLiftTo(i, to)
      /\ PutIn(i, to - bet[i])
      /\ level' = to
      /\ increment' = IF Limit = "FL" THEN increment ELSE Max(increment, to - level)
      /\ base'   = IF Limit = "FL" /\ counts THEN to ELSE base
      /\ wagers' = IF Limit = "FL" /\ counts THEN wagers + 1 ELSE wagers
      /\ lifts'  = [lifts EXCEPT ![street] = i]
      /\ acted' = acted \cup {i} /\ last' = i
      /\ UNCHANGED <<start, phase, street, dead, live, held, startedWith, endVars>>

(* BET, RAISED.  Which of the two depends on the level (BET-2).            *)
BetTo(i, to)   == level = 0 /\ LiftTo(i, to)
RaiseTo(i, to) == level > 0 /\ LiftTo(i, to)
Sizes(i)  == (level + 1) .. AllIn(i)
Bet(i)    == Turn = i /\ \E to \in Sizes(i) : BetTo(i, to)
Raised(i) == Turn = i /\ \E to \in Sizes(i) : RaiseTo(i, to)

(* TIME-2.  Out of time: check if nothing is owed, else fold.              *)
TimedOutBetting(i) == Turn = i /\ IF Owed(i) = 0 THEN CheckNow(i) ELSE FoldNow(i)

-----------------------------------------------------------------------------
(* A betting round ends; a street begins.                                  *)

NoRound == /\ bet' = Nobody /\ acted' = {} /\ last' = None /\ level' = 0
           /\ base' = 0 /\ wagers' = 0

(* BET_RETURNED, ROUND_CLOSED (BET-4, POT-2).                              *)
RoundClosed ==
  LET back == [i \in Seats |-> Uncalled(bet, live, i)]
  IN  /\ phase = "betting" /\ Turn = None /\ phase' = "between"
      /\ stack' = [i \in Seats |-> stack[i] + back[i]]
      /\ total' = [i \in Seats |-> total[i] - back[i]]
      /\ NoRound /\ increment' = 0 /\ startedWith' = 0
      /\ UNCHANGED <<start, street, dead, live, held, lifts, endVars>>

(* Begins the betting of street s, or skips it: with fewer than two seats  *)
(* that have chips no more wagers are possible (BET-5).                    *)
StartBetting(s, liveSeats) ==
  IF Several(HasChips)
  THEN phase' = "betting" /\ increment' = MinimumBet(s) /\ startedWith' = liveSeats
  ELSE phase' = "between" /\ increment' = 0 /\ startedWith' = 0

(* DISC-1, GAME-3.  Whether the discard round opens now.                   *)
DiscardsDone == Discards = 0 \/ (phase # "discarding" /\ \E i \in live : held[i] = Kept)
DiscardsDue  == /\ phase = "between" /\ Several(live) /\ ~DiscardsDone
                /\ street = (IF DiscardPoint = "BEFORE_FLOP" THEN 0 ELSE 1)

(* SHOW-4.  TABLE_ALL: betting is over with a seat all-in, and the         *)
(* discards are in (DISC-7).                                               *)
TablingDue == /\ phase = "between" /\ Several(live) /\ DiscardsDone
              /\ AllInExposure = "TABLE_ALL" /\ shown = << >>
              /\ HasChips # live /\ (~Several(HasChips) \/ street = River)

(* BOARD_DEALT (GAME-1): three cards, then one, then one.                  *)
BoardDealt ==
  /\ phase = "between" /\ Several(live) /\ street < River
  /\ ~DiscardsDue /\ ~TablingDue
  /\ street' = street + 1
  /\ IF DiscardPoint = "BEFORE_FLOP_BETTING" /\ street = 0
     THEN UNCHANGED <<phase, increment>> /\ startedWith' = Cardinality(live)
     ELSE StartBetting(street + 1, Cardinality(live))
  /\ UNCHANGED <<start, stack, total, dead, live, held, lifts,
                 bet, acted, last, level, base, wagers, endVars>>

-----------------------------------------------------------------------------
(* The discard round.                                                      *)

DiscardsOpened ==                                           \* DISCARDS_OPENED
  /\ DiscardsDue /\ phase' = "discarding"
  /\ UNCHANGED <<start, street, stack, total, dead, live, held, lifts,
                 roundVars, endVars>>

DiscardNow(i, cards) ==
  /\ held' = [held EXCEPT ![i] = @ - cards]
  /\ UNCHANGED <<start, phase, street, stack, total, dead, live, lifts,
                 roundVars, endVars>>

(* DISCARDED (DISC-2, DISC-3).  In any order, once each; as many cards as  *)
(* the game says, all different, all held.  DiscardOf is a proposal that   *)
(* names some cards; every one that is legal has the same effect.          *)
Discarded(i) == OwesDiscard(i) /\ DiscardNow(i, Discards)
DiscardOf(i, cards, different, allHeld) ==
  cards = Discards /\ different /\ allHeld /\ Discarded(i)

(* DISC-8.  Discard not made in time: the cards dealt last, or, under      *)
(* FOLD, the hand, unless the seat is all-in or a pot's last contender.    *)
LateFolds(i) == /\ DiscardTimeout = "FOLD" /\ stack[i] > 0
                /\ ~SoleContender(i, total, live)
TimedOutDiscarding(i) ==
  /\ OwesDiscard(i)
  /\ IF LateFolds(i)
     THEN /\ live' = live \ {i}
          /\ UNCHANGED <<start, phase, street, stack, total, dead, held, lifts,
                         roundVars, endVars>>
     ELSE DiscardNow(i, Discards)

(* DISCARDS_CLOSED.  Betting goes on where it stood.                       *)
DiscardsClosed ==
  /\ phase = "discarding" /\ Several(live)
  /\ \A i \in live : ~OwesDiscard(i)
  /\ IF DiscardPoint = "BEFORE_FLOP_BETTING"
     THEN StartBetting(street, startedWith)
     ELSE phase' = "between" /\ UNCHANGED <<increment, startedWith>>
  /\ UNCHANGED <<start, street, stack, total, dead, live, held, lifts,
                 bet, acted, last, level, base, wagers, endVars>>

(* TIME-4.  A forfeited hand folds at its decision, whether it owes        *)
(* something or not and whoever else contests the pots; an owed discard    *)
(* takes the cards dealt last, whatever DISC-8 says of late ones.          *)
Forfeited(i) == /\ Forfeits
                /\ \/ Turn = i /\ FoldNow(i)
                   \/ OwesDiscard(i) /\ DiscardNow(i, Discards)

-----------------------------------------------------------------------------
(* The end of the hand.                                                    *)

InOrderFrom(k, S) ==         \* the seats of S clockwise, the next after k first
  LET before(i) == {j \in S : Distance(k, j) < Distance(k, i)}
  IN  [n \in 1..Cardinality(S) |-> CHOOSE i \in S : Cardinality(before(i)) = n - 1]

(* HAND_SHOWN for every live seat at once (SHOW-4, TABLE_ALL).             *)
HandsTabled ==
  /\ TablingDue
  /\ shown' = InOrderFrom(None, live)
  /\ UNCHANGED <<start, phase, street, stack, total, dead, live, held, lifts,
                 roundVars, rank, mucked, won, rake>>

(* SHOW-1.  The last seat to lift the level on the latest street on which  *)
(* that seat is still live; FINAL_ROUND looks at the river alone.  If      *)
(* there is none, the first live seat left of the button.                  *)
Counting == IF ShowdownOrder = "FINAL_ROUND" THEN {River} ELSE 0..River
LiftedBy(S) == {s \in Counting : lifts[s] \in S}
FirstToShow == IF LiftedBy(live) = {} THEN NextAfter(None, live)
               ELSE lifts[MaxOf(LiftedBy(live))]
ShowOrder == InOrderFrom(FirstToShow - 1, live)       \* SHOW-2: then clockwise

(* Every order of the live hands, ties included: strengths 1 .. k.         *)
Ranks == {r \in [Seats -> 0..Cardinality(live)] :
            /\ \A i \in Seats : r[i] = 0 <=> i \notin live
            /\ \E k \in 1..Cardinality(live) : {r[i] : i \in live} = 1..k}

(* RAKE_TAKEN, POT_AWARDED, HAND_ENDED.  Every chip of the pots goes to a  *)
(* winner or to the rake (POT-7), in whichever order the pots are          *)
(* announced (SHOW-6).                                                     *)
Award(pots, r) ==
  /\ phase' = "over" /\ rank' = r
  /\ won' = Payout(pots, r, street > 0) /\ rake' = Rake(pots, street > 0)
  /\ stack' = [i \in Seats |-> stack[i] + won'[i]]
  /\ startedWith' = 0
  /\ UNCHANGED <<start, street, total, dead, live, held, lifts,
                 bet, acted, last, level, increment, base, wagers>>

(* HAND_SHOWN and HAND_MUCKED in order, then the awards (SHOW-1 to SHOW-4).*)
(* That a bet was returned makes no difference (SHOW-5).                   *)
ShowdownDue == /\ phase = "between" /\ Several(live) /\ street = River
               /\ DiscardsDone /\ ~TablingDue
Willing == IF AllInExposure = "SHOW_ALL" THEN live ELSE ShowWhenBeaten
Showdown(pots, order, r) ==
  /\ shown' = IF shown # << >> THEN shown
              ELSE Showings(order, pots, r, Willing, {})
  /\ mucked' = live \ {shown'[n] : n \in 1..Len(shown')}
  /\ Award(pots, r)
SomeShowdown ==
  /\ ShowdownDue
  /\ LET pots  == Pots(total, dead, live)
         order == ShowOrder
     IN  \E r \in Ranks : Showdown(pots, order, r)

(* BET-7, SHOW-7.  One live seat is left: it takes everything, unseen.     *)
WonUncontested ==
  /\ phase \in {"between", "discarding"} /\ ~Several(live)
  /\ Award(Pots(total, dead, live), Nobody)
  /\ UNCHANGED <<shown, mucked>>

(* HAND_SHOWN after the end: an owner may still show (SHOW-2, SHOW-7).     *)
HandShown(i) ==
  /\ ShowsAfterEnd /\ phase = "over"
  /\ i \in live /\ \A n \in 1..Len(shown) : shown[n] # i
  /\ shown' = Append(shown, i) /\ mucked' = mucked \ {i}
  /\ UNCHANGED <<start, phase, street, stack, total, dead, live, held, lifts,
                 roundVars, rank, won, rake>>

-----------------------------------------------------------------------------
(* The hand.                                                               *)

TimedOut(i) == TimedOutBetting(i) \/ TimedOutDiscarding(i)
Answered(i) == \/ Folded(i) \/ Checked(i) \/ Called(i) \/ Bet(i) \/ Raised(i)
               \/ Discarded(i)
Forced == \/ PostAndDeal \/ RoundClosed \/ BoardDealt
          \/ DiscardsOpened \/ DiscardsClosed
          \/ HandsTabled \/ SomeShowdown \/ WonUncontested
Over   == phase = "over" /\ UNCHANGED vars       \* a finished hand stays so

Next == \/ \E i \in Seats : \/ Answered(i) \/ TimedOut(i) \/ Forfeited(i)
                             \/ HandShown(i)
        \/ Forced
        \/ Over

(* Fairness is asked of the referee only: it does what is forced, and its  *)
(* clock runs.  Nothing is assumed of the players.                         *)
RefereeActs == Forced \/ \E i \in Seats : TimedOut(i)
Spec == Init /\ [][Next]_vars /\ WF_vars(RefereeActs)
=============================================================================

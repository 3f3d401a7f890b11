----------------------------- MODULE TraceCheck -----------------------------
(***************************************************************************)
(* Are hands that a referee really ruled on behaviours of IrishHand?       *)
(*                                                                         *)
(* TraceData, a generated module, defines                                  *)
(*   Tables   what was played: one record of IrishHand's constants each    *)
(*   Hands    the hands: << table, starting stacks, steps >>               *)
(* A step is << checks, event >>.  The event is what happened, with every  *)
(* number that was reported about it.  The checks are what came before it  *)
(* in the same state: which seat was asked and what it was told that it    *)
(* may do, and proposals that were refused.                                *)
(*                                                                         *)
(* Each hand is one initial state; its steps are followed one by one.  A   *)
(* step that the specification cannot make, a number that differs, a set   *)
(* of options that differs, or a refused proposal that the specification   *)
(* would accept stops that hand before its end: TLC reports a deadlock,    *)
(* whose state says which hand (h) and which step (k + 1).                 *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, Sequences, TraceData

VARIABLES start, phase, street, stack, total, dead, live, held, lifts,
          bet, acted, last, level, increment, base, wagers, startedWith,
          rank, shown, mucked, won, rake,
          h,       \* which hand
          k        \* how many of its steps have been followed

(* The specification with the constants of hand n.                         *)
Table(n) == Tables[Hands[n][1]]
Hand(n) == INSTANCE IrishHand WITH
  N                <- Table(n).N,
  StackChoices     <- {Hands[n][2][i] : i \in 1..Table(n).N},
  Limit            <- Table(n).Limit,
  SmallBlind       <- Table(n).SmallBlind,
  BigBlind         <- Table(n).BigBlind,
  SmallBlindPosted <- Table(n).SmallBlindPosted,
  BigBet           <- Table(n).BigBet,
  ChipUnit         <- Table(n).ChipUnit,
  AnteKind         <- Table(n).AnteKind,
  Ante             <- Table(n).Ante,
  LivePosts        <- Table(n).LivePosts,
  DeadPosts        <- Table(n).DeadPosts,
  HoleCards        <- Table(n).HoleCards,
  Discards         <- Table(n).Discards,
  DiscardPoint     <- Table(n).DiscardPoint,
  DiscardTimeout   <- Table(n).DiscardTimeout,
  OpenFold         <- Table(n).OpenFold,
  MaxRaises        <- Table(n).MaxRaises,
  CapHeadsUp       <- Table(n).CapHeadsUp,
  LateMinimum      <- Table(n).LateMinimum,
  ShowdownOrder    <- Table(n).ShowdownOrder,
  AllInExposure    <- Table(n).AllInExposure,
  ShowWhenBeaten   <- Table(n).ShowWhenBeaten,
  RakeBasisPoints  <- Table(n).RakeBasisPoints,
  RakeCap          <- Table(n).RakeCap,
  NoFlopNoDrop     <- Table(n).NoFlopNoDrop,
  ShowsAfterEnd    <- TRUE,
  Forfeits         <- TRUE

handVars == <<start, phase, street, stack, total, dead, live, held, lifts,
              bet, acted, last, level, increment, base, wagers, startedWith,
              rank, shown, mucked, won, rake>>

BySeat(list) == [i \in 0 .. Len(list) - 1 |-> list[i + 1]]
SetOf(list)  == {list[i] : i \in 1..Len(list)}

TraceInit ==
  /\ h \in 1..Len(Hands) /\ k = 0
  /\ start = BySeat(Hands[h][2])
  /\ \E n \in {h} : Hand(n)!Init

-----------------------------------------------------------------------------
(* What may be proposed, as an action of hand n: kind and seat, and the    *)
(* street total of a wager or the cards of a discard.                      *)
Proposed(n, e) ==
  CASE e[1] = "fold"    -> Hand(n)!Folded(e[2])
    [] e[1] = "check"   -> Hand(n)!Checked(e[2])
    [] e[1] = "call"    -> Hand(n)!Called(e[2])
    [] e[1] = "bet"     -> Hand(n)!BetTo(e[2], e[3])
    [] e[1] = "raise"   -> Hand(n)!RaiseTo(e[2], e[3])
    [] e[1] = "discard" -> Hand(n)!DiscardOf(e[2], e[3], e[4], e[5])
    [] e[1] = "timeout" -> Hand(n)!TimedOut(e[2])
    [] e[1] = "forfeit" -> Hand(n)!Forfeited(e[2])
    [] e[1] = "show"    -> Hand(n)!HandShown(e[2])

(* Whether check c of hand n holds in this state.                          *)
Holds(n, c) ==
  CASE c[1] = "asked" ->           \* seat; fold, check, call, least, most, discard
         LET o == Hand(n)!Options(c[2])
         IN  IF Len(c) = 2 THEN o.open
             ELSE o = [open |-> TRUE, fold |-> c[3], check |-> c[4], call |-> c[5],
                       least |-> c[6], most |-> c[7], discard |-> c[8]]
    [] c[1] = "refused" ->         \* the proposal
         ~ENABLED Proposed(n, c[2])

(* What happened, e, is a step of hand n, and its numbers are those        *)
(* reported.                                                               *)
Happens(n, e) ==
  CASE e[1] = "posted" ->          \* stacks, street bets, totals, dead money
         /\ Hand(n)!PostAndDeal
         /\ stack' = BySeat(e[2]) /\ bet' = BySeat(e[3]) /\ total' = BySeat(e[4])
         /\ dead' = e[5]
    [] e[1] = "accepted" ->        \* the proposal, chips paid, street total after
         /\ Proposed(n, e[2])
         /\ stack'[e[2][2]] = stack[e[2][2]] - e[3]
         /\ bet'[e[2][2]] = e[4]
    [] e[1] = "discarded" ->       \* the proposal, whether it ended in a fold
         /\ Proposed(n, e[2])
         /\ live' = (IF e[3] THEN live \ {e[2][2]} ELSE live)
    [] e[1] = "closed" ->          \* seat and amount of a returned bet, or -1 and 0
         /\ Hand(n)!RoundClosed
         /\ \A i \in DOMAIN stack :
              total[i] - total'[i] = (IF i = e[2] THEN e[3] ELSE 0)
    [] e[1] = "board" -> Hand(n)!BoardDealt /\ street' = e[2]
    [] e[1] = "discards opened" -> Hand(n)!DiscardsOpened
    [] e[1] = "discards closed" -> Hand(n)!DiscardsClosed
    [] e[1] = "tabled" -> Hand(n)!HandsTabled /\ shown' = e[2]
    [] e[1] = "showdown" ->        \* ranks, shown, mucked, won, rake, stacks
         /\ Hand(n)!ShowdownDue /\ BySeat(e[2]) \in Hand(n)!Ranks
         /\ Hand(n)!Showdown(Hand(n)!Pots(total, dead, live), Hand(n)!ShowOrder, BySeat(e[2]))
         /\ shown' = e[3] /\ mucked' = SetOf(e[4])
         /\ won' = BySeat(e[5]) /\ rake' = e[6] /\ stack' = BySeat(e[7])
    [] e[1] = "uncontested" ->     \* won, rake, stacks
         /\ Hand(n)!WonUncontested
         /\ won' = BySeat(e[2]) /\ rake' = e[3] /\ stack' = BySeat(e[4])
    [] e[1] = "nothing" -> UNCHANGED handVars

Follow(n, step) ==
  /\ \A i \in 1..Len(step[1]) : Holds(n, step[1][i])
  /\ Happens(n, step[2])

TraceNext ==
  \/ /\ k < Len(Hands[h][3])
     /\ \E n \in {h} : Follow(n, Hands[n][3][k + 1])
     /\ k' = k + 1 /\ h' = h
  \/ /\ k = Len(Hands[h][3]) /\ phase = "over" /\ UNCHANGED <<handVars, h, k>>

TraceSpec == TraceInit /\ [][TraceNext]_<<handVars, h, k>>
=============================================================================

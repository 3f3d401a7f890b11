----------------------------- MODULE TraceCheck -----------------------------
(***************************************************************************)
(* Are rounds that a referee really ruled on behaviours of KozelRound?     *)
(*                                                                         *)
(* TraceData, a generated module, defines                                  *)
(*   Tables   what was played: one record of KozelRound's constants each   *)
(*   Rounds   the rounds: << table, start, steps >>                        *)
(* A step is << checks, event >>.  The checks are what came before the     *)
(* event in the same state: what a seat was offered, and proposals that    *)
(* were refused.                                                           *)
(*                                                                         *)
(* Each round is one initial state; its steps are followed one by one.  A  *)
(* step that the specification cannot make, a number that differs, an      *)
(* offer that differs, or a refused proposal that the specification would  *)
(* accept stops that round before its end: TLC reports a deadlock, whose   *)
(* state says which round (h) and which step (k + 1).                      *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, Sequences, TraceData

VARIABLES start, phase, hands, bone, laid, left, right, turn, last, maker,
          ending, winner, counts, accounts, carry, lost, ratings,
          h,       \* which round
          k        \* how many of its steps have been followed

Table(n) == Tables[Rounds[n][1]]
Of(n) == INSTANCE KozelRound WITH
  N             <- Table(n).N,
  Most          <- Table(n).Most,
  HandTiles     <- Table(n).HandTiles,
  RedealDoubles <- Table(n).RedealDoubles,
  RedealBearing <- Table(n).RedealBearing,
  FishRule      <- Table(n).FishRule,
  FishScoring   <- Table(n).FishScoring,
  LoneBlank     <- Table(n).LoneBlank,
  RememberedTo  <- Table(n).RememberedTo,
  EndsAt        <- Table(n).EndsAt,
  Starts        <- {Rounds[n][2]}

roundVars == <<start, phase, hands, bone, laid, left, right, turn, last, maker,
               ending, winner, counts, accounts, carry, lost, ratings>>

TraceInit == h \in 1..Len(Rounds) /\ k = 0 /\ \E n \in {h} : Of(n)!Init

(* What may be proposed, as an action of round n.                          *)
Proposed(n, e) ==
  CASE e[1] = "lay"     -> Of(n)!Laid(e[2], e[3], e[4])
    [] e[1] = "timeout" -> Of(n)!TimedOut(e[2])
    [] e[1] = "draw"    -> FALSE      \* KOZ-5: never chosen
    [] e[1] = "knock"   -> FALSE

(* Whether check c of round n holds in this state.                         *)
Holds(n, c) ==
  CASE c[1] = "offered" -> Of(n)!Options(c[2]) = c[3]
    [] c[1] = "refused" -> ~ENABLED Proposed(n, c[2])

(* What happened, e, is a step of round n, and its numbers are those told. *)
Happens(n, e) ==
  CASE e[1] = "dealt"    -> Of(n)!DealOf(e[2]) /\ bone' = e[3] /\ turn' = e[4]
    [] e[1] = "accepted" -> Proposed(n, e[2])
    [] e[1] = "drawn"    -> Of(n)!Drawn(e[2], e[3])
    [] e[1] = "knocked"  -> Of(n)!Knocked(e[2])
    [] e[1] = "out"      -> Of(n)!WentOut /\ winner' = e[2]
    [] e[1] = "fish"     -> Of(n)!FishMade /\ winner' = e[2] /\ left = e[3]
    [] e[1] = "scored"   -> /\ Of(n)!Scored
                            /\ counts' = e[2] /\ accounts' = e[3] /\ carry' = e[4]
                            /\ lost' = e[5] /\ ratings' = e[6]
    [] e[1] = "stopped"  -> /\ Of(n)!Stopped
                            /\ accounts' = e[2] /\ ratings' = e[3]
    [] e[1] = "nothing"  -> UNCHANGED roundVars

Follow(n, step) ==
  /\ \A i \in 1..Len(step[1]) : Holds(n, step[1][i])
  /\ Happens(n, step[2])

TraceNext ==
  \/ /\ k < Len(Rounds[h][3])
     /\ \E n \in {h} : Follow(n, Rounds[n][3][k + 1])
     /\ k' = k + 1 /\ h' = h
  \/ /\ k = Len(Rounds[h][3]) /\ phase = "over" /\ UNCHANGED <<roundVars, h, k>>

TraceSpec == TraceInit /\ [][TraceNext]_<<roundVars, h, k>>
=============================================================================

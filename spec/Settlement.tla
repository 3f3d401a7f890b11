----------------------------- MODULE Settlement -----------------------------
(***************************************************************************)
(* Who gets which chips once the betting of a hand is over, and whose      *)
(* cards the table sees.  Functions of their arguments only: no state.     *)
(*                                                                         *)
(* Seats are numbered 0 .. N-1 clockwise, seat 0 sitting left of the       *)
(* button, so "clockwise from the button" is simply counting upwards and   *)
(* the button, when it is dealt in, is seat N-1 (DEAL-1).                  *)
(*                                                                         *)
(*   total[i]  what seat i put in as antes, blinds and wagers (POT-1)      *)
(*   dead      dead money: in the pot, in nobody's total (BLIND-6)         *)
(*   live      the seats that have not folded                              *)
(*   rank[i]   how strong seat i's hand is; more is better, equal ties     *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, Sequences

CONSTANTS N,                \* number of seats dealt in
          ChipUnit,         \* smallest amount that changes hands
          RakeBasisPoints,  \* POT-8: rake per pot, in 1/10000; 0 is none
          RakeCap,          \* POT-8: most rake of a hand; NoRakeCap is none
          NoFlopNoDrop      \* POT-8: no rake unless a flop was dealt

Seats     == 0 .. N-1
NoRakeCap == 2147483647

Min(a, b) == IF a < b THEN a ELSE b
Max(a, b) == IF a > b THEN a ELSE b
MaxOf(S)  == CHOOSE m \in S : \A x \in S : x <= m
MinOf(S)  == CHOOSE m \in S : \A x \in S : x >= m

RECURSIVE Sum(_, _)
Sum(f, S) == IF S = {} THEN 0
             ELSE LET x == CHOOSE x \in S : TRUE IN f[x] + Sum(f, S \ {x})

-----------------------------------------------------------------------------
(* POT-2.  What the largest live bettor of a round put in above the second *)
(* largest bettor, folded or not: nobody called it, so it goes back.       *)
Uncalled(bet, live, i) ==
  IF i \notin live THEN 0
  ELSE Max(0, bet[i] - MaxOf({bet[j] : j \in Seats \ {i}}))

-----------------------------------------------------------------------------
(* POT-1.  One pot for each different total of a live seat.  It holds what *)
(* every seat, folded ones included, put in between the next lower such    *)
(* total and this one, and the live seats that put in at least this much   *)
(* contest it.  Dead money joins the lowest pot (BLIND-6); folded chips    *)
(* above the highest live total join the highest pot (POT-3).              *)
Levels(total, live) == {total[i] : i \in live}

LayerOf(total, lower, upper) ==
  Sum([i \in Seats |-> Min(total[i], upper) - Min(total[i], lower)], Seats)

PotAt(level, total, dead, live) ==
  LET all   == Levels(total, live)
      lower == MaxOf({l \in all : l < level} \cup {0})
      above == IF level = MaxOf(all)
               THEN Sum([i \in Seats |-> Max(0, total[i] - level)], Seats)
               ELSE 0
  IN  [level    |-> level,
       amount   |-> LayerOf(total, lower, level) + above
                    + (IF level = MinOf(all) THEN dead ELSE 0),
       eligible |-> {i \in live : total[i] >= level}]

Pots(total, dead, live) ==          \* a layer without chips is no pot
  {p \in {PotAt(l, total, dead, live) : l \in Levels(total, live)} : p.amount > 0}

(* BET-3, DISC-8.  Whether seat i is the last one left eligible for a pot. *)
SoleContender(i, total, live) == \A j \in live \ {i} : total[j] < total[i]

-----------------------------------------------------------------------------
(* POT-8.  Each pot is raked by itself, rounded down to a chip unit; the   *)
(* cap of the hand is filled from the main pot up.                         *)
FullRake(p) == (((p.amount * RakeBasisPoints) \div 10000) \div ChipUnit) * ChipUnit

RakeOf(p, pots, flopDealt) ==
  IF RakeBasisPoints = 0 \/ (NoFlopNoDrop /\ ~flopDealt) THEN 0
  ELSE LET lower == {q \in pots : q.level < p.level}
       IN  Min(FullRake(p), Max(0, RakeCap - Sum([q \in lower |-> FullRake(q)], lower)))

Rake(pots, flopDealt) == Sum([p \in pots |-> RakeOf(p, pots, flopDealt)], pots)

(* POT-4, POT-5.  The best eligible hands of a pot share it.               *)
Winners(p, rank) == {i \in p.eligible : \A j \in p.eligible : rank[j] <= rank[i]}

(* POT-5, POT-6.  Equal shares; what does not divide goes one chip unit at *)
(* a time to the winners of this pot, clockwise from the button.           *)
Share(i, amount, winners) ==
  LET units == amount \div ChipUnit
      n     == Cardinality(winners)
      place == Cardinality({j \in winners : j < i})
  IN  IF i \notin winners THEN 0
      ELSE (units \div n + (IF place < units % n THEN 1 ELSE 0)) * ChipUnit

Payout(pots, rank, flopDealt) ==
  [i \in Seats |->
     Sum([p \in pots |-> Share(i, p.amount - RakeOf(p, pots, flopDealt),
                               Winners(p, rank))], pots)]

-----------------------------------------------------------------------------
(* SHOW-2, SHOW-3.  The first in order always shows.  Later a seat must    *)
(* show if, for any pot that it contests, no contesting hand shown so far  *)
(* beats it: the better or equal hand shows.                               *)
MustShow(i, pots, rank, shownSoFar) ==
  \/ shownSoFar = {}
  \/ \E p \in pots : /\ i \in p.eligible
                     /\ \A j \in shownSoFar \cap p.eligible : rank[j] <= rank[i]

(* The seats whose hands are shown, in the order in which they are.  Those *)
(* in `willing` show although they may muck (their preset, or SHOW_ALL).   *)
RECURSIVE Showings(_, _, _, _, _)
Showings(order, pots, rank, willing, shownSoFar) ==
  IF order = << >> THEN << >>
  ELSE LET i     == Head(order)
           shows == MustShow(i, pots, rank, shownSoFar) \/ i \in willing
           rest  == Showings(Tail(order), pots, rank, willing,
                             shownSoFar \cup (IF shows THEN {i} ELSE {}))
       IN  IF shows THEN <<i>> \o rest ELSE rest
=============================================================================

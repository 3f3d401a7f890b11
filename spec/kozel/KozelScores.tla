----------------------------- MODULE KozelScores -----------------------------
(***************************************************************************)
(* What a round of Kozel is worth: from the counts of the hands to the     *)
(* accounts, the carry, the losers and the ratings.  Functions of their    *)
(* arguments alone.                                                        *)
(*                                                                         *)
(* Players are numbered from 0, clockwise.  An account is a record         *)
(* [open, points]: the score of an open account (KOZ-10), what is          *)
(* remembered before (KOZ-9).                                              *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
  N,             \* players (KOZ-1)
  FishScoring,   \* "ON_ALL" (KOZ-12) or "ON_ONE" (KOZ-13)
  RememberedTo,  \* 12 (KOZ-9)
  EndsAt         \* 101 (KOZ-15)

Players == 0 .. N - 1
None    == -1

RECURSIVE SumOver(_, _)
SumOver(f, S) == IF S = {} THEN 0
                 ELSE LET i == CHOOSE i \in S : TRUE IN f[i] + SumOver(f, S \ {i})
Sum(f) == SumOver(f, Players)

Highest(f) == {i \in Players : \A j \in Players : f[j] <= f[i]}
Alone(f)   == Cardinality(Highest(f)) = 1       \* a single highest (KOZ-13, KOZ-14)
TheOne(f)  == CHOOSE i \in Highest(f) : TRUE

Score(a)  == IF a.open THEN a.points ELSE 0     \* KOZ-16: unopened scores 0
Scores(accounts) == [i \in Players |-> Score(accounts[i])]

OnOne(ending) == ending = "fish" /\ FishScoring = "ON_ONE"

(* KOZ-14.  A tied fish scored on one: nobody scores.                      *)
Tied(ending, counts) == OnOne(ending) /\ ~Alone(counts)

(* KOZ-12, KOZ-13, KOZ-14.  What each player is credited, the carry on top *)
(* for a single highest.                                                   *)
Credit(ending, counts, carry) ==
  [i \in Players |->
     IF Tied(ending, counts) THEN 0
     ELSE (IF ~OnOne(ending) THEN counts[i]
           ELSE IF i = TheOne(counts) THEN Sum(counts) ELSE 0)
          + (IF Alone(counts) /\ i = TheOne(counts) THEN carry ELSE 0)]

(* KOZ-9, KOZ-10.  A credit on an account.                                 *)
Credited(a, points) == [open   |-> a.open \/ points > RememberedTo,
                        points |-> a.points + points]

(* KOZ-11, KOZ-13.  Who credits nothing loses what is remembered, if he    *)
(* went out, or at a fish scored on one that is not tied.                  *)
Clears(ending, winner, counts, i) ==
  \/ ending = "out" /\ i = winner
  \/ OnOne(ending) /\ ~Tied(ending, counts)

AccountsAfter(accounts, ending, winner, counts, carry) ==
  LET credit == Credit(ending, counts, carry)
  IN  [i \in Players |->
         IF credit[i] > 0 THEN Credited(accounts[i], credit[i])
         ELSE IF ~accounts[i].open /\ Clears(ending, winner, counts, i)
              THEN [open |-> FALSE, points |-> 0]
              ELSE accounts[i]]

(* KOZ-14.  What waits for the next round.                                 *)
CarryAfter(ending, counts, carry) ==
  IF Tied(ending, counts) THEN carry + Sum(counts)
  ELSE IF Alone(counts) THEN 0 ELSE carry

(* KOZ-15.  Who has lost; nobody while no open score has reached the end.  *)
Losers(accounts) ==
  LET s == Scores(accounts)
  IN  {i \in Highest(s) : s[i] >= EndsAt}

(* KOZ-16.  Tenths rounded half up; \div rounds down.                      *)
HalfUp(tenths) == (tenths + 5) \div 10
AtLeast(least, n) == IF n < least THEN least ELSE n
Rating(accounts, i) ==
  IF i \in Losers(accounts) THEN 0 ELSE AtLeast(0, HalfUp(100 - Score(accounts[i])))
LateRating(accounts, late, i) ==
  IF i = late THEN 0 ELSE AtLeast(1, HalfUp(Score(accounts[late]) - Score(accounts[i])))

NotRated == [i \in Players |-> None]
=============================================================================

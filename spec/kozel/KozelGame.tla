------------------------------ MODULE KozelGame ------------------------------
(***************************************************************************)
(* The scoring across the rounds of a game.  How rounds are played does    *)
(* not matter here: a round may end in any way, with any counts of a set.  *)
(* Remembered points have no bound, so the number of rounds has one.       *)
(***************************************************************************)
EXTENDS KozelScores

CONSTANTS
  Counts,    \* what a hand that has tiles may count
  Rounds     \* rounds that are followed at most

VARIABLES accounts, carry, lost, ratings, played, leader

vars == <<accounts, carry, lost, ratings, played, leader>>

Init ==
  /\ accounts = [i \in Players |-> [open |-> FALSE, points |-> 0]]
  /\ carry = 0 /\ lost = {} /\ ratings = NotRated /\ played = 0 /\ leader = None

(* A round that ends so.                                                   *)
RoundOf(ending, winner, counts) ==
  /\ lost = {} /\ ratings = NotRated
  /\ accounts' = AccountsAfter(accounts, ending, winner, counts, carry)
  /\ lost' = Losers(accounts')
  /\ carry' = IF lost' = {} THEN CarryAfter(ending, counts, carry) ELSE 0
  /\ ratings' = IF lost' = {} THEN NotRated ELSE [i \in Players |-> Rating(accounts', i)]
  /\ played' = played + 1 /\ leader' = winner

WentOut(w) ==                                                    \* KOZ-6
  \E c \in [Players -> Counts \cup {0}] :
    /\ \A i \in Players : c[i] = 0 <=> i = w
    /\ played < Rounds /\ RoundOf("out", w, c)
FishMade(w) ==                                                   \* KOZ-7
  \E c \in [Players -> Counts] : played < Rounds /\ RoundOf("fish", w, c)
TimedOut(i) ==                                                   \* KOZ-17
  /\ lost = {} /\ ratings = NotRated /\ played < Rounds
  /\ carry' = 0 /\ ratings' = [j \in Players |-> LateRating(accounts, i, j)]
  /\ played' = played + 1
  /\ UNCHANGED <<accounts, lost, leader>>
Over == (played = Rounds \/ ratings # NotRated) /\ UNCHANGED vars

Next == (\E i \in Players : WentOut(i) \/ FishMade(i) \/ TimedOut(i)) \/ Over
Spec == Init /\ [][Next]_vars
=============================================================================

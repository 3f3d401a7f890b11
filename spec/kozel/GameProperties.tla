--------------------------- MODULE GameProperties ---------------------------
(***************************************************************************)
(* What must be true of the scoring across rounds.                         *)
(***************************************************************************)
EXTENDS KozelGame

Ended == ratings # NotRated
OpenScore(i) == IF accounts[i].open THEN accounts[i].points ELSE 0

(* Only a game scored on one carries, and nothing is carried out of it.    *)
CarryBelongs ==                                                  \* KOZ-14
  /\ FishScoring = "ON_ALL" => carry = 0
  /\ Ended => carry = 0
ScoresBelowTheMark ==                                            \* KOZ-15
  ~Ended => \A i \in Players : OpenScore(i) < EndsAt
OpenAccountsPassedTheMark ==                                     \* KOZ-10
  \A i \in Players : accounts[i].open => accounts[i].points > RememberedTo
HighestLoses ==                                                  \* KOZ-15
  lost # {} => \A i \in Players : i \in lost <=> \A j \in Players : OpenScore(j) <= OpenScore(i)
SomebodyWins ==                                                  \* KOZ-16
  Ended => \A i, j \in Players : OpenScore(i) <= OpenScore(j) /\ lost # {} => ratings[i] >= ratings[j]

OpenStaysOpen ==                                                 \* KOZ-10, KOZ-11
  [][\A i \in Players : accounts[i].open => accounts'[i].open /\ accounts'[i].points >= accounts[i].points]_vars
OpeningTakesTheRemembered ==                                     \* KOZ-10
  [][\A i \in Players : ~accounts[i].open /\ accounts'[i].open => accounts'[i].points > accounts[i].points + RememberedTo]_vars
TheCarryLeavesWhole ==                                           \* KOZ-14
  [][carry' < carry => carry' = 0]_vars
WhoTakesTheCarryScoresIt ==                                      \* KOZ-14
  [][carry > 0 /\ carry' = 0 /\ ratings' = NotRated =>
       \E i \in Players : accounts'[i].points >= accounts[i].points + carry]_vars
NothingAfterTheEnd ==                                            \* KOZ-15
  [][Ended => UNCHANGED vars]_vars
LeaderIsKept ==                                                  \* KOZ-3
  [][played' > played /\ accounts' # accounts => leader' \in Players]_vars
=============================================================================

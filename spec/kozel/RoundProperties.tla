--------------------------- MODULE RoundProperties ---------------------------
(***************************************************************************)
(* What must be true of every round.  The README says each of these in a   *)
(* sentence.  They are written, wherever possible, without the operators   *)
(* that the actions use; mutants.toml holds a faulty specification for     *)
(* each of them to reject.                                                 *)
(***************************************************************************)
EXTENDS KozelRound

OnHands == UNION {hands[i] : i \in Players}
Halves(S, n) == Cardinality({t \in S : t[1] = n}) + Cardinality({t \in S : t[2] = n})
Deciding == {i \in Players : Options(i) # {}}

TypeOK ==
  /\ phase \in {"dealing", "playing", "counting", "over"}
  /\ ending \in {"none", "out", "fish", "timeout"}
  /\ \A i \in Players : hands[i] \subseteq Tiles
  /\ bone \subseteq Tiles /\ laid \subseteq Tiles
  /\ left \in Numbers \cup {None} /\ right \in Numbers \cup {None}
  /\ turn \in Players \cup {None} /\ winner \in Players \cup {None}
  /\ \A i \in Players : accounts[i].points >= 0 /\ counts[i] >= None
  /\ carry >= 0 /\ lost \subseteq Players

TilesConserved ==                                                \* KOZ-1
  phase # "dealing" =>
    /\ OnHands \cup bone \cup laid = Tiles
    /\ SumOver([i \in Players |-> Cardinality(hands[i])], Players) + Cardinality(bone) + Cardinality(laid)
         = Cardinality(Tiles)

DealtFairly ==                                                   \* KOZ-2
  phase = "playing" /\ laid = {} =>
    \A i \in Players :
      /\ Cardinality({n \in Numbers : <<n, n>> \in hands[i]}) < RedealDoubles
      /\ \A n \in Numbers : Cardinality({t \in hands[i] : n \in {t[1], t[2]}}) < RedealBearing

(* Where every number but those at the ends lies in pairs, the tiles make  *)
(* a chain.                                                                *)
EndsFitTheChain ==                                               \* KOZ-4
  laid # {} =>
    \A n \in Numbers :
      (Halves(laid, n) + (IF left = n THEN 1 ELSE 0) + (IF right = n THEN 1 ELSE 0)) % 2 = 0

OneDecisionAtATime ==                                            \* KOZ-4
  /\ Cardinality(Deciding) <= 1
  /\ phase # "playing" => Deciding = {}

(* A chain on which nothing fits any more is a fish, so that knocking ends.*)
BlockedIsFish ==                                                 \* KOZ-7
  phase = "playing" /\ laid # {} /\ bone = {} /\ ~IsOut
    /\ (\A t \in OnHands : t[1] \notin {left, right} /\ t[2] \notin {left, right})
      => IsFish

FishIsBlocked ==                                                 \* KOZ-7
  ending = "fish" =>
    /\ left = right /\ \A i \in Players : hands[i] # {}
    /\ \A n \in Numbers \ {left} : {<<n, left>>, <<left, n>>} \cap laid # {}
    /\ FishRule = "NO_LEGAL_MOVE" => \A t \in OnHands \cup bone : left \notin {t[1], t[2]}

OutHasNoTiles ==                                                 \* KOZ-6
  ending # "none" => (ending = "out" <=> \E i \in Players : hands[i] = {})
WinnerIsRight ==                                                 \* KOZ-3
  /\ ending = "out"  => hands[winner] = {}
  /\ ending = "fish" => winner # None

GameEndsAtTheMark ==                                             \* KOZ-15
  phase = "over" =>
    /\ (lost # {}) = (\E i \in Players : accounts[i].open /\ accounts[i].points >= EndsAt)
    /\ \A i \in lost : \A j \in Players : accounts[j].open => accounts[j].points <= accounts[i].points
    /\ \A i \in lost, j \in Players : accounts[j] = accounts[i] => j \in lost
    /\ (ratings[0] # None) = (lost # {} \/ ending = "timeout")

RatingsAreBounded ==                                             \* KOZ-16
  phase = "over" /\ ratings[0] # None =>
    /\ \A i \in Players : ratings[i] >= 0
    /\ \A i \in lost : ratings[i] = 0
    /\ ending = "timeout" => ratings[last] = 0 /\ \A i \in Players \ {last} : ratings[i] >= 1
    /\ ending # "timeout" =>
         \A i \in Players \ lost :
           LET s == IF accounts[i].open THEN accounts[i].points ELSE 0
           IN  IF s > 104 THEN ratings[i] = 0
               ELSE 2 * (100 - s) >= 20 * ratings[i] - 10 /\ 2 * (100 - s) < 20 * ratings[i] + 10

-----------------------------------------------------------------------------
(* Steps.                                                                  *)

LaidNow == laid' # laid
TheTile == CHOOSE t \in Tiles : t \in laid' /\ t \notin laid

OpeningTileIsCompulsory ==                                       \* KOZ-3
  [][LaidNow /\ laid = {} /\ start.leader = None =>
       LET t == TheTile
           better == IF IsDouble(t)
                     THEN {u \in OnHands : IsDouble(u) /\
                             IF t = Blank THEN u # t ELSE u # Blank /\ u[1] < t[1]}
                     ELSE {u \in OnHands : IsDouble(u) \/ u[1] + u[2] > t[1] + t[2]
                                           \/ (u[1] + u[2] = t[1] + t[2] /\ u[2] > t[2])}
       IN  better = {}]_vars
LeaderLeads ==                                                   \* KOZ-3
  [][LaidNow /\ laid = {} /\ start.leader # None => hands'[start.leader] # hands[start.leader]]_vars
TilesMatch ==                                                    \* KOZ-4
  [][LaidNow /\ laid # {} => TheTile[1] \in {left, right} \/ TheTile[2] \in {left, right}]_vars
OneTileATurn ==                                                  \* KOZ-4
  [][LaidNow => /\ Cardinality(laid') = Cardinality(laid) + 1
                /\ turn' = (turn + 1) % N /\ hands'[turn] # hands[turn]]_vars
NobodyPassesWithATile ==                                         \* KOZ-5
  [][(bone' # bone /\ phase = "playing") \/ (turn' # turn /\ phase' = "playing" /\ phase = "playing" /\ ~LaidNow)
       => \A t \in hands[turn] : laid # {} /\ t[1] \notin {left, right} /\ t[2] \notin {left, right}]_vars
KnockingNeedsAnEmptyBoneyard ==                                  \* KOZ-5
  [][phase = "playing" /\ phase' = "playing" /\ turn' # turn /\ ~LaidNow => bone = {}]_vars
TheCloserMadeTheFish ==                                         \* KOZ-7
  [][phase = "playing" /\ maker' # maker => LaidNow /\ maker = None /\ maker' = turn]_vars
KnockingEnds ==                                        \* KOZ-5
  [][phase = "playing" /\ phase' = "playing" /\ turn' # turn /\ ~LaidNow => \E i \in Players : CanLay(i)]_vars

ScoredNow == phase = "counting" /\ phase' = "over"
Gain(i) == accounts'[i].points - accounts[i].points
Cleared(i) == accounts'[i].points < accounts[i].points

HandsAreCounted ==                                               \* KOZ-8
  [][ScoredNow /\ ending # "timeout" =>
       \A i \in Players :
         counts'[i] = IF hands[i] = {<<0, 0>>} THEN LoneBlank
                      ELSE SumOver([t \in Tiles |-> t[1] + t[2]], hands[i])]_vars
SmallSumsAreRemembered ==                                        \* KOZ-9, KOZ-10
  [][ScoredNow => \A i \in Players :
       /\ accounts[i].open => accounts'[i].open /\ Gain(i) >= 0
       /\ ~accounts[i].open => (accounts'[i].open <=> Gain(i) > RememberedTo)]_vars
OnlyTheseAreCleared ==                                           \* KOZ-11, KOZ-13
  [][ScoredNow => \A i \in Players :
       Cleared(i) => /\ ~accounts[i].open /\ accounts'[i] = [open |-> FALSE, points |-> 0]
                     /\ IF ending = "out" THEN i = winner
                        ELSE /\ ending = "fish" /\ FishScoring = "ON_ONE"
                             /\ \E j \in Players : counts'[j] > counts'[i]]_vars
TheseAreCleared ==                                               \* KOZ-11, KOZ-13
  [][ScoredNow => \A i \in Players :
       /\ (ending = "out" /\ i = winner /\ ~accounts[i].open) => accounts'[i].points = 0
       /\ (/\ ending = "fish" /\ FishScoring = "ON_ONE" /\ ~accounts[i].open
           /\ \E j \in Players \ {i} : \A k \in Players \ {j} : counts'[k] < counts'[j])
          => accounts'[i].points = 0]_vars
PointsConserved ==                                               \* KOZ-12 to KOZ-14
  [][ScoredNow /\ ending # "timeout" =>
       LET gained == SumOver([i \in Players |-> IF Cleared(i) THEN 0 ELSE Gain(i)], Players)
           all    == SumOver([i \in Players |-> counts'[i]], Players) + carry
       IN  IF lost' = {} THEN gained + carry' = all ELSE gained <= all]_vars
OwnHandsOnAll ==                                                 \* KOZ-12
  [][ScoredNow /\ ending # "timeout" /\ FishScoring = "ON_ALL" =>
       \A i \in Players : Gain(i) = counts'[i] \/ (i = winner /\ ending = "out")]_vars
OneIsCredited ==                                                 \* KOZ-13
  [][ScoredNow /\ ending = "fish" /\ FishScoring = "ON_ONE" =>
       Cardinality({i \in Players : Gain(i) > 0}) = (IF Alone(counts') THEN 1 ELSE 0)]_vars
CarryGoesToTheHighest ==                                         \* KOZ-14
  [][ScoredNow /\ carry > 0 /\ ending # "timeout" =>
       \A i \in Players : Gain(i) > counts'[i] => \A j \in Players \ {i} : counts'[j] < counts'[i]]_vars
TimeOutScoresNothing ==                                          \* KOZ-17
  [][ScoredNow /\ ending = "timeout" => accounts' = accounts /\ lost' = {}]_vars

EveryRoundEnds == <>(phase = "over")                             \* KOZ-6
=============================================================================

----------------------------- MODULE KozelRound -----------------------------
(***************************************************************************)
(* One round of Kozel as its referee sees it: the deal, the lead, laying,  *)
(* drawing, knocking, how a round ends, and what it is worth.              *)
(*                                                                         *)
(* A tile is <<low, high>>.  Tiles of the boneyard have no order: any of   *)
(* them may be the next one drawn.  Of the chain only what lies and what   *)
(* its ends show is kept.  A refused proposal changes nothing (BET-8,      *)
(* BET-9), so it is a stuttering step and is not written down; what is     *)
(* refused is whatever Options does not offer.  A deal that KOZ-2 refuses  *)
(* is dealt again before anything else happens, and is not written down.   *)
(***************************************************************************)
EXTENDS KozelScores, Sequences

CONSTANTS
  Most,            \* highest number on the tiles, 6 (KOZ-1); even
  HandTiles,       \* 7 (KOZ-1)
  RedealDoubles, RedealBearing,   \* 5 and 6 (KOZ-2)
  FishRule,        \* "STRUCTURAL" or "NO_LEGAL_MOVE" (KOZ-7)
  LoneBlank,       \* 10 (KOZ-8)
  Starts           \* records [leader, accounts, carry] that a round begins with

VARIABLES
  start,     \* how the round began; never changes.  leader None: the first round
  phase,     \* "dealing", "playing", "counting", "over"
  hands,     \* the tiles of each player
  bone,      \* the boneyard
  laid,      \* the tiles on the table
  left, right,   \* what the ends show; None before the first tile
  turn,      \* whose turn it is, or None
  last,      \* who laid the last tile, or was out of time
  maker,     \* who closed the chain (KOZ-7), or None
  ending,    \* "none", "out", "fish", "timeout"
  winner,    \* who went out or made the fish
  counts,    \* what the hands count (KOZ-8); None before
  accounts, carry,   \* KOZ-9 to KOZ-14
  lost,      \* who has lost the game (KOZ-15)
  ratings    \* KOZ-16; None while the game goes on

playVars == <<phase, hands, bone, laid, left, right, turn, last, maker, ending, winner>>
endVars  == <<counts, accounts, carry, lost, ratings>>
vars     == <<start, playVars, endVars>>

-----------------------------------------------------------------------------
(* TILES (KOZ-1).                                                          *)

Numbers == 0..Most
Tiles   == {t \in Numbers \X Numbers : t[1] <= t[2]}
IsDouble(t) == t[1] = t[2]
Bears(t, n) == t[1] = n \/ t[2] = n
Other(t, n) == IF t[1] = n THEN t[2] ELSE t[1]
Blank == <<0, 0>>
Pips == [t \in Tiles |-> t[1] + t[2]]
Bearing(S, n) == {t \in S : Bears(t, n)}
Doubles(S) == {t \in S : IsDouble(t)}

-----------------------------------------------------------------------------
(* THE DEAL.                                                               *)

(* KOZ-2.                                                                  *)
MustRedeal(S) == \/ Cardinality(Doubles(S)) >= RedealDoubles
                 \/ \E n \in Numbers : Cardinality(Bearing(S, n)) >= RedealBearing

RECURSIVE HandsOf(_, _)
HandsOf(i, free) ==          \* every way to deal to the players i, i + 1 ...
  IF i = N THEN {<< >>}
  ELSE UNION {{<<S>> \o rest : rest \in HandsOf(i + 1, free \ S)} :
              S \in {S \in SUBSET free : Cardinality(S) = HandTiles}}
Deals == {[i \in Players |-> h[i + 1]] : h \in HandsOf(0, Tiles)}

(* KOZ-3.  1-1, 2-2 and so on, then 0-0; then the heaviest, of equal ones  *)
(* that with the higher half.  The first in this order has the least value.*)
OpeningRank(t) ==
  IF IsDouble(t) THEN (t[1] + Most) % (Most + 1)
  ELSE 1000 - 20 * Pips[t] - t[2]
Held(h) == UNION {h[i] : i \in Players}
OpeningTile(h) == CHOOSE t \in Held(h) : \A u \in Held(h) : OpeningRank(t) <= OpeningRank(u)
Leader(h) == IF start.leader # None THEN start.leader
             ELSE CHOOSE i \in Players : OpeningTile(h) \in h[i]

DealOf(h) ==
  /\ phase = "dealing"
  /\ \A i \in Players : Cardinality(h[i]) = HandTiles /\ h[i] \subseteq Tiles /\ ~MustRedeal(h[i])
  /\ \A i, j \in Players : i # j => h[i] \cap h[j] = {}
  /\ phase' = "playing" /\ hands' = h /\ bone' = Tiles \ Held(h)
  /\ turn' = Leader(h)
  /\ UNCHANGED <<start, laid, left, right, last, maker, ending, winner, endVars>>
Dealt == phase = "dealing" /\ \E h \in Deals : DealOf(h)

-----------------------------------------------------------------------------
(* WHAT MAY BE DONE.                                                       *)

(* KOZ-4.                                                                  *)
FitsLeft(t)  == Bears(t, left)
FitsRight(t) == Bears(t, right)
Fits(t) == laid = {} \/ FitsLeft(t) \/ FitsRight(t)
CanLay(i) == \E t \in hands[i] : Fits(t)

(* KOZ-6.  Somebody has no tiles left.                                     *)
IsOut == \E i \in Players : hands[i] = {}

(* KOZ-7.  Both ends show one number, and all its tiles but perhaps the    *)
(* double lie.                                                             *)
Closed(l, r, S) == l = r /\ Cardinality(Bearing(S, l) \ Doubles(S)) = Most
IsFish == /\ maker # None /\ ~IsOut
          /\ FishRule = "STRUCTURAL" \/ <<left, left>> \in laid

Playing == phase = "playing" /\ ~IsOut /\ ~IsFish

(* KOZ-3, KOZ-4, KOZ-5.  Tiles and ends that player i may choose from.     *)
Options(i) ==
  IF ~Playing \/ turn # i THEN {}
  ELSE IF laid = {}
       THEN IF start.leader = None THEN {<<OpeningTile(hands), "none">>}
            ELSE {<<t, "none">> : t \in hands[i]}
       ELSE {<<t, "left">> : t \in {t \in hands[i] : FitsLeft(t)}}
            \cup {<<t, "right">> : t \in {t \in hands[i] : FitsRight(t)}}

-----------------------------------------------------------------------------
(* PLAY.                                                                   *)

Next1(i) == (i + 1) % N

Laid(i, t, e) ==
  /\ <<t, e>> \in Options(i)
  /\ left'  = (CASE e = "none" -> t[2] [] e = "left"  -> Other(t, left)  [] OTHER -> left)
  /\ right' = (CASE e = "none" -> t[1] [] e = "right" -> Other(t, right) [] OTHER -> right)
  /\ hands' = [hands EXCEPT ![i] = @ \ {t}]
  /\ laid' = laid \cup {t}
  /\ last' = i /\ turn' = Next1(i)
  /\ maker' = IF maker = None /\ Closed(left', right', laid') THEN i ELSE maker
  /\ UNCHANGED <<start, phase, bone, ending, winner, endVars>>

(* KOZ-5.  Drawing and knocking, by the referee.                           *)
CannotLay(i) == Playing /\ turn = i /\ ~CanLay(i)
Drawn(i, t) ==
  /\ CannotLay(i) /\ t \in bone
  /\ hands' = [hands EXCEPT ![i] = @ \cup {t}] /\ bone' = bone \ {t}
  /\ UNCHANGED <<start, phase, laid, left, right, turn, last, maker, ending, winner, endVars>>
Knocked(i) ==
  /\ CannotLay(i) /\ bone = {}
  /\ turn' = Next1(i)
  /\ UNCHANGED <<start, phase, hands, bone, laid, left, right, last, maker, ending, winner, endVars>>

Ended(how, who) ==
  /\ phase' = "counting" /\ ending' = how /\ winner' = who /\ turn' = None
  /\ UNCHANGED <<start, hands, bone, laid, left, right, maker, endVars>>
WentOut  == phase = "playing" /\ IsOut /\ Ended("out", last) /\ UNCHANGED last          \* KOZ-6
FishMade == phase = "playing" /\ IsFish /\ Ended("fish", maker) /\ UNCHANGED last       \* KOZ-7
TimedOut(i) == /\ Options(i) # {} /\ Ended("timeout", None) /\ last' = i                \* KOZ-17

-----------------------------------------------------------------------------
(* THE END.                                                                *)

(* KOZ-8.                                                                  *)
CountOf(S) == IF S = {Blank} THEN LoneBlank ELSE SumOver(Pips, S)

(* KOZ-9 to KOZ-16.                                                        *)
Scored ==
  /\ phase = "counting" /\ ending # "timeout"
  /\ phase' = "over"
  /\ counts' = [i \in Players |-> CountOf(hands[i])]
  /\ accounts' = AccountsAfter(accounts, ending, winner, counts', carry)
  /\ lost' = Losers(accounts')
  /\ carry' = IF lost' = {} THEN CarryAfter(ending, counts', carry) ELSE 0
  /\ ratings' = IF lost' = {} THEN NotRated ELSE [i \in Players |-> Rating(accounts', i)]
  /\ UNCHANGED <<start, hands, bone, laid, left, right, turn, last, maker, ending, winner>>

(* KOZ-16, KOZ-17.  The round is not scored.                               *)
Stopped ==
  /\ phase = "counting" /\ ending = "timeout"
  /\ phase' = "over"
  /\ carry' = 0
  /\ ratings' = [i \in Players |-> LateRating(accounts, last, i)]
  /\ UNCHANGED <<start, hands, bone, laid, left, right, turn, last, maker, ending, winner, counts,
                 accounts, lost>>

-----------------------------------------------------------------------------
(* The round.                                                              *)

InitFrom(s) ==
  /\ start = s /\ phase = "dealing"
  /\ hands = [i \in Players |-> {}] /\ bone = {} /\ laid = {}
  /\ left = None /\ right = None /\ turn = None /\ last = None /\ maker = None
  /\ ending = "none" /\ winner = None
  /\ counts = [i \in Players |-> None]
  /\ accounts = s.accounts /\ carry = s.carry /\ lost = {} /\ ratings = NotRated
Init == \E s \in Starts : InitFrom(s)

Lays(i)  == \E o \in Options(i) : Laid(i, o[1], o[2])
Draws(i) == \E t \in bone : Drawn(i, t)
Over == phase = "over" /\ UNCHANGED vars        \* a finished round stays so

Goes == \/ Dealt \/ WentOut \/ FishMade \/ Scored \/ Stopped
        \/ \E i \in Players : Lays(i) \/ Draws(i) \/ Knocked(i)
Next == Goes \/ (\E i \in Players : TimedOut(i)) \/ Over

(* Fairness is asked of play and referee; that somebody is out of time is  *)
(* not needed for a round to end.                                          *)
Spec == Init /\ [][Next]_vars /\ WF_vars(Goes)
=============================================================================

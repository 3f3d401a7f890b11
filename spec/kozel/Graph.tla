-------------------------------- MODULE Graph --------------------------------
(***************************************************************************)
(* The state graph of a round as other programs read it (TLC's -dump).     *)
(* One variable is added that says what each player may choose from; it is *)
(* a function of the state, so the graph has the same nodes and edges.     *)
(***************************************************************************)
EXTENDS KozelRound

VARIABLE options

Offers == [i \in Players |-> Options(i)]
Noted == options' = Offers'

GDealt    == Dealt /\ Noted
GLays(i)  == Lays(i) /\ Noted
GDraws(i) == Draws(i) /\ Noted
GKnocked(i)  == Knocked(i) /\ Noted
GTimedOut(i) == TimedOut(i) /\ Noted
GWentOut  == WentOut /\ Noted
GFishMade == FishMade /\ Noted
GScored   == Scored /\ Noted
GStopped  == Stopped /\ Noted
GOver     == Over /\ UNCHANGED options

GInit == Init /\ options = Offers
GNext == \/ GDealt \/ GWentOut \/ GFishMade \/ GScored \/ GStopped
         \/ \E i \in Players : GLays(i) \/ GDraws(i) \/ GKnocked(i) \/ GTimedOut(i)
         \/ GOver
GSpec == GInit /\ [][GNext]_<<vars, options>>
=============================================================================

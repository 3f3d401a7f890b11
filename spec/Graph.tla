-------------------------------- MODULE Graph --------------------------------
(***************************************************************************)
(* The state graph of a hand as other programs read it (TLC's -dump).      *)
(* Two variables are added that say of each state whose turn it is and     *)
(* what every seat is offered.  Both are functions of the state, so the    *)
(* graph has the same nodes and edges; an edge's label is the action's     *)
(* name with a G before it.  A proposal that is not offered is refused and *)
(* would be an edge from the state to itself.                              *)
(***************************************************************************)
EXTENDS IrishHand

VARIABLES turn, options

(* fold, check, call, least, most, discard; nothing without a decision.    *)
Offer(i) ==
  LET o == Options(i)
  IN  IF o.open THEN <<o.fold, o.check, o.call, o.least, o.most, o.discard>> ELSE << >>
Offers == [i \in Seats |-> Offer(i)]

Noted == turn' = Turn' /\ options' = Offers'

GPostAndDeal     == PostAndDeal /\ Noted
GFolded(i)       == Folded(i) /\ Noted
GChecked(i)      == Checked(i) /\ Noted
GCalled(i)       == Called(i) /\ Noted
GBet(i)          == Bet(i) /\ Noted
GRaised(i)       == Raised(i) /\ Noted
GRoundClosed     == RoundClosed /\ Noted
GBoardDealt      == BoardDealt /\ Noted
GDiscardsOpened  == DiscardsOpened /\ Noted
GDiscarded(i)    == Discarded(i) /\ Noted
GDiscardsClosed  == DiscardsClosed /\ Noted
GHandsTabled     == HandsTabled /\ Noted
GSomeShowdown    == SomeShowdown /\ Noted
GWonUncontested  == WonUncontested /\ Noted
GHandShown(i)    == HandShown(i) /\ Noted
GTimedOutBetting(i)    == TimedOutBetting(i) /\ Noted
GTimedOutDiscarding(i) == TimedOutDiscarding(i) /\ Noted
GForfeited(i)          == Forfeited(i) /\ Noted
GOver == Over /\ UNCHANGED <<turn, options>>

GInit == Init /\ turn = Turn /\ options = Offers
GNext == \/ GPostAndDeal \/ GRoundClosed \/ GBoardDealt
         \/ GDiscardsOpened \/ GDiscardsClosed
         \/ GHandsTabled \/ GSomeShowdown \/ GWonUncontested
         \/ \E i \in Seats :
              \/ GFolded(i) \/ GChecked(i) \/ GCalled(i) \/ GBet(i) \/ GRaised(i)
              \/ GDiscarded(i) \/ GHandShown(i)
              \/ GTimedOutBetting(i) \/ GTimedOutDiscarding(i) \/ GForfeited(i)
         \/ GOver
GSpec == GInit /\ [][GNext]_<<vars, turn, options>>
=============================================================================

------------------------------ MODULE Witnesses ------------------------------
(***************************************************************************)
(* Does it ever happen?  A property that holds because nothing interesting *)
(* is reached says nothing.  TLC prints each situation below when it first *)
(* meets it; the checker insists that every one of them is met.            *)
(* The registers 1, 2, ... of TLC remember what was printed.               *)
(***************************************************************************)
EXTENDS Properties, TLC

Situations == 1..85
ASSUME \A k \in Situations : TLCSet(k, FALSE)

Note(k, name, happens) ==
  IF TLCGet(k) THEN TRUE
  ELSE IF happens THEN TLCSet(k, TRUE) /\ PrintT(name) ELSE TRUE

-----------------------------------------------------------------------------
Asking     == Turn # None
MayRaise   == Asking /\ WagerRange(Turn).most > 0
AllInSeats == {i \in live : stack[i] = 0}
OddIn(p)   == LET best == {i \in p.eligible : \A j \in p.eligible : rank[j] <= rank[i]}
              IN  (p.amount \div ChipUnit) % Cardinality(best) # 0
BeatenIn(i, p) == \E j \in p.eligible \cap ShownSet : rank[j] > rank[i]

InBetting ==
  /\ Note(1, "big blind has the option (BLIND-4)",
          Asking /\ Turn = BigBlindSeat /\ street = 0 /\ level = BigBlind /\ bet[Turn] = level)
  /\ Note(2, "a short big blind, the full one is owed (BLIND-3)",
          Asking /\ street = 0 /\ bet[BigBlindSeat] < BigBlind /\ Owed(Turn) = BigBlind)
  /\ Note(3, "all-in by the ante, nothing left for the blind (BLIND-5)",
          phase = "betting" /\ street = 0 /\ BlindPaid(BigBlindSeat) = 0)
  /\ Note(4, "a live post may be checked (SEAT-3, BLIND-4)",
          Asking /\ Turn \in LivePosts /\ street = 0 /\ Owed(Turn) = 0)
  /\ Note(5, "facing all-ins only: call or fold, no raise (BET-6)",
          Asking /\ HasChips = {Turn})
  /\ Note(6, "not reopened by a short all-in (OPEN-2)",
          Asking /\ Turn \in acted /\ Owed(Turn) > 0 /\ Several(HasChips) /\ ~Reopened(Turn))
  /\ Note(7, "reopened by a raise (OPEN-2)", MayRaise /\ Turn \in acted)
  /\ Note(8, "the pot limit binds (SIZE-4)",
          MayRaise /\ Limit = "PL" /\ PotLimit(Turn) < AllIn(Turn))
  /\ Note(9, "a short or missing blind does not shrink a binding pot limit (SIZE-4)",
          MayRaise /\ Limit = "PL" /\ street = 0 /\ BlindsMissing > 0
            /\ PotLimit(Turn) < AllIn(Turn))
  /\ Note(10, "capped: call or fold only (SIZE-6)",
          Asking /\ Capped /\ Several(HasChips) /\ AllIn(Turn) > level)
  /\ Note(11, "no cap heads-up: one raise more than the cap (SIZE-7)",
          Asking /\ Limit = "FL" /\ wagers > 1 + MaxRaises)
  /\ Note(12, "capped with three seats although heads-up is uncapped (SIZE-7)",
          Asking /\ Capped /\ CapHeadsUp = "UNCAPPED")
  /\ Note(13, "folding with nothing owed is refused (BET-3)",
          Asking /\ Owed(Turn) = 0 /\ OpenFold = "REFUSE")
  /\ Note(14, "folding with nothing owed is allowed (BET-3)",
          Asking /\ Owed(Turn) = 0 /\ MayFold(Turn))
  /\ Note(15, "the last contender of a pot may not fold openly (BET-3)",
          Asking /\ Owed(Turn) = 0 /\ OpenFold = "ALLOW" /\ ~MayFold(Turn))
  /\ Note(16, "an all-in below the minimum is all that may be wagered (SIZE-2)",
          MayRaise /\ Limit # "FL" /\ WagerRange(Turn).most < level + increment)
  /\ Note(17, "a higher minimum on a late street (SIZE-9)",
          MayRaise /\ Limit # "FL" /\ level = 0 /\ WagerRange(Turn).least > BigBlind)
  /\ Note(18, "fixed-limit: a short all-in may be completed (SIZE-8)",
          MayRaise /\ Limit = "FL" /\ base > 0 /\ level > base /\ AllIn(Turn) >= base + FixedBet)
  /\ Note(19, "fixed-limit: a short opening all-in may be completed to a bet (SIZE-8)",
          MayRaise /\ Limit = "FL" /\ base = 0 /\ level > 0 /\ AllIn(Turn) >= FixedBet)
  /\ Note(20, "fixed-limit: an all-in of half a bet or more counts (SIZE-8)",
          Asking /\ Limit = "FL" /\ base = level /\ level % BigBlind # 0)
  /\ Note(21, "fixed-limit: completion closed to a seat that acted (OPEN-2)",
          Asking /\ Limit = "FL" /\ Turn \in acted /\ level > base /\ ~Reopened(Turn))

InDiscarding ==
  /\ Note(22, "an all-in seat owes a discard (DISC-4)",
          \E i \in AllInSeats : OwesDiscard(i))
  /\ Note(23, "a late discard folds the hand (DISC-8)",
          phase = "discarding" /\ \E i \in live : OwesDiscard(i) /\ LateFolds(i))
  /\ Note(24, "FOLD spares an all-in seat (DISC-8)",
          DiscardTimeout = "FOLD" /\ \E i \in AllInSeats : OwesDiscard(i))
  /\ Note(25, "FOLD spares a pot's last contender (DISC-8)",
          DiscardTimeout = "FOLD" /\ \E i \in HasChips : OwesDiscard(i) /\ ~LateFolds(i))
  /\ Note(26, "late discards leave one live seat (DISC-8, BET-7)",
          phase = "discarding" /\ ~Several(live))
  /\ Note(27, "discarding with the betting over (DISC-7)",
          phase = "discarding" /\ ~Several(HasChips))
  /\ Note(28, "discarding before the flop (GAME-3)", phase = "discarding" /\ street = 0)
  /\ Note(29, "discarding before the flop's betting (GAME-3)",
          phase = "discarding" /\ startedWith > 0)

AtTheEnd ==
  /\ Note(30, "three pots (POT-1)", AtShowdown /\ Cardinality(FinalPots) = 3)
  /\ Note(31, "three side pots (POT-1)", AtShowdown /\ Cardinality(FinalPots) = 4)
  /\ Note(32, "odd chips in two pots (POT-6)",
          AtShowdown /\ Cardinality({p \in FinalPots : OddIn(p)}) = 2)
  /\ Note(33, "odd chip units larger than one chip (POT-6)",
          AtShowdown /\ ChipUnit > 1 /\ \E p \in FinalPots : OddIn(p))
  /\ Note(34, "a pot with one eligible seat (POT-4)",
          AtShowdown /\ \E p \in FinalPots : Cardinality(p.eligible) = 1)
  /\ Note(35, "dead money alone makes the lowest pot (BLIND-6)",
          AtShowdown /\ \E p \in FinalPots : p.level = 0)
  /\ Note(36, "a hand is mucked (SHOW-2)", AtShowdown /\ mucked # {})
  /\ Note(37, "a beaten hand is shown by preset (SHOW-2)",
          AtShowdown /\ AllInExposure = "ORDERED" /\ \E i \in ShowWhenBeaten \cap ShownSet :
            i # shown[1] /\ \A p \in FinalPots : i \in p.eligible => BeatenIn(i, p))
  /\ Note(38, "beaten in the main pot, shown for a side pot (SHOW-2)",
          AtShowdown /\ AllInExposure = "ORDERED" /\ ShowWhenBeaten = {}
            /\ \E i \in ShownSet \ {shown[1]} : \E p \in FinalPots :
                 i \in p.eligible /\ BeatenIn(i, p))
  /\ Note(39, "every hand is shown although beaten (SHOW-4, SHOW_ALL)",
          AtShowdown /\ AllInExposure = "SHOW_ALL" /\ \E i \in ShownSet \ {shown[1]} :
            \A p \in FinalPots : i \in p.eligible => \E j \in p.eligible : rank[j] > rank[i])
  /\ Note(40, "all-in hands tabled before the river (SHOW-4, TABLE_ALL)",
          phase = "between" /\ shown # << >> /\ street < River)
  /\ Note(41, "all-in hands tabled after the river's betting (SHOW-4, TABLE_ALL)",
          phase = "between" /\ Len(shown) > Cardinality(AllInSeats) + 1 /\ street = River)
  /\ Note(42, "checked down: left of the button shows first (SHOW-1)",
          AtShowdown /\ \A s \in 0..River : lifts[s] = None)
  /\ Note(43, "an earlier round decides who shows first (SHOW-1, WALK_BACK)",
          AtShowdown /\ ShowdownOrder = "WALK_BACK" /\ lifts[River] = None
            /\ LiftedBy(live) # {} /\ shown[1] # MinOf(live))
  /\ Note(44, "the last to lift has folded, the round before counts (SHOW-1)",
          AtShowdown /\ \E s \in 1..River : lifts[s] \in Seats \ live
            /\ \E t \in 0..(s-1) : lifts[t] \in live)
  /\ Note(45, "an earlier round does not decide (SHOW-1, FINAL_ROUND)",
          AtShowdown /\ ShowdownOrder = "FINAL_ROUND" /\ AllInSeats # live
            /\ ~SomebodyIsAllIn /\ LiftedBy(live) = {} /\ \E s \in 0..2 : lifts[s] \in live)
  /\ Note(46, "a showdown after a returned bet over an all-in (SHOW-5)",
          AtShowdown /\ SomebodyIsAllIn /\ \E s \in 1..River :
            lifts[s] \in live /\ \A i \in live \ {lifts[s]} : total[i] + DeadPaid(i) = start[i])
  /\ Note(47, "everybody ties (POT-5)",
          AtShowdown /\ Cardinality(live) > 2 /\ \A i, j \in live : rank[i] = rank[j])
  /\ Note(48, "the big blind wins uncontested and unraised (BET-7)",
          phase = "over" /\ live = {BigBlindSeat} /\ lifts[0] = None /\ street = 0)
  /\ Note(49, "rake is taken (POT-8)", rake > 0)
  /\ Note(50, "the cap of the rake binds (POT-8)",
          phase = "over" /\ rake = RakeCap
            /\ Sum([p \in FinalPots |-> FullRake(p)], FinalPots) > rake)
  /\ Note(51, "no flop, no drop (POT-8)",
          phase = "over" /\ NoFlopNoDrop /\ street = 0
            /\ \E p \in FinalPots : FullRake(p) > 0)

States == InBetting /\ InDiscarding /\ AtTheEnd

Steps ==
  [][/\ Note(52, "an uncalled bet is returned (POT-2)",
             phase = "betting" /\ phase' = "between" /\ \E i \in Seats : stack'[i] > stack[i])
     /\ Note(53, "what is returned was partly matched by a folded seat (POT-2)",
             phase = "betting" /\ phase' = "between"
               /\ \E i \in live : stack'[i] > stack[i] /\ live # {i}
                  /\ \E j \in Seats \ live : bet[j] = total'[i] /\ bet[j] > 0
                       /\ \A k \in live \ {i} : bet[k] < bet[j])
     /\ Note(54, "two short all-ins together reopen (OPEN-2)",
             Lifted /\ Limit # "FL" /\ stack'[Turn] = 0 /\ level' - level < increment
               /\ \E i \in acted \ {Turn} : /\ stack[i] > 0 /\ ~Reopened(i) /\ level > bet[i]
                                            /\ Reopened(i)' /\ \E j \in HasChips' : j # i)
     /\ Note(55, "a street is dealt without betting (BET-5)",
             street' > street /\ phase' = "between" /\ DiscardsDone')
     /\ Note(56, "all-in before the flop (BET-5, DISC-7)",
             street = 0 /\ phase = "betting" /\ phase' = "between" /\ Several(live)
               /\ ~Several(HasChips'))
     /\ Note(57, "the discard round changes who is left with chips (DISC-8, BET-5)",
             phase = "discarding" /\ phase' = "discarding" /\ Several(live')
               /\ Several(HasChips) /\ ~Several(HasChips'))
     /\ Note(58, "fixed-limit: a completion counts and is less than a full bet more (SIZE-8)",
             Lifted /\ Limit = "FL" /\ level # base /\ level' - base = FixedBet)
     /\ Note(59, "fixed-limit: two short all-ins together count (SIZE-8)",
             Lifted /\ Limit = "FL" /\ level # base /\ stack'[Turn] = 0 /\ base' = level'
               /\ 2 * (level' - level) < FixedBet)
     /\ Note(60, "an all-in over an all-in below the minimum: the next raise is still full (SIZE-3)",
             Lifted /\ Limit # "FL" /\ level > 0 /\ level < increment /\ stack'[Turn] > 0)
     /\ Note(61, "a mucked hand is shown after the end (SHOW-2)",
             phase = "over" /\ mucked' # mucked)
     /\ Note(62, "an uncontested hand is shown after the end (SHOW-7)",
             phase = "over" /\ shown' # shown /\ ~Several(live))
     /\ Note(63, "a bet is folded to and a hand ends on the river (BET-7)",
             street = River /\ phase = "betting" /\ ~Several(live))
     /\ Note(64, "PostAndDeal",    PostAndDeal)
     /\ Note(65, "Folded",         \E i \in Seats : Folded(i))
     /\ Note(66, "Checked",        \E i \in Seats : Checked(i))
     /\ Note(67, "Called",         \E i \in Seats : Called(i))
     /\ Note(68, "Bet",            \E i \in Seats : Bet(i))
     /\ Note(69, "Raised",         \E i \in Seats : Raised(i))
     /\ Note(70, "TimedOutBetting: a check", \E i \in Seats : TimedOutBetting(i) /\ live' = live)
     /\ Note(71, "TimedOutBetting: a fold",  \E i \in Seats : TimedOutBetting(i) /\ live' # live)
     /\ Note(72, "RoundClosed",    RoundClosed)
     /\ Note(73, "BoardDealt",     BoardDealt)
     /\ Note(74, "DiscardsOpened", DiscardsOpened)
     /\ Note(75, "Discarded",      \E i \in Seats : Discarded(i))
     /\ Note(76, "TimedOutDiscarding: automatic", \E i \in Seats : TimedOutDiscarding(i) /\ live' = live)
     /\ Note(77, "TimedOutDiscarding: a fold",    \E i \in Seats : TimedOutDiscarding(i) /\ live' # live)
     /\ Note(78, "DiscardsClosed", DiscardsClosed)
     /\ Note(79, "HandsTabled",    HandsTabled)
     /\ Note(80, "SomeShowdown",   phase' = "over" /\ SomeShowdown)
     /\ Note(81, "WonUncontested", WonUncontested)
     /\ Note(82, "HandShown",      \E i \in Seats : HandShown(i))
     /\ Note(83, "Forfeited: a fold with nothing owed",
             Asking /\ Owed(Turn) = 0 /\ Forfeited(Turn) /\ ~MayFold(Turn))
     /\ Note(84, "Forfeited: a discard though late ones fold",
             \E i \in Seats : OwesDiscard(i) /\ LateFolds(i) /\ Forfeited(i))
     /\ Note(85, "Forfeited: the last contender of a pot, whose chips join the one below (POT-3)",
             Asking /\ Forfeited(Turn) /\ SoleContender(Turn, total, live))]_vars
=============================================================================

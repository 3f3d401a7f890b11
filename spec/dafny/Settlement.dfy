// Settlement of a hand, proved for any number of players and any number of chips.
//
// What is proved is about the functions of the first part, which are executable: they are compiled to JavaScript and
// compared with the referee's own settlement. Rule ids are those of the rulebook.
//
// Players are given in the order of POT-6: position 0 is the first player left of the button, the button is last.
//   bet[i]   what player i put in on the betting round that closed last: live blinds and wagers (POT-2)
//   total[i] what he put in over the whole hand as antes, blinds and wagers (POT-1), nothing returned yet
//   put[i]   the same after the uncalled bet was returned
//   live[i]  he has not folded
//   rank[i]  strength of his hand, at least 1, higher is better; of no account for those who folded
//   dead     dead money, which is in nobody's total (BLIND-6)
//   unit     the chip unit: every amount is a multiple of it
//
// Verified with Dafny 2.3. Newer ones should take it with --function-syntax:3; that has not been tried.

// ================================================================ definitions

function method Min(a: nat, b: nat): nat { if a < b then a else b }
function method Max(a: nat, b: nat): nat { if a < b then b else a }

// Product, quotient and remainder, whose arithmetic is kept from the prover where it does not need it.
function method {:opaque} Times(a: nat, b: nat): nat { a * b }
function method {:opaque} Quot(a: nat, b: nat): nat requires b > 0 { a / b }
function method {:opaque} Rem(a: nat, b: nat): nat requires b > 0 { a % b }

function method Sum(s: seq<nat>): nat
{ if |s| == 0 then 0 else s[0] + Sum(s[1..]) }

function method Zeros(n: nat): seq<nat>
  ensures |Zeros(n)| == n && forall i :: 0 <= i < n ==> Zeros(n)[i] == 0
{ if n == 0 then [] else [0] + Zeros(n - 1) }

function method Add(a: seq<nat>, b: seq<nat>): seq<nat>
  requires |a| == |b|
  ensures |Add(a, b)| == |a|
  ensures forall i :: 0 <= i < |a| ==> Add(a, b)[i] == a[i] + b[i]
{ if |a| == 0 then [] else [a[0] + b[0]] + Add(a[1..], b[1..]) }

function method Less(a: seq<nat>, b: seq<nat>): seq<nat>
  requires |a| == |b| && forall i :: 0 <= i < |a| ==> b[i] <= a[i]
  ensures |Less(a, b)| == |a|
  ensures forall i :: 0 <= i < |a| ==> Less(a, b)[i] == a[i] - b[i]
{ if |a| == 0 then [] else [a[0] - b[0]] + Less(a[1..], b[1..]) }

// Every element times the chip unit.
function method Scale(s: seq<nat>, unit: nat): seq<nat>
  ensures |Scale(s, unit)| == |s|
  ensures forall i :: 0 <= i < |s| ==> Scale(s, unit)[i] == Times(s[i], unit)
{ if |s| == 0 then [] else [Times(s[0], unit)] + Scale(s[1..], unit) }

// How many are marked.
function method Count(w: seq<bool>): nat
  ensures Count(w) == 0 ==> forall i :: 0 <= i < |w| ==> !w[i]
  ensures Count(w) > 0 ==> exists i :: 0 <= i < |w| && w[i]
{
  if |w| == 0 then 0 else
    var rest := Count(w[1..]);
    assert rest == 0 ==> forall i :: 1 <= i < |w| ==> w[i] == w[1..][i-1];
    assert rest > 0 ==> exists i :: 0 <= i < |w[1..]| && w[1..][i] && w[i+1];
    (if w[0] then 1 else 0) + rest
}

// The largest of the first n bets, player i's own left out (0: there is none).
function method LargestBut(bet: seq<nat>, i: nat, n: nat): nat
  requires n <= |bet|
  ensures forall j :: 0 <= j < n && j != i ==> bet[j] <= LargestBut(bet, i, n)
  ensures LargestBut(bet, i, n) > 0 ==> exists j :: 0 <= j < n && j != i && bet[j] == LargestBut(bet, i, n)
{
  if n == 0 then 0 else
    var r := LargestBut(bet, i, n - 1);
    if n - 1 != i && bet[n - 1] > r then bet[n - 1] else r
}

// POT-2: what each player gets back when a round closes: a live player who put in more on that round than everybody
// else, folded or not, gets back what is above the second largest.
function method Returned(bet: seq<nat>, live: seq<bool>): seq<nat>
  requires |bet| == |live|
  ensures |Returned(bet, live)| == |bet|
  ensures forall i :: 0 <= i < |bet| ==> Returned(bet, live)[i] == ReturnedTo(bet, live, i)
{ ReturnedUpTo(bet, live, |bet|) }

function method ReturnedUpTo(bet: seq<nat>, live: seq<bool>, n: nat): seq<nat>
  requires |bet| == |live| && n <= |bet|
  ensures |ReturnedUpTo(bet, live, n)| == n
  ensures forall i :: 0 <= i < n ==> ReturnedUpTo(bet, live, n)[i] == ReturnedTo(bet, live, i)
{ if n == 0 then [] else ReturnedUpTo(bet, live, n - 1) + [ReturnedTo(bet, live, n - 1)] }

function method ReturnedTo(bet: seq<nat>, live: seq<bool>, i: nat): nat
  requires |bet| == |live| && i < |bet|
{
  var others := LargestBut(bet, i, |bet|);
  if live[i] && others < bet[i] then bet[i] - others else 0
}

// Everybody's chips between two levels (POT-1), and everybody's chips above a level (POT-3).
function method Slice(put: seq<nat>, low: nat, high: nat): seq<nat>
  requires low <= high
  ensures |Slice(put, low, high)| == |put|
  ensures forall i :: 0 <= i < |put| ==> Slice(put, low, high)[i] == Min(put[i], high) - Min(put[i], low)
{ if |put| == 0 then [] else [Min(put[0], high) - Min(put[0], low)] + Slice(put[1..], low, high) }

function method Above(put: seq<nat>, low: nat): seq<nat>
  ensures |Above(put, low)| == |put|
  ensures forall i :: 0 <= i < |put| ==> Above(put, low)[i] == put[i] - Min(put[i], low)
{ if |put| == 0 then [] else [put[0] - Min(put[0], low)] + Above(put[1..], low) }

// The lowest total among those marked: the next level (POT-1).
function method Lowest(put: seq<nat>, who: seq<bool>): nat
  requires |put| == |who| && Count(who) > 0
  ensures forall i :: 0 <= i < |put| && who[i] ==> Lowest(put, who) <= put[i]
  ensures exists i :: 0 <= i < |put| && who[i] && put[i] == Lowest(put, who)
{
  if Count(who[1..]) == 0 then
    assert forall i :: 1 <= i < |who| ==> who[i] == who[1..][i-1];
    put[0]
  else
    var r := Lowest(put[1..], who[1..]);
    assert exists i :: 0 <= i < |put[1..]| && who[1..][i] && put[1..][i] == r && who[i+1] && put[i+1] == r;
    if who[0] then Min(put[0], r) else r
}

// Those who put in more than a level.
function method Higher(put: seq<nat>, who: seq<bool>, level: nat): seq<bool>
  requires |put| == |who|
  ensures |Higher(put, who, level)| == |who|
  ensures forall i :: 0 <= i < |who| ==> (Higher(put, who, level)[i] <==> who[i] && put[i] > level)
{ if |put| == 0 then [] else [who[0] && put[0] > level] + Higher(put[1..], who[1..], level) }

// A pot: its chips, its level, and who is eligible.
datatype Pot = Pot(amount: nat, level: nat, who: seq<bool>)

// The pots above a level, main pot first (POT-1). Dead money lies in the lowest (BLIND-6), even at level 0; chips above
// the highest level lie in the highest (POT-3). A layer without chips is no pot.
function method {:opaque} Layers(put: seq<nat>, who: seq<bool>, below: nat, dead: nat): seq<Pot>
  requires |put| == |who| && Count(who) > 0
  requires forall i :: 0 <= i < |put| && who[i] ==> below <= put[i]
  ensures |Layers(put, who, below, dead)| > 0
  ensures forall k :: 0 <= k < |Layers(put, who, below, dead)| ==>
            |Layers(put, who, below, dead)[k].who| == |who| && Count(Layers(put, who, below, dead)[k].who) > 0
  decreases Count(who)
{
  var level := Lowest(put, who);
  var next := Higher(put, who, level);
  if Count(next) == 0 then
    [Pot(Sum(Above(put, below)) + dead, level, who)]
  else
    FewerAreHigher(put, who);
    var chips := Sum(Slice(put, below, level)) + dead;
    var rest := Layers(put, next, level, 0);
    OnTopOf(Pot(chips, level, who), rest)
}

function method OnTopOf(pot: Pot, rest: seq<Pot>): seq<Pot>
  ensures pot.amount == 0 ==> OnTopOf(pot, rest) == rest
  ensures pot.amount > 0 ==> |OnTopOf(pot, rest)| == |rest| + 1 && OnTopOf(pot, rest)[0] == pot
  ensures pot.amount > 0 ==> OnTopOf(pot, rest)[1..] == rest
  ensures forall k :: 0 <= k < |OnTopOf(pot, rest)| ==>
            OnTopOf(pot, rest)[k] == pot || exists m :: 0 <= m < |rest| && OnTopOf(pot, rest)[k] == rest[m]
{
  if pot.amount == 0 then
    assert forall k :: 0 <= k < |rest| ==> rest[k] == rest[k];
    rest
  else
    var all := [pot] + rest;
    assert forall k :: 1 <= k < |all| ==> all[k] == rest[k-1];
    all
}

function method Pots(put: seq<nat>, live: seq<bool>, dead: nat): seq<Pot>
  requires |put| == |live| && Count(live) > 0
{ Layers(put, live, 0, dead) }

// POT-8: the rake of each pot. A replay takes the rake that was recorded (-1: none was). Otherwise basis points of each
// pot, rounded down to the chip unit, up to a cap for the hand (-1: none) that is filled from the main pot up.
function method Rakes(pots: seq<Pot>, unit: nat, basisPoints: nat, cap: int, due: bool, recorded: int): seq<nat>
  requires unit > 0
  ensures |Rakes(pots, unit, basisPoints, cap, due, recorded)| == |pots|
{
  if recorded >= 0 then Filled(Amounts(pots), recorded)
  else if !due then Zeros(|pots|)
  else if cap < 0 then FullRakes(pots, unit, basisPoints)
  else Filled(FullRakes(pots, unit, basisPoints), cap)
}

function method Amounts(pots: seq<Pot>): seq<nat>
  ensures |Amounts(pots)| == |pots|
  ensures forall k :: 0 <= k < |pots| ==> Amounts(pots)[k] == pots[k].amount
{ if |pots| == 0 then [] else [pots[0].amount] + Amounts(pots[1..]) }

function method FullRakes(pots: seq<Pot>, unit: nat, basisPoints: nat): seq<nat>
  requires unit > 0
  ensures |FullRakes(pots, unit, basisPoints)| == |pots|
  ensures forall k :: 0 <= k < |pots| ==>
            FullRakes(pots, unit, basisPoints)[k] == FullRake(pots[k].amount, unit, basisPoints)
{
  if |pots| == 0 then [] else
    [FullRake(pots[0].amount, unit, basisPoints)] + FullRakes(pots[1..], unit, basisPoints)
}

function method FullRake(amount: nat, unit: nat, basisPoints: nat): nat
  requires unit > 0
{ Times(Quot(Quot(Times(amount, basisPoints), 10000), unit), unit) }

function method Filled(most: seq<nat>, available: nat): seq<nat>
  ensures |Filled(most, available)| == |most|
  ensures forall k :: 0 <= k < |most| ==> Filled(most, available)[k] <= most[k]
{
  if |most| == 0 then [] else
    var taken := Min(most[0], available);
    [taken] + Filled(most[1..], available - taken)
}

// The best hand among those marked, and who holds it (POT-5).
function method Best(who: seq<bool>, rank: seq<nat>): nat
  requires |who| == |rank| && forall i :: 0 <= i < |rank| ==> rank[i] > 0
  ensures forall i :: 0 <= i < |rank| && who[i] ==> rank[i] <= Best(who, rank)
  ensures Best(who, rank) > 0 ==> exists i :: 0 <= i < |rank| && who[i] && rank[i] == Best(who, rank)
{
  if |rank| == 0 then 0 else
    var r := Best(who[1..], rank[1..]);
    assert r > 0 ==> exists i :: 0 <= i < |rank[1..]| && who[1..][i] && rank[1..][i] == r && who[i+1] && rank[i+1] == r;
    if who[0] && rank[0] > r then rank[0] else r
}

function method Winners(who: seq<bool>, rank: seq<nat>): seq<bool>
  requires |who| == |rank| && forall i :: 0 <= i < |rank| ==> rank[i] > 0
  ensures |Winners(who, rank)| == |who|
  ensures forall i :: 0 <= i < |who| ==> (Winners(who, rank)[i] <==> who[i] && rank[i] == Best(who, rank))
{ Tops(who, rank, Best(who, rank)) }

function method Tops(who: seq<bool>, rank: seq<nat>, best: nat): seq<bool>
  requires |who| == |rank|
  ensures |Tops(who, rank, best)| == |who|
  ensures forall i :: 0 <= i < |who| ==> (Tops(who, rank, best)[i] <==> who[i] && rank[i] == best)
{ if |who| == 0 then [] else [who[0] && rank[0] == best] + Tops(who[1..], rank[1..], best) }

// Equal shares, and what does not divide one by one to the first winners in order (POT-6); counted in chip units.
function method Deal(w: seq<bool>, each: nat, odd: nat): seq<nat>
  ensures |Deal(w, each, odd)| == |w|
  ensures forall i :: 0 <= i < |w| ==>
            Deal(w, each, odd)[i] == if !w[i] then 0 else each + (if Count(w[..i]) < odd then 1 else 0)
{
  if |w| == 0 then [] else
    var rest := Deal(w[1..], each, if w[0] && odd > 0 then odd - 1 else odd);
    assert forall i :: 1 <= i < |w| ==> w[..i][1..] == w[1..][..i-1];
    [if !w[0] then 0 else if odd > 0 then each + 1 else each] + rest
}

// The shares of an amount among its winners, in chips (POT-5, POT-6).
function method {:opaque} Split(w: seq<bool>, amount: nat, unit: nat): seq<nat>
  requires Count(w) > 0 && unit > 0
  ensures |Split(w, amount, unit)| == |w|
{
  var units := Quot(amount, unit);
  Scale(Deal(w, Quot(units, Count(w)), Rem(units, Count(w))), unit)
}

// What each player is awarded from one pot, its rake taken first (POT-5, POT-8).
function method Award(pot: Pot, rake: nat, rank: seq<nat>, unit: nat): seq<nat>
  requires Decidable(pot, rake, rank) && unit > 0
  ensures |Award(pot, rake, rank, unit)| == |rank|
{
  WinnerExists(pot.who, rank);
  Split(Winners(pot.who, rank), pot.amount - rake, unit)
}

predicate Decidable(pot: Pot, rake: nat, rank: seq<nat>)
{
  |pot.who| == |rank| && Count(pot.who) > 0 && rake <= pot.amount && forall i :: 0 <= i < |rank| ==> rank[i] > 0
}

predicate AllDecidable(pots: seq<Pot>, rakes: seq<nat>, rank: seq<nat>)
{ |pots| == |rakes| && forall k :: 0 <= k < |pots| ==> Decidable(pots[k], rakes[k], rank) }

// What each player is paid from all pots.
function method Paid(pots: seq<Pot>, rakes: seq<nat>, rank: seq<nat>, unit: nat): seq<nat>
  requires AllDecidable(pots, rakes, rank) && unit > 0
  ensures |Paid(pots, rakes, rank, unit)| == |rank|
{
  if |pots| == 0 then Zeros(|rank|) else
    Add(Award(pots[0], rakes[0], rank, unit), Paid(pots[1..], rakes[1..], rank, unit))
}

// ================================================================ what the theorems suppose

predicate Ranked(live: seq<bool>, rank: seq<nat>)
{ |live| == |rank| && Count(live) > 0 && forall i :: 0 <= i < |rank| ==> rank[i] > 0 }

// A multiple of the chip unit.
predicate {:opaque} Whole(a: nat, unit: nat) { exists k: nat {:trigger Times(k, unit)} :: Times(k, unit) == a }
predicate AllWhole(s: seq<nat>, unit: nat) { forall i :: 0 <= i < |s| ==> Whole(s[i], unit) }

// Rakes that are possible: of each pot no more than it holds, in chip units. RakesFit proves that POT-8 gives such.
predicate Fit(rakes: seq<nat>, pots: seq<Pot>, unit: nat)
{ |rakes| == |pots| && AllWhole(rakes, unit) && forall k :: 0 <= k < |pots| ==> rakes[k] <= pots[k].amount }

// The highest total among those marked.
function Highest(put: seq<nat>, who: seq<bool>): nat
  requires |put| == |who| && Count(who) > 0
  ensures forall i :: 0 <= i < |put| && who[i] ==> put[i] <= Highest(put, who)
  ensures exists i :: 0 <= i < |put| && who[i] && put[i] == Highest(put, who)
{
  if Count(who[1..]) == 0 then
    assert forall i :: 1 <= i < |who| ==> who[i] == who[1..][i-1];
    put[0]
  else
    var r := Highest(put[1..], who[1..]);
    assert exists i :: 0 <= i < |put[1..]| && who[1..][i] && put[1..][i] == r && who[i+1] && put[i+1] == r;
    if who[0] then Max(put[0], r) else r
}

// No folded player has put in more than every live player. A fault policy that folds a player (TIME-4) can break it;
// POT-3 then says where the chips go, and the theorems that need this predicate say so.
predicate Covered(put: seq<nat>, live: seq<bool>)
  requires |put| == |live| && Count(live) > 0
{ forall j :: 0 <= j < |put| ==> put[j] <= Highest(put, live) }

// Those marked are the live players at or above a level that is the total of one of them (POT-1).
predicate {:opaque} AtLevel(who: seq<bool>, put: seq<nat>, live: seq<bool>, level: nat)
  requires |put| == |live|
{
  && |who| == |live|
  && (forall i :: 0 <= i < |live| ==> (who[i] <==> live[i] && put[i] >= level))
  && (exists i :: 0 <= i < |live| && live[i] && put[i] == level)
}

predicate Rising(pots: seq<Pot>)
{ forall k, m :: 0 <= k < m < |pots| ==> pots[k].level < pots[m].level }

// What player i matched: from everybody, himself included, no more than he put in himself.
function Matched(put: seq<nat>, i: nat): nat
  requires i < |put|
{ Sum(Slice(put, 0, put[i])) }

// All that lies in the pots that player i is eligible for, and the rake of these pots.
function Contested(pots: seq<Pot>, i: nat): nat
  requires forall k :: 0 <= k < |pots| ==> i < |pots[k].who|
{ if |pots| == 0 then 0 else (if pots[0].who[i] then pots[0].amount else 0) + Contested(pots[1..], i) }

function RakeBorne(pots: seq<Pot>, rakes: seq<nat>, i: nat): nat
  requires |rakes| == |pots| && forall k :: 0 <= k < |pots| ==> i < |pots[k].who|
{ if |pots| == 0 then 0 else (if pots[0].who[i] then rakes[0] else 0) + RakeBorne(pots[1..], rakes[1..], i) }

// ================================================================ theorems

// T1. POT-1, POT-3, BLIND-6: every chip that was put in, dead money included, lies in exactly one pot.
lemma EveryChipIsInOnePot(put: seq<nat>, live: seq<bool>, dead: nat)
  requires |put| == |live| && Count(live) > 0
  ensures Sum(Amounts(Pots(put, live, dead))) == Sum(put) + dead
{ PotsHoldEveryChip(put, live, 0, dead); AboveNothing(put); }

// T2. POT-7: whatever was put in, dead money included, is paid out or raked: no chip is lost or made.
lemma ChipsAreConserved(put: seq<nat>, live: seq<bool>, rank: seq<nat>, dead: nat, rakes: seq<nat>, unit: nat)
  requires |put| == |live| && Ranked(live, rank) && unit > 0
  requires AllWhole(put, unit) && Whole(dead, unit) && Fit(rakes, Pots(put, live, dead), unit)
  ensures AllDecidable(Pots(put, live, dead), rakes, rank)
  ensures Sum(Paid(Pots(put, live, dead), rakes, rank, unit)) + Sum(rakes) == Sum(put) + dead
{
  var pots := Pots(put, live, dead);
  WholeZero(unit);
  WholePots(put, live, 0, dead, unit);
  PaidIsAllButRake(pots, rakes, rank, unit);
  EveryChipIsInOnePot(put, live, dead);
}

// T3. POT-7: the same said of stacks: the stacks before the hand are the stacks after it plus the rake.
lemma StacksAreConserved(left: seq<nat>, put: seq<nat>, dead: seq<nat>, live: seq<bool>, rank: seq<nat>,
                         rakes: seq<nat>, unit: nat)
  requires |left| == |put| == |dead| == |live| && Ranked(live, rank) && unit > 0
  requires AllWhole(put, unit) && AllWhole(dead, unit) && Fit(rakes, Pots(put, live, Sum(dead)), unit)
  ensures AllDecidable(Pots(put, live, Sum(dead)), rakes, rank)
  ensures var before := Add(Add(left, put), dead);
          var after := Add(left, Paid(Pots(put, live, Sum(dead)), rakes, rank, unit));
          Sum(before) == Sum(after) + Sum(rakes)
{
  WholeSum(dead, unit);
  ChipsAreConserved(put, live, rank, Sum(dead), rakes, unit);
  SumAdd(left, put); SumAdd(Add(left, put), dead);
  SumAdd(left, Paid(Pots(put, live, Sum(dead)), rakes, rank, unit));
}

// T4. POT-1: in every pot exactly the live players at or above its level are eligible, and there is at least one; each
// level is the total of a live player; and the levels rise.
lemma EligibleAreTheLiveAtTheLevel(put: seq<nat>, live: seq<bool>, dead: nat)
  requires |put| == |live| && Count(live) > 0
  ensures |Pots(put, live, dead)| > 0
  ensures forall k :: 0 <= k < |Pots(put, live, dead)| ==>
            AtLevel(Pots(put, live, dead)[k].who, put, live, Pots(put, live, dead)[k].level)
  ensures Rising(Pots(put, live, dead))
{ PotsAreLevels(put, live, 0, dead); }

// T5. POT-1, BLIND-6: the pots that a live player is eligible for hold exactly what he matched, and the dead money.
// With T4 this fixes the amount of every pot.
lemma ContestsWhatHeMatched(put: seq<nat>, live: seq<bool>, dead: nat, i: nat)
  requires |put| == |live| && Count(live) > 0 && i < |live| && live[i]
  requires Covered(put, live)
  ensures Contested(Pots(put, live, dead), i) == Matched(put, i) + dead
{ ContestedFrom(put, live, 0, dead, i); }

// T6. POT-1, POT-5: nobody who folded is paid.
lemma OnlyLivePlayersArePaid(put: seq<nat>, live: seq<bool>, rank: seq<nat>, dead: nat, rakes: seq<nat>, unit: nat,
                             i: nat)
  requires |put| == |live| && Ranked(live, rank) && unit > 0 && i < |live| && !live[i]
  requires |rakes| == |Pots(put, live, dead)| && AllDecidable(Pots(put, live, dead), rakes, rank)
  ensures Paid(Pots(put, live, dead), rakes, rank, unit)[i] == 0
{ NotInAnyPot(put, live, 0, dead, i); PaidOnlyWhereEligible(Pots(put, live, dead), rakes, rank, unit, i); }

// T7. POT-1: nobody is paid more than the dead money and, from every player, as much as he put in himself.
lemma NoMoreThanMatched(put: seq<nat>, live: seq<bool>, rank: seq<nat>, dead: nat, rakes: seq<nat>, unit: nat, i: nat)
  requires |put| == |live| && Ranked(live, rank) && unit > 0 && i < |live|
  requires Covered(put, live)
  requires AllWhole(put, unit) && Whole(dead, unit) && Fit(rakes, Pots(put, live, dead), unit)
  ensures AllDecidable(Pots(put, live, dead), rakes, rank)
  ensures Paid(Pots(put, live, dead), rakes, rank, unit)[i] <= Matched(put, i) + dead
{
  var pots := Pots(put, live, dead);
  WholeZero(unit);
  WholePots(put, live, 0, dead, unit);
  if live[i] {
    PaidAtMostContested(pots, rakes, rank, unit, i);
    ContestsWhatHeMatched(put, live, dead, i);
  } else {
    OnlyLivePlayersArePaid(put, live, rank, dead, rakes, unit, i);
  }
}

// T8. POT-5: a live player whose hand beats every other live hand is paid all that he matched and the dead money, less
// the rake of the pots that he was eligible for.
lemma SoleBestHandWinsAllItMatched(put: seq<nat>, live: seq<bool>, rank: seq<nat>, dead: nat, rakes: seq<nat>,
                                   unit: nat, i: nat)
  requires |put| == |live| && Ranked(live, rank) && unit > 0 && i < |live| && live[i]
  requires forall j :: 0 <= j < |live| && live[j] && j != i ==> rank[j] < rank[i]
  requires Covered(put, live)
  requires AllWhole(put, unit) && Whole(dead, unit) && Fit(rakes, Pots(put, live, dead), unit)
  ensures AllDecidable(Pots(put, live, dead), rakes, rank)
  ensures Paid(Pots(put, live, dead), rakes, rank, unit)[i] + RakeBorne(Pots(put, live, dead), rakes, i)
          == Matched(put, i) + dead
{
  var pots := Pots(put, live, dead);
  WholeZero(unit);
  WholePots(put, live, 0, dead, unit);
  forall k, j | 0 <= k < |pots| && 0 <= j < |live| && pots[k].who[j] && j != i ensures rank[j] < rank[i] {
    if !live[j] { NotInAnyPot(put, live, 0, dead, j); }
  }
  BestIsPaidContested(pots, rakes, rank, unit, i);
  ContestsWhatHeMatched(put, live, dead, i);
}

// T9. BET-7, POT-3: when one live player is left, he is paid everything, whoever put in how much, less the rake.
lemma LastPlayerIsPaidEverything(put: seq<nat>, live: seq<bool>, rank: seq<nat>, dead: nat, rakes: seq<nat>, unit: nat,
                                 i: nat)
  requires |put| == |live| && Ranked(live, rank) && unit > 0
  requires i < |live| && forall j :: 0 <= j < |live| ==> (live[j] <==> j == i)
  requires AllWhole(put, unit) && Whole(dead, unit) && Fit(rakes, Pots(put, live, dead), unit)
  ensures AllDecidable(Pots(put, live, dead), rakes, rank)
  ensures Paid(Pots(put, live, dead), rakes, rank, unit)[i] + Sum(rakes) == Sum(put) + dead
{
  var paid := Pots(put, live, dead);
  ChipsAreConserved(put, live, rank, dead, rakes, unit);
  forall j | 0 <= j < |live| && j != i ensures Paid(paid, rakes, rank, unit)[j] == 0 {
    OnlyLivePlayersArePaid(put, live, rank, dead, rakes, unit, j);
  }
  SumOfOne(Paid(paid, rakes, rank, unit), i);
}

// T10. POT-4: a pot with one eligible player is his, less its rake, whatever the hands are worth.
lemma LonePlayerIsPaidHisPot(pot: Pot, rake: nat, rank: seq<nat>, unit: nat, i: nat)
  requires Decidable(pot, rake, rank) && unit > 0 && Whole(pot.amount, unit) && Whole(rake, unit)
  requires i < |rank| && forall j :: 0 <= j < |rank| ==> (pot.who[j] <==> j == i)
  ensures Award(pot, rake, rank, unit)[i] == pot.amount - rake
{
  WinnerExists(pot.who, rank);
  WholeDiff(pot.amount, rake, unit);
  SplitToOne(Winners(pot.who, rank), pot.amount - rake, unit, i);
}

// T11. POT-5, POT-6: the winners' shares of one pot are multiples of the chip unit and differ by at most one unit;
// whoever sits nearer to the left of the button has the larger one; and the shares add up to the pot.
lemma SharesAreWithinOneUnit(w: seq<bool>, amount: nat, unit: nat, i: nat, j: nat)
  requires i < j < |w| && w[i] && w[j] && Count(w) > 0 && unit > 0 && Whole(amount, unit)
  ensures Split(w, amount, unit)[j] <= Split(w, amount, unit)[i] <= Split(w, amount, unit)[j] + unit
  ensures AllWhole(Split(w, amount, unit), unit)
  ensures Sum(Split(w, amount, unit)) == amount
{
  SplitEvenly(w, amount, unit, i, j);
  WholeSplit(w, amount, unit);
  SplitPaysAll(w, amount, unit);
}

// T12. POT-8: every rake is a multiple of the chip unit and no more than its pot, for every setting of the rake.
lemma RakesFit(put: seq<nat>, live: seq<bool>, dead: nat, unit: nat, basisPoints: nat, cap: int, due: bool,
               recorded: int)
  requires |put| == |live| && Count(live) > 0 && unit > 0 && basisPoints <= 10000
  requires AllWhole(put, unit) && Whole(dead, unit)
  requires (cap >= 0 ==> Whole(cap, unit)) && (recorded >= 0 ==> Whole(recorded, unit))
  ensures Fit(Rakes(Pots(put, live, dead), unit, basisPoints, cap, due, recorded), Pots(put, live, dead), unit)
{
  var pots := Pots(put, live, dead);
  var full := FullRakes(pots, unit, basisPoints);
  WholeZero(unit);
  WholePots(put, live, 0, dead, unit);
  forall k | 0 <= k < |pots| ensures full[k] <= pots[k].amount && Whole(full[k], unit) {
    FullRakeFits(pots[k].amount, unit, basisPoints);
  }
  if recorded >= 0 {
    WholeFilled(Amounts(pots), recorded, unit);
  } else if due && cap >= 0 {
    WholeFilled(full, cap, unit);
  }
}

// T13. POT-8: the rake of a hand is as much of the cap as the full rakes of its pots fill, and no more.
lemma RakeFillsTheCap(most: seq<nat>, cap: nat)
  ensures Sum(Filled(most, cap)) == Min(Sum(most), cap)
{
  if |most| > 0 {
    var taken := Min(most[0], cap);
    RakeFillsTheCap(most[1..], cap - taken);
    var rest := Filled(most[1..], cap - taken);
    assert Filled(most, cap) == [taken] + rest;
    assert Filled(most, cap)[1..] == rest;
    assert Sum(Filled(most, cap)) == taken + Sum(rest);
  }
}

// T14. POT-2: a bet is returned to at most one player; he is live and put in more on the round than anybody else, and
// no more is returned than he put in.
lemma OneBetIsReturned(bet: seq<nat>, live: seq<bool>, i: nat)
  requires |bet| == |live| && i < |bet| && Returned(bet, live)[i] > 0
  ensures live[i] && Returned(bet, live)[i] <= bet[i]
  ensures forall j :: 0 <= j < |bet| && j != i ==> Returned(bet, live)[j] == 0 && bet[j] < bet[i]
{
  forall j | 0 <= j < |bet| && j != i ensures Returned(bet, live)[j] == 0 && bet[j] < bet[i] {
    assert bet[j] <= LargestBut(bet, i, |bet|);
    assert bet[i] <= LargestBut(bet, j, |bet|);
  }
}

// T15. POT-2: after the return nothing of the round is uncalled: every live player's bet is matched by another's.
lemma WhatStaysWasCalled(bet: seq<nat>, live: seq<bool>, i: nat)
  requires |bet| == |live| && i < |bet| && live[i]
  requires forall j :: 0 <= j < |bet| ==> Returned(bet, live)[j] <= bet[j]
  ensures var stays := Less(bet, Returned(bet, live));
          stays[i] == 0 || exists j :: 0 <= j < |bet| && j != i && stays[i] <= stays[j]
{
  var stays := Less(bet, Returned(bet, live));
  var others := LargestBut(bet, i, |bet|);
  if stays[i] > 0 {
    assert others > 0;
    var j :| 0 <= j < |bet| && j != i && bet[j] == others;
    if Returned(bet, live)[i] == 0 && Returned(bet, live)[j] > 0 {
      OneBetIsReturned(bet, live, j);
      assert bet[i] <= LargestBut(bet, j, |bet|);
      assert stays[i] <= stays[j];
    } else if Returned(bet, live)[i] > 0 {
      OneBetIsReturned(bet, live, i);
      assert stays[i] <= stays[j];
    }
  }
}

// T16. POT-2, POT-7: the last round closes, the uncalled bet goes back, the pots are raked by POT-8 and awarded:
// returned, paid and raked chips are together what was put in. (total counts the uncalled bet, bet is a part of it.)
lemma WholeSettlementIsConserved(total: seq<nat>, bet: seq<nat>, live: seq<bool>, rank: seq<nat>, dead: nat, unit: nat,
                                 basisPoints: nat, cap: int, due: bool, recorded: int)
  requires |total| == |bet| == |live| && Ranked(live, rank) && unit > 0 && basisPoints <= 10000
  requires forall i :: 0 <= i < |bet| ==> bet[i] <= total[i]
  requires AllWhole(total, unit) && AllWhole(bet, unit) && Whole(dead, unit)
  requires (cap >= 0 ==> Whole(cap, unit)) && (recorded >= 0 ==> Whole(recorded, unit))
  ensures forall i :: 0 <= i < |bet| ==> Returned(bet, live)[i] <= total[i]
  ensures var put := Less(total, Returned(bet, live));
          var pots := Pots(put, live, dead);
          var rakes := Rakes(pots, unit, basisPoints, cap, due, recorded);
          && AllDecidable(pots, rakes, rank)
          && Sum(Returned(bet, live)) + Sum(Paid(pots, rakes, rank, unit)) + Sum(rakes) == Sum(total) + dead
{
  var back := Returned(bet, live);
  forall i | 0 <= i < |bet| ensures back[i] <= bet[i] && Whole(back[i], unit) { WholeReturned(bet, live, unit, i); }
  var put := Less(total, back);
  forall i | 0 <= i < |put| ensures Whole(put[i], unit) { WholeDiff(total[i], back[i], unit); }
  RakesFit(put, live, dead, unit, basisPoints, cap, due, recorded);
  ChipsAreConserved(put, live, rank, dead, Rakes(Pots(put, live, dead), unit, basisPoints, cap, due, recorded), unit);
  SumAdd(put, back);
  AddLess(total, back);
}

// ================================================================ lemmas about pots

lemma FewerAreHigher(put: seq<nat>, who: seq<bool>)
  requires |put| == |who| && Count(who) > 0
  ensures Count(Higher(put, who, Lowest(put, who))) < Count(who)
{
  var level := Lowest(put, who);
  var k :| 0 <= k < |put| && who[k] && put[k] == level;
  CountSubset(Higher(put, who, level), who, k);
}

// One step of the layering, so that nothing else needs to look into it.
lemma LayersStep(put: seq<nat>, who: seq<bool>, below: nat, dead: nat)
  requires |put| == |who| && Count(who) > 0
  requires forall i :: 0 <= i < |put| && who[i] ==> below <= put[i]
  ensures var level := Lowest(put, who);
          var next := Higher(put, who, level);
          if Count(next) == 0 then
            Layers(put, who, below, dead) == [Pot(Sum(Above(put, below)) + dead, level, who)]
          else
            var chips := Sum(Slice(put, below, level)) + dead;
            var rest := Layers(put, next, level, 0);
            && Count(next) < Count(who)
            && Layers(put, who, below, dead) == OnTopOf(Pot(chips, level, who), rest)
{ reveal Layers(); FewerAreHigher(put, who); }

// A player who is not among those who contest a layer is in no pot from there on.
lemma NotInAnyPot(put: seq<nat>, who: seq<bool>, below: nat, dead: nat, i: nat)
  requires |put| == |who| && Count(who) > 0 && i < |who| && !who[i]
  requires forall j :: 0 <= j < |put| && who[j] ==> below <= put[j]
  ensures forall k :: 0 <= k < |Layers(put, who, below, dead)| ==> !Layers(put, who, below, dead)[k].who[i]
  decreases Count(who)
{
  var next := Higher(put, who, Lowest(put, who));
  LayersStep(put, who, below, dead);
  if Count(next) > 0 { NotInAnyPot(put, next, Lowest(put, who), 0, i); }
}

// Induction over the layers for T4.
lemma PotsAreLevels(put: seq<nat>, who: seq<bool>, below: nat, dead: nat)
  requires |put| == |who| && Count(who) > 0
  requires forall i :: 0 <= i < |put| && who[i] ==> below <= put[i]
  ensures forall k :: 0 <= k < |Layers(put, who, below, dead)| ==>
            AtLevel(Layers(put, who, below, dead)[k].who, put, who, Layers(put, who, below, dead)[k].level)
  ensures Rising(Layers(put, who, below, dead))
  decreases Count(who)
{
  var level := Lowest(put, who);
  var next := Higher(put, who, level);
  LayersStep(put, who, below, dead);
  assert AtLevel(who, put, who, level) by { reveal AtLevel(); }
  if Count(next) > 0 {
    PotsAreLevels(put, next, level, 0);
    var rest := Layers(put, next, level, 0);
    forall k | 0 <= k < |rest| ensures level < rest[k].level && AtLevel(rest[k].who, put, who, rest[k].level) {
      HigherLevel(rest[k].who, put, who, level, rest[k].level);
    }
  }
}

lemma HigherLevel(some: seq<bool>, put: seq<nat>, who: seq<bool>, level: nat, higher: nat)
  requires |put| == |who| && AtLevel(some, put, Higher(put, who, level), higher)
  ensures level < higher && AtLevel(some, put, who, higher)
{
  reveal AtLevel();
  var next := Higher(put, who, level);
  var i :| 0 <= i < |next| && next[i] && put[i] == higher;
  assert who[i];
}

lemma PotsHoldEveryChip(put: seq<nat>, who: seq<bool>, below: nat, dead: nat)
  requires |put| == |who| && Count(who) > 0
  requires forall i :: 0 <= i < |put| && who[i] ==> below <= put[i]
  ensures Sum(Amounts(Layers(put, who, below, dead))) == Sum(Above(put, below)) + dead
  decreases Count(who)
{
  var level := Lowest(put, who);
  var next := Higher(put, who, level);
  LayersStep(put, who, below, dead);
  var pots := Layers(put, who, below, dead);
  if Count(next) == 0 {
    assert Amounts(pots) == [Sum(Above(put, below)) + dead];
  } else {
    PotsHoldEveryChip(put, next, level, 0);
    SliceAbove(put, below, level);
    var rest := Layers(put, next, level, 0);
    if Sum(Slice(put, below, level)) + dead > 0 {
      assert pots[1..] == rest;
      assert Amounts(pots)[1..] == Amounts(rest);
    }
  }
}

// Induction over the layers for T5.
lemma ContestedFrom(put: seq<nat>, who: seq<bool>, below: nat, dead: nat, i: nat)
  requires |put| == |who| && Count(who) > 0 && i < |who| && who[i]
  requires forall j :: 0 <= j < |put| && who[j] ==> below <= put[j]
  requires Covered(put, who)
  ensures Contested(Layers(put, who, below, dead), i) == Sum(Slice(put, below, put[i])) + dead
  decreases Count(who)
{
  var level := Lowest(put, who);
  var next := Higher(put, who, level);
  LayersStep(put, who, below, dead);
  var pots := Layers(put, who, below, dead);
  if Count(next) == 0 {
    NobodyAbove(put, who, below);
    assert put[i] == level;
    assert pots[1..] == [];
  } else {
    StillCovered(put, who, level);
    var rest := Layers(put, next, level, 0);
    if Sum(Slice(put, below, level)) + dead > 0 { assert pots[1..] == rest; }
    if next[i] {
      ContestedFrom(put, next, level, 0, i);
      SliceSlice(put, below, level, put[i]);
    } else {
      assert put[i] == level;
      NotInAnyPot(put, next, level, 0, i);
      NothingContested(rest, i);
    }
  }
}

lemma NothingContested(pots: seq<Pot>, i: nat)
  requires forall k :: 0 <= k < |pots| ==> i < |pots[k].who| && !pots[k].who[i]
  ensures Contested(pots, i) == 0
{ if |pots| > 0 { NothingContested(pots[1..], i); } }

// In the highest layer of a covered table nobody has chips above the level.
lemma NobodyAbove(put: seq<nat>, who: seq<bool>, below: nat)
  requires |put| == |who| && Count(who) > 0 && Covered(put, who)
  requires forall i :: 0 <= i < |put| && who[i] ==> below <= put[i]
  requires Count(Higher(put, who, Lowest(put, who))) == 0
  ensures Above(put, below) == Slice(put, below, Lowest(put, who))
{
  var k :| 0 <= k < |put| && who[k] && put[k] == Highest(put, who);
  assert !Higher(put, who, Lowest(put, who))[k];
  NothingAbove(put, below, Lowest(put, who));
}

lemma NothingAbove(put: seq<nat>, low: nat, high: nat)
  requires low <= high && forall j :: 0 <= j < |put| ==> put[j] <= high
  ensures Above(put, low) == Slice(put, low, high)
{ }

lemma StillCovered(put: seq<nat>, who: seq<bool>, level: nat)
  requires |put| == |who| && Count(who) > 0 && Covered(put, who) && Count(Higher(put, who, level)) > 0
  ensures Covered(put, Higher(put, who, level))
{
  var next := Higher(put, who, level);
  var k :| 0 <= k < |put| && who[k] && put[k] == Highest(put, who);
  var m :| 0 <= m < |next| && next[m];
  assert next[k];
}

// ================================================================ lemmas about awards

lemma WinnerExists(who: seq<bool>, rank: seq<nat>)
  requires |who| == |rank| && Count(who) > 0 && forall i :: 0 <= i < |rank| ==> rank[i] > 0
  ensures Count(Winners(who, rank)) > 0
{
  var k :| 0 <= k < |who| && who[k];
  assert Best(who, rank) >= rank[k] > 0;
  var i :| 0 <= i < |rank| && who[i] && rank[i] == Best(who, rank);
  assert Winners(who, rank)[i];
}

lemma AwardPaysPot(pot: Pot, rake: nat, rank: seq<nat>, unit: nat)
  requires Decidable(pot, rake, rank) && unit > 0 && Whole(pot.amount, unit) && Whole(rake, unit)
  ensures Sum(Award(pot, rake, rank, unit)) == pot.amount - rake
{
  WinnerExists(pot.who, rank);
  WholeDiff(pot.amount, rake, unit);
  SplitPaysAll(Winners(pot.who, rank), pot.amount - rake, unit);
}

lemma AwardOnlyToEligible(pot: Pot, rake: nat, rank: seq<nat>, unit: nat, i: nat)
  requires Decidable(pot, rake, rank) && unit > 0 && i < |rank| && !pot.who[i]
  ensures Award(pot, rake, rank, unit)[i] == 0
{
  WinnerExists(pot.who, rank);
  SplitOnlyToWinners(Winners(pot.who, rank), pot.amount - rake, unit, i);
}

lemma PaidIsAllButRake(pots: seq<Pot>, rakes: seq<nat>, rank: seq<nat>, unit: nat)
  requires AllDecidable(pots, rakes, rank) && unit > 0
  requires AllWhole(rakes, unit) && WholeAmounts(pots, unit)
  ensures Sum(Paid(pots, rakes, rank, unit)) + Sum(rakes) == Sum(Amounts(pots))
{
  if |pots| == 0 { SumZero(Zeros(|rank|)); } else {
    AwardPaysPot(pots[0], rakes[0], rank, unit);
    PaidIsAllButRake(pots[1..], rakes[1..], rank, unit);
    SumAdd(Award(pots[0], rakes[0], rank, unit), Paid(pots[1..], rakes[1..], rank, unit));
    assert Amounts(pots)[1..] == Amounts(pots[1..]);
  }
}

lemma PaidOnlyWhereEligible(pots: seq<Pot>, rakes: seq<nat>, rank: seq<nat>, unit: nat, i: nat)
  requires AllDecidable(pots, rakes, rank) && unit > 0 && i < |rank|
  requires forall k :: 0 <= k < |pots| ==> !pots[k].who[i]
  ensures Paid(pots, rakes, rank, unit)[i] == 0
{
  if |pots| > 0 {
    AwardOnlyToEligible(pots[0], rakes[0], rank, unit, i);
    PaidOnlyWhereEligible(pots[1..], rakes[1..], rank, unit, i);
  }
}

lemma PaidAtMostContested(pots: seq<Pot>, rakes: seq<nat>, rank: seq<nat>, unit: nat, i: nat)
  requires AllDecidable(pots, rakes, rank) && unit > 0 && i < |rank|
  requires AllWhole(rakes, unit) && WholeAmounts(pots, unit)
  ensures Paid(pots, rakes, rank, unit)[i] <= Contested(pots, i)
{
  if |pots| > 0 {
    if pots[0].who[i] {
      AwardPaysPot(pots[0], rakes[0], rank, unit);
      ElementAtMostSum(Award(pots[0], rakes[0], rank, unit), i);
    } else {
      AwardOnlyToEligible(pots[0], rakes[0], rank, unit, i);
    }
    PaidAtMostContested(pots[1..], rakes[1..], rank, unit, i);
  }
}

// Whoever beats everybody in every pot that he is eligible for is paid all of these pots, less their rake.
lemma BestIsPaidContested(pots: seq<Pot>, rakes: seq<nat>, rank: seq<nat>, unit: nat, i: nat)
  requires AllDecidable(pots, rakes, rank) && unit > 0 && i < |rank|
  requires AllWhole(rakes, unit) && WholeAmounts(pots, unit)
  requires forall k, j :: 0 <= k < |pots| && 0 <= j < |rank| && pots[k].who[j] && j != i ==> rank[j] < rank[i]
  ensures Paid(pots, rakes, rank, unit)[i] + RakeBorne(pots, rakes, i) == Contested(pots, i)
{
  if |pots| > 0 {
    BestIsPaidContested(pots[1..], rakes[1..], rank, unit, i);
    assert Paid(pots, rakes, rank, unit)[i]
      == Award(pots[0], rakes[0], rank, unit)[i] + Paid(pots[1..], rakes[1..], rank, unit)[i];
    if pots[0].who[i] {
      BestIsAwardedThePot(pots[0], rakes[0], rank, unit, i);
    } else {
      AwardOnlyToEligible(pots[0], rakes[0], rank, unit, i);
    }
  }
}

lemma BestIsAwardedThePot(pot: Pot, rake: nat, rank: seq<nat>, unit: nat, i: nat)
  requires Decidable(pot, rake, rank) && unit > 0 && i < |rank| && pot.who[i]
  requires Whole(pot.amount, unit) && Whole(rake, unit)
  requires forall j :: 0 <= j < |rank| && pot.who[j] && j != i ==> rank[j] < rank[i]
  ensures Award(pot, rake, rank, unit)[i] == pot.amount - rake
{
  WinnerExists(pot.who, rank);
  OnlyWinner(pot.who, rank, i);
  WholeDiff(pot.amount, rake, unit);
  SplitToOne(Winners(pot.who, rank), pot.amount - rake, unit, i);
}

lemma OnlyWinner(who: seq<bool>, rank: seq<nat>, i: nat)
  requires |who| == |rank| && i < |who| && who[i] && forall j :: 0 <= j < |rank| ==> rank[j] > 0
  requires forall j :: 0 <= j < |who| && who[j] && j != i ==> rank[j] < rank[i]
  ensures forall j :: 0 <= j < |who| ==> (Winners(who, rank)[j] <==> j == i)
{
  var best := Best(who, rank);
  assert best >= rank[i] > 0;
  var k :| 0 <= k < |rank| && who[k] && rank[k] == best;
  assert k == i;
}

lemma SplitEvenly(w: seq<bool>, amount: nat, unit: nat, i: nat, j: nat)
  requires i < j < |w| && w[i] && w[j] && Count(w) > 0 && unit > 0
  ensures Split(w, amount, unit)[j] <= Split(w, amount, unit)[i] <= Split(w, amount, unit)[j] + unit
{
  var units := Quot(amount, unit);
  var each := Quot(units, Count(w));
  var s := Deal(w, each, Rem(units, Count(w)));
  var split := Scale(s, unit);
  DealEvenly(w, each, Rem(units, Count(w)), i, j);
  ScaledEvenly(s, unit, each, i, j);
  assert Split(w, amount, unit) == split by { reveal Split(); }
}

lemma ScaledEvenly(s: seq<nat>, unit: nat, each: nat, i: nat, j: nat)
  requires i < j < |s| && EvenAt(s, each, i, j)
  ensures Scale(s, unit)[j] <= Scale(s, unit)[i] <= Scale(s, unit)[j] + unit
{
  TimesStep(each, unit);
  assert Scale(s, unit)[i] == Times(s[i], unit);
  assert Scale(s, unit)[j] == Times(s[j], unit);
}

predicate EvenAt(s: seq<nat>, each: nat, i: nat, j: nat)
  requires i < j < |s|
{ (s[i] == each || s[i] == each + 1) && (s[j] == each || s[j] == s[i]) }

lemma DealEvenly(w: seq<bool>, each: nat, odd: nat, i: nat, j: nat)
  requires i < j < |w| && w[i] && w[j]
  ensures EvenAt(Deal(w, each, odd), each, i, j)
{ CountPrefix(w, i, j); }

lemma WholeSplit(w: seq<bool>, amount: nat, unit: nat)
  requires Count(w) > 0 && unit > 0
  ensures AllWhole(Split(w, amount, unit), unit)
{
  var units := Quot(amount, unit);
  var shares := Deal(w, Quot(units, Count(w)), Rem(units, Count(w)));
  assert Split(w, amount, unit) == Scale(shares, unit) by { reveal Split(); }
  forall k | 0 <= k < |w| ensures Whole(Scale(shares, unit)[k], unit) {
    reveal Whole();
    assert Times(shares[k], unit) == Scale(shares, unit)[k];
  }
}

lemma SplitPaysAll(w: seq<bool>, amount: nat, unit: nat)
  requires Count(w) > 0 && unit > 0 && Whole(amount, unit)
  ensures Sum(Split(w, amount, unit)) == amount
{
  var units := Quot(amount, unit);
  var each := Quot(units, Count(w));
  var odd := Rem(units, Count(w));
  reveal Split();
  DivMod(units, Count(w));
  DealSum(w, each, odd);
  ScaleSum(Deal(w, each, odd), unit);
  WholeQuot(amount, unit);
}

lemma SplitOnlyToWinners(w: seq<bool>, amount: nat, unit: nat, i: nat)
  requires Count(w) > 0 && unit > 0 && i < |w| && !w[i]
  ensures Split(w, amount, unit)[i] == 0
{ reveal Split(); reveal Times(); }

lemma SplitToOne(w: seq<bool>, amount: nat, unit: nat, i: nat)
  requires i < |w| && unit > 0 && Whole(amount, unit) && Count(w) > 0
  requires forall j :: 0 <= j < |w| && w[j] ==> j == i
  ensures Split(w, amount, unit)[i] == amount
{
  SplitPaysAll(w, amount, unit);
  forall j | 0 <= j < |w| && j != i ensures Split(w, amount, unit)[j] == 0 { SplitOnlyToWinners(w, amount, unit, j); }
  SumOfOne(Split(w, amount, unit), i);
}

lemma DealSum(w: seq<bool>, each: nat, odd: nat)
  requires odd <= Count(w)
  ensures Sum(Deal(w, each, odd)) == Times(Count(w), each) + odd
{
  if |w| == 0 { reveal Times(); } else {
    var o := if w[0] && odd > 0 then odd - 1 else odd;
    DealSum(w[1..], each, o);
    assert Deal(w, each, odd)[1..] == Deal(w[1..], each, o);
    if w[0] { TimesStep(Count(w[1..]), each); }
  }
}

// ================================================================ lemmas about chip units

lemma WholePots(put: seq<nat>, who: seq<bool>, below: nat, dead: nat, unit: nat)
  requires |put| == |who| && Count(who) > 0 && unit > 0
  requires forall i :: 0 <= i < |put| && who[i] ==> below <= put[i]
  requires AllWhole(put, unit) && Whole(dead, unit) && Whole(below, unit)
  ensures WholeAmounts(Layers(put, who, below, dead), unit)
  decreases Count(who)
{
  var level := Lowest(put, who);
  var next := Higher(put, who, level);
  LayersStep(put, who, below, dead);
  if Count(next) == 0 {
    WholeAbove(put, below, unit);
    WholePlus(Sum(Above(put, below)), dead, unit);
    assert Layers(put, who, below, dead)[0].amount == Sum(Above(put, below)) + dead;
  } else {
    WholeZero(unit);
    WholePots(put, next, level, 0, unit);
    WholeSlice(put, below, level, unit);
    WholePlus(Sum(Slice(put, below, level)), dead, unit);
    var pot := Pot(Sum(Slice(put, below, level)) + dead, level, who);
    WholeOnTopOf(pot, Layers(put, next, level, 0), unit);
  }
}

predicate WholeAmounts(pots: seq<Pot>, unit: nat)
{ forall k :: 0 <= k < |pots| ==> Whole(pots[k].amount, unit) }

lemma WholeOnTopOf(pot: Pot, rest: seq<Pot>, unit: nat)
  requires Whole(pot.amount, unit) && WholeAmounts(rest, unit)
  ensures WholeAmounts(OnTopOf(pot, rest), unit)
{ }

lemma WholeAbove(put: seq<nat>, low: nat, unit: nat)
  requires AllWhole(put, unit) && Whole(low, unit)
  ensures Whole(Sum(Above(put, low)), unit)
{
  forall i | 0 <= i < |put| ensures Whole(Above(put, low)[i], unit) { WholeDiff(put[i], Min(put[i], low), unit); }
  WholeSum(Above(put, low), unit);
}

lemma WholeSlice(put: seq<nat>, low: nat, high: nat, unit: nat)
  requires low <= high && AllWhole(put, unit) && Whole(low, unit) && Whole(high, unit)
  ensures Whole(Sum(Slice(put, low, high)), unit)
{
  forall i | 0 <= i < |put| ensures Whole(Slice(put, low, high)[i], unit) {
    WholeDiff(Min(put[i], high), Min(put[i], low), unit);
  }
  WholeSum(Slice(put, low, high), unit);
}

lemma WholeReturned(bet: seq<nat>, live: seq<bool>, unit: nat, i: nat)
  requires |bet| == |live| && AllWhole(bet, unit) && i < |bet|
  ensures Whole(Returned(bet, live)[i], unit) && Returned(bet, live)[i] <= bet[i]
{
  WholeZero(unit);
  var others := LargestBut(bet, i, |bet|);
  if others > 0 {
    var j :| 0 <= j < |bet| && j != i && bet[j] == others;
    if others < bet[i] { WholeDiff(bet[i], bet[j], unit); }
  }
}

lemma WholeFilled(most: seq<nat>, available: nat, unit: nat)
  requires AllWhole(most, unit) && Whole(available, unit)
  ensures AllWhole(Filled(most, available), unit)
{
  if |most| > 0 {
    var taken := Min(most[0], available);
    WholeDiff(available, taken, unit);
    WholeFilled(most[1..], available - taken, unit);
  }
}

lemma FullRakeFits(amount: nat, unit: nat, basisPoints: nat)
  requires unit > 0 && basisPoints <= 10000
  ensures FullRake(amount, unit, basisPoints) <= amount && Whole(FullRake(amount, unit, basisPoints), unit)
{
  var part := Quot(Times(amount, basisPoints), 10000);
  TimesMonotone(amount, basisPoints, 10000);
  assert part <= amount by { reveal Times(); reveal Quot(); }
  DivMod(part, unit);
  reveal Whole();
}

lemma WholeZero(unit: nat)
  ensures Whole(0, unit)
{ reveal Whole(); reveal Times(); assert Times(0, unit) == 0; }

lemma WholePlus(a: nat, b: nat, unit: nat)
  requires Whole(a, unit) && Whole(b, unit)
  ensures Whole(a + b, unit)
{
  reveal Whole();
  var k: nat :| Times(k, unit) == a;
  var m: nat :| Times(m, unit) == b;
  assert Times(k + m, unit) == a + b by { reveal Times(); }
}

lemma WholeDiff(a: nat, b: nat, unit: nat)
  requires Whole(a, unit) && Whole(b, unit) && b <= a
  ensures Whole(a - b, unit)
{
  reveal Whole();
  var k: nat :| Times(k, unit) == a;
  var m: nat :| Times(m, unit) == b;
  if m <= k { assert Times(k - m, unit) == a - b by { reveal Times(); } }
  else { TimesMonotone(unit, k, m); assert a == b by { reveal Times(); } WholeZero(unit); }
}

lemma WholeSum(s: seq<nat>, unit: nat)
  requires AllWhole(s, unit)
  ensures Whole(Sum(s), unit)
{
  if |s| == 0 { WholeZero(unit); } else {
    WholeSum(s[1..], unit);
    WholePlus(s[0], Sum(s[1..]), unit);
  }
}

// A multiple of the unit is its quotient times the unit.
lemma WholeQuot(a: nat, unit: nat)
  requires unit > 0 && Whole(a, unit)
  ensures Times(Quot(a, unit), unit) == a
{
  reveal Whole();
  var k: nat :| Times(k, unit) == a;
  var q := Quot(a, unit);
  DivMod(a, unit);
  reveal Times();
  if q < k { TimesMonotone(unit, q + 1, k); assert false; }
  if k < q { TimesMonotone(unit, k + 1, q); assert false; }
}

lemma DivMod(a: nat, b: nat)
  requires b > 0
  ensures Times(b, Quot(a, b)) + Rem(a, b) == a && Rem(a, b) < b
  ensures Times(Quot(a, b), b) + Rem(a, b) == a
{ reveal Times(); reveal Quot(); reveal Rem(); }

lemma TimesMonotone(a: nat, b: nat, c: nat)
  requires b <= c
  ensures Times(a, b) <= Times(a, c)
{ reveal Times(); assert a * c == a * b + a * (c - b); }

lemma TimesStep(a: nat, b: nat)
  ensures Times(a + 1, b) == Times(a, b) + b
{ reveal Times(); }

lemma ScaleSum(s: seq<nat>, unit: nat)
  ensures Sum(Scale(s, unit)) == Times(Sum(s), unit)
{
  if |s| == 0 { reveal Times(); } else {
    ScaleSum(s[1..], unit);
    assert Scale(s, unit)[1..] == Scale(s[1..], unit);
    assert Times(s[0], unit) + Times(Sum(s[1..]), unit) == Times(Sum(s), unit) by { reveal Times(); }
  }
}

// ================================================================ lemmas about sums and counts

lemma SumZero(s: seq<nat>)
  requires forall i :: 0 <= i < |s| ==> s[i] == 0
  ensures Sum(s) == 0
{ if |s| > 0 { SumZero(s[1..]); } }

lemma SumOfOne(s: seq<nat>, i: nat)
  requires i < |s| && forall j :: 0 <= j < |s| && j != i ==> s[j] == 0
  ensures Sum(s) == s[i]
{ if i == 0 { SumZero(s[1..]); } else { SumOfOne(s[1..], i - 1); } }

lemma SumAdd(a: seq<nat>, b: seq<nat>)
  requires |a| == |b|
  ensures Sum(Add(a, b)) == Sum(a) + Sum(b)
{ if |a| > 0 { SumAdd(a[1..], b[1..]); assert Add(a, b)[1..] == Add(a[1..], b[1..]); } }

lemma AddLess(a: seq<nat>, b: seq<nat>)
  requires |a| == |b| && forall i :: 0 <= i < |a| ==> b[i] <= a[i]
  ensures Add(Less(a, b), b) == a
{ }

lemma ElementAtMostSum(s: seq<nat>, i: nat)
  requires i < |s|
  ensures s[i] <= Sum(s)
{ if i > 0 { ElementAtMostSum(s[1..], i - 1); } }

lemma SliceAbove(put: seq<nat>, low: nat, high: nat)
  requires low <= high
  ensures Sum(Slice(put, low, high)) + Sum(Above(put, high)) == Sum(Above(put, low))
{
  SumAdd(Slice(put, low, high), Above(put, high));
  assert Add(Slice(put, low, high), Above(put, high)) == Above(put, low);
}

lemma SliceSlice(put: seq<nat>, low: nat, middle: nat, high: nat)
  requires low <= middle <= high
  ensures Sum(Slice(put, low, middle)) + Sum(Slice(put, middle, high)) == Sum(Slice(put, low, high))
{
  SumAdd(Slice(put, low, middle), Slice(put, middle, high));
  SlicesAdd(put, low, middle, high);
}

lemma SlicesAdd(put: seq<nat>, low: nat, middle: nat, high: nat)
  requires low <= middle <= high
  ensures Add(Slice(put, low, middle), Slice(put, middle, high)) == Slice(put, low, high)
{ }

lemma AboveNothing(put: seq<nat>)
  ensures Above(put, 0) == put
{ }

lemma CountSubset(a: seq<bool>, b: seq<bool>, k: nat)
  requires |a| == |b| && k < |b| && b[k] && !a[k]
  requires forall i :: 0 <= i < |a| && a[i] ==> b[i]
  ensures Count(a) < Count(b)
{ CountAtMost(a[1..], b[1..]); if k > 0 { CountSubset(a[1..], b[1..], k - 1); } }

lemma CountAtMost(a: seq<bool>, b: seq<bool>)
  requires |a| == |b| && forall i :: 0 <= i < |a| && a[i] ==> b[i]
  ensures Count(a) <= Count(b)
{ if |a| > 0 { CountAtMost(a[1..], b[1..]); } }

lemma CountPrefix(w: seq<bool>, i: nat, j: nat)
  requires i <= j <= |w|
  ensures Count(w[..i]) <= Count(w[..j])
{
  if i > 0 {
    assert w[..i][1..] == w[1..][..i-1]; assert w[..j][1..] == w[1..][..j-1];
    CountPrefix(w[1..], i - 1, j - 1);
  }
}

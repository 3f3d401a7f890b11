// Appended to the JavaScript that Dafny generates from Settlement.dfy: answers one settlement a line, JSON in and out.
// Amounts travel as text, since they may be larger than a JavaScript number holds.
const big = text => new BigNumber(text);
const bigs = texts => _dafny.Seq.of(...texts.map(big));
const texts = seq => Array.from(seq).map(number => number.toFixed());
const def = _module.__default;

function settle(given) {
  const live = _dafny.Seq.of(...given.live), rank = bigs(given.rank), unit = big(given.unit);
  const returned = def.Returned(bigs(given.bet), live);
  const pots = def.Pots(def.Less(bigs(given.total), returned), live, big(given.dead));
  const rakes = def.Rakes(
    pots, unit, big(given.basis_points), big(given.cap), given.due, big(given.recorded));
  return {
    returned: texts(returned),
    amounts: texts(def.Amounts(pots)),
    eligible: Array.from(pots).map(pot => Array.from(pot.dtor_who)),
    rakes: texts(rakes),
    awards: Array.from(pots).map((pot, k) => texts(def.Award(pot, rakes[k], rank, unit))),
    paid: texts(def.Paid(pots, rakes, rank, unit)),
  };
}

require('readline').createInterface({ input: process.stdin }).on('line', line => {
  console.log(JSON.stringify(settle(JSON.parse(line))));
});

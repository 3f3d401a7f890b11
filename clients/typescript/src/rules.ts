/** What a table plays, as far as a seat needs it: rule set, structure, stakes, and how a hand begins. */

import { create } from "@bufbuild/protobuf";
import {
  AllInExposure,
  BettingStructure,
  ButtonRule,
  DiscardPoint,
  DiscardVisibility,
  GameSchema,
  LateMinimum,
  RuleSetSchema,
  ShowdownOrder,
  type AnteKind,
  type Game,
  type HandBegan,
  type RuleSet,
  type TableConfig,
} from "./contract.js";
import { RuleSetError } from "./errors.js";
import { toNumber } from "./numbers.js";

export const BOARD_CARDS = 5;

/** The amounts of a hand, in chips (BLIND-1, BLIND-5, SIZE-9, POT-8). `rakeCap` is undefined for no cap. */
export interface Stakes {
  readonly smallBlind: number;
  readonly bigBlind: number;
  readonly smallBet: number;
  readonly bigBet: number;
  readonly anteKind: AnteKind;
  readonly ante: number;
  readonly chipUnit: number;
  readonly rakeBasisPoints: number;
  readonly rakeCap: number | undefined;
  readonly noFlopNoDrop: boolean;
}

/** Everything that a hand starts from but its cards. Seats are clockwise from the left of the button. */
export interface HandSetup {
  readonly ruleSet: RuleSet;
  readonly structure: BettingStructure;
  readonly stakes: Stakes;
  readonly seats: readonly number[];
  readonly stacks: readonly number[];
  readonly buttonSeat: number;
  /** 0 means nobody. */
  readonly smallBlindSeat: number;
  readonly bigBlindSeat: number;
  readonly handId: string;
}

const HOLDEM = game(2, 0, DiscardPoint.UNSPECIFIED);
const IRISH = game(4, 2, DiscardPoint.AFTER_FLOP_BETTING);
const FRENCH = game(4, 2, DiscardPoint.BEFORE_FLOP_BETTING);
const TDA: Options = {
  showdownOrder: ShowdownOrder.FINAL_ROUND,
  allInExposure: AllInExposure.TABLE_ALL,
  buttonRule: ButtonRule.DEAD,
};

const { NO_LIMIT, POT_LIMIT, FIXED_LIMIT } = BettingStructure;

/** The rule sets of the rulebook's table by `name@version`; an option that is not named has the rulebook's default. */
export const RULE_SETS: ReadonlyMap<string, RuleSet> = new Map(
  [
    published("irish/full-tilt", IRISH, [NO_LIMIT, POT_LIMIT]),
    published("irish/french-limit", FRENCH, [FIXED_LIMIT], { allInExposure: AllInExposure.SHOW_ALL }),
    published("irish/french-minimum", FRENCH, [NO_LIMIT], {
      allInExposure: AllInExposure.SHOW_ALL,
      lateMinimum: LateMinimum.BIG_BET,
    }),
    published("holdem/online-limit", HOLDEM, [FIXED_LIMIT]),
    published("irish/tda", IRISH, [NO_LIMIT, POT_LIMIT, FIXED_LIMIT], TDA),
    published("holdem/tda", HOLDEM, [NO_LIMIT, POT_LIMIT, FIXED_LIMIT], TDA),
  ].map((ruleSet): [string, RuleSet] => [`${ruleSet.name}@${ruleSet.version}`, ruleSet]),
);

type Options = Partial<Pick<RuleSet, "showdownOrder" | "allInExposure" | "buttonRule" | "lateMinimum">>;

function game(holeCards: number, discards: number, discardPoint: DiscardPoint): Game {
  return create(GameSchema, { holeCards, discards, discardPoint, discardVisibility: DiscardVisibility.HIDDEN });
}

function published(name: string, game: Game, structures: BettingStructure[], options: Options = {}): RuleSet {
  return create(RuleSetSchema, { ...options, name, version: 1, game, structures });
}

/** The game of a rule set (GAME-3). */
export function gameOf(ruleSet: RuleSet): Game {
  if (ruleSet.game === undefined) throw new RuleSetError("GAME-3", `${ruleSet.name} names no game`);
  return ruleSet.game;
}

/** A table's rules. Raises RuleSetError for a published rule set or a game that this version does not have. */
export class TableRules {
  readonly ruleSet: RuleSet;
  readonly structure: BettingStructure;
  readonly stakes: Stakes;

  constructor(config: TableConfig) {
    this.ruleSet = ruleSetOf(config);
    this.structure = config.structure;
    this.stakes = stakesOf(config);
  }

  /** The setup of a hand that began. */
  setup(began: HandBegan): HandSetup {
    return {
      ruleSet: this.ruleSet,
      structure: this.structure,
      stakes: this.stakes,
      seats: began.players.map((player) => player.seat),
      stacks: began.players.map((player) => toNumber(player.stack)),
      buttonSeat: began.buttonSeat,
      smallBlindSeat: began.smallBlindSeat,
      bigBlindSeat: began.bigBlindSeat,
      handId: began.handId,
    };
  }
}

function ruleSetOf(config: TableConfig): RuleSet {
  if (config.rules.case === "ruleSet") {
    const game = gameOf(config.rules.value);
    if (DiscardPoint[game.discardPoint] === undefined || DiscardVisibility[game.discardVisibility] === undefined) {
      throw new RuleSetError(
        "GAME-3",
        "this version does not know when the game's discards are made or what becomes of them",
      );
    }
    return config.rules.value;
  }
  if (config.rules.case === "kozelRuleSet") throw new RuleSetError("GAME-3", "this version does not play Kozel");
  const name = config.rules.value ?? "";
  const ruleSet = RULE_SETS.get(name);
  if (ruleSet === undefined)
    throw new RuleSetError("GAME-3", `this version does not know rule set ${JSON.stringify(name)}`);
  return ruleSet;
}

function stakesOf(config: TableConfig): Stakes {
  const stakes = config.stakes;
  if (stakes === undefined) throw new RuleSetError("BLIND-1", "the table names no stakes");
  return {
    smallBlind: toNumber(stakes.smallBlind),
    bigBlind: toNumber(stakes.bigBlind),
    smallBet: toNumber(stakes.smallBet),
    bigBet: toNumber(stakes.bigBet),
    anteKind: stakes.anteKind,
    ante: toNumber(stakes.ante),
    chipUnit: toNumber(stakes.chipUnit) || 1,
    rakeBasisPoints: stakes.rakeBasisPoints,
    rakeCap: stakes.rakeCap === undefined ? undefined : toNumber(stakes.rakeCap),
    noFlopNoDrop: stakes.noFlopNoDrop,
  };
}

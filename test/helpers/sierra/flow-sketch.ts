import { type ApChange, known } from "#engine/sierra/libfunc/ap-change.ts";
import {
  type BranchCost,
  type PrecostToken,
  regularCost,
} from "#engine/sierra/libfunc/branch-cost.ts";
import type { StatementInfo } from "#engine/sierra/libfunc/program-info.ts";
import type { Libfunc } from "#engine/sierra/libfunc/libfunc.ts";
import { computationSteps } from "#engine/sierra/libfunc/computation-steps.ts";
import type { MetadataRegistry } from "#engine/sierra/metadata/metadata.ts";
import type { Program } from "#engine/sierra/program/program.ts";

/** A statement reduced to its flow, costs and changes of `ap`. */
export interface StatementSketch {
  /** Targets of its branches; `undefined` is the next statement. A return has none. */
  readonly targets: readonly (number | undefined)[] | "return";
  readonly costs: readonly BranchCost[];
  readonly ap: (info: StatementInfo) => readonly ApChange[];
}

/** A program of sketches, each with a separate libfunc; functions by their first statements. */
export function sketchedProgram(
  sketches: readonly StatementSketch[],
  entries: readonly number[],
): { program: Program; registry: MetadataRegistry } {
  const program: Program = {
    types: [],
    libfuncs: sketches.map(() => ({ genericId: "sketch", args: [] })),
    statements: sketches.map(({ targets }, libfunc) =>
      targets === "return"
        ? { kind: "return", args: [] }
        : {
            kind: "invocation",
            libfunc,
            args: [],
            branches: targets.map((target) => ({ target, results: [] })),
          },
    ),
    functions: entries.map((entry, id) => ({ name: `f${id}`, params: [], returns: [], entry })),
  };
  return {
    program,
    registry: { libfuncs: sketches.map(libfuncOf), sizes: [], circuits: new Map() },
  };
}

/** Libfunc of a sketch; it has no code. */
export function libfuncOf({ costs, ap }: StatementSketch): Libfunc {
  return {
    signature: { params: [], branches: [], fallthrough: 0 },
    apChanges: ap,
    costs: () => costs,
    build: () => {
      throw new TypeError("a sketch has no code");
    },
  };
}

export const ret: StatementSketch = { targets: "return", costs: [], ap: () => [] };

/**
 * Creates the sketch of a statement that costs steps and builtins, and moves `ap` by as many cells
 * as steps.
 */
export function work(
  steps: number,
  precost: Readonly<Partial<Record<PrecostToken, number>>> = {},
): StatementSketch {
  return straight(regularCost({ steps }, precost), known(steps));
}

/**
 * Creates the sketch of a statement that continues with one of two statements, the next one or
 * `other`; it costs nothing.
 */
export function fork(other: number): StatementSketch {
  return {
    targets: [undefined, other],
    costs: [regularCost({}), regularCost({})],
    ap: () => [known(0), known(0)],
  };
}

export const align = straight({ kind: "branch_align" }, { kind: "from_metadata" });

export const redeposit = straightWith({ kind: "redeposit_gas" }, (info) =>
  known(computationSteps(false, (token) => info.tokenUsages(token))),
);

export const unspent = straightWith({ kind: "get_unspent_gas" }, (info) =>
  known(computationSteps(false, (token) => info.tokenUsages(token))),
);

/**
 * Creates the sketch of a `withdraw_gas`: it continues with the next statement if there is enough
 * gas, otherwise with `failure`.
 */
export function withdraw(failure: number, withTable = false): StatementSketch {
  return {
    targets: [undefined, failure],
    costs: [
      { kind: "withdraw_gas", success: true, withTable },
      { kind: "withdraw_gas", success: false, withTable },
    ],
    ap: (info) => {
      const cells = computationSteps(withTable, (token) => info.tokenUsages(token));
      return [known(cells + 2), known(cells + (cells > 0 || withTable ? 3 : 2))];
    },
  };
}

export function jump(target: number): StatementSketch {
  return { ...work(0), targets: [target], costs: [regularCost({ steps: 1 })] };
}

export function call(id: number): StatementSketch {
  return straight(
    { kind: "function", cost: { steps: 2 }, function: id, sign: 1 },
    { kind: "function_call", function: id },
  );
}

/** Creates the sketch of a statement that pays in advance for a call. */
export function buy(id: number): StatementSketch {
  return straight({ kind: "function", cost: {}, function: id, sign: 1 }, known(0));
}

/** Creates the sketch of a statement that refunds the payment for a call. */
export function refund(id: number): StatementSketch {
  return straight({ kind: "function", cost: {}, function: id, sign: -1 }, known(0));
}

/** Creates the sketch of a statement that changes `ap` and costs nothing. */
export function moves(change: ApChange): StatementSketch {
  return straight(regularCost({}), change);
}

function straight(cost: BranchCost, change: ApChange): StatementSketch {
  return straightWith(cost, () => change);
}

function straightWith(
  cost: BranchCost,
  change: (info: StatementInfo) => ApChange,
): StatementSketch {
  return { targets: [undefined], costs: [cost], ap: (info) => [change(info)] };
}

import { CompileError } from "../compile-error.ts";
import type { CostToken, PrecostToken } from "../libfunc/branch-cost.ts";
import type { Libfunc } from "../libfunc/libfunc.ts";
import type { Program } from "../program/program.ts";
import type { ApChanges } from "./ap-changes.ts";
import { apFlow } from "./ap-flow.ts";
import { costFlow } from "./cost-flow.ts";
import type { GasSolution } from "./gas-solution.ts";
import { LINEAR_SOLVERS } from "./linear-solvers.ts";
import { type InfoSources, programInfo } from "./program-info.ts";
import type { Solvers } from "./solvers.ts";
import { steadyCost } from "./wallet-rules.ts";

/** What code depends on that no statement says by itself: numbers for `ap` and for gas. */
export interface Metadata {
  /** Per function whose change of `ap` is known: cells from its first statement to its return. */
  readonly functionApChanges: ReadonlyMap<number, number>;
  /** Per `branch_align` that moves `ap`: by how many cells. */
  readonly apVariables: ReadonlyMap<number, number>;
  /**
   * Gas that a statement moves: what `withdraw_gas` withdraws, `branch_align` burns, `redeposit_gas` and
   * `coupon_refund` give back, and `get_unspent_gas` tells. `undefined` at statements that move none.
   */
  gasVariables(token: CostToken, statement: number): number | undefined;
  /** Per function: what a call takes, of each kind of which it takes some. */
  readonly functionCosts: ReadonlyMap<number, ReadonlyMap<CostToken, number>>;
}

/** What metadata depends on beyond the program: of its registry. */
export interface MetadataRegistry extends InfoSources {
  readonly libfuncs: readonly Libfunc[];
}

/** What is fixed from outside. */
export interface MetadataOptions {
  /** Per function, what a call is to take: of entry points. */
  readonly enforced: ReadonlyMap<number, ReadonlyMap<CostToken, number>>;
  /** By what rules it is found: those of Sierra from 1.4.0 on, when there are none. */
  readonly solvers?: Solvers;
}

/**
 * Finds gas and changes of `ap` of a program: builtins first, then `ap`, of which the code that adds up
 * prices of builtins is a part, then the steady part of gas, of which moving `ap` is a part.
 *
 * Source: Sierra compiler, `calc_metadata`.
 *
 * @throws {CompileError} SIERRA_INVALID when functions need each other's gas without `withdraw_gas` in
 * between, when an enforced cost cannot be had, or when branches cannot agree on `ap`
 */
export function computeMetadata(
  program: Program,
  registry: MetadataRegistry,
  options: MetadataOptions,
): Metadata {
  const { libfuncs } = registry;
  const solvers = options.solvers ?? LINEAR_SOLVERS;
  const known = programInfo(registry);
  const info = solvers.info?.(known) ?? known;
  const flow = costFlow(program, libfuncs, info);
  const solutions = new Map<CostToken, GasSolution>(solvers.precosts(flow, options.enforced));
  const usages = (token: PrecostToken, statement: number): number =>
    solutions.get(token)?.variables.get(statement) ?? refuseUnknown(token, statement);
  const ap = solvers.apChanges(program, apFlow(program, libfuncs, info, usages));
  const steady = steadyCost({
    usagesAt: (statement) => (token) => usages(token, statement),
    alignCells: (statement) => ap.variables.get(statement) ?? 0,
  });
  solutions.set("Const", solvers.steady(flow, steady, enforcedConst(options)));
  return metadataFrom(program, ap, solutions);
}

/** The steady part of costs that are fixed; a function of fixed cost needs one. */
function enforcedConst({ enforced }: MetadataOptions): ReadonlyMap<number, number> {
  return new Map([...enforced].map(([id, costs]) => [id, costs.get("Const") ?? 0]));
}

function metadataFrom(
  program: Program,
  ap: ApChanges,
  solutions: ReadonlyMap<CostToken, GasSolution>,
): Metadata {
  const functionCosts = new Map<number, Map<CostToken, number>>();
  for (const id of program.functions.keys()) {
    const costs = new Map<CostToken, number>();
    for (const [token, solution] of solutions) {
      const gas = solution.functionCosts[id] ?? 0;
      if (gas !== 0) costs.set(token, gas);
    }
    functionCosts.set(id, costs);
  }
  return {
    functionApChanges: ap.functions,
    apVariables: ap.variables,
    gasVariables: (token, statement) => solutions.get(token)?.variables.get(statement),
    functionCosts,
  };
}

function refuseUnknown(token: PrecostToken, statement: number): never {
  throw new CompileError(
    "SIERRA_INVALID",
    `uses of ${token} at statement ${statement} are unknown`,
    {
      statement,
    },
  );
}

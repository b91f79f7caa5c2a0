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

/** Numbers for `ap` and gas that code depends on and that no statement contains. */
export interface Metadata {
  /**
   * Cells by which `ap` moves from the start of a function to its return, by function id; functions with an
   * unknown change are omitted.
   */
  readonly functionApChanges: ReadonlyMap<number, number>;
  /**
   * Cells by which a `branch_align` moves `ap`, by statement index; statements that do not move it are
   * omitted.
   */
  readonly apVariables: ReadonlyMap<number, number>;
  /**
   * Gas that a statement moves: withdrawn by `withdraw_gas`, burned by `branch_align`, returned by
   * `redeposit_gas` and `coupon_refund`, or reported by `get_unspent_gas`. `undefined` for statements that
   * move none.
   */
  gasVariables(token: CostToken, statement: number): number | undefined;
  /** Cost of a call by function id, then by token; amounts of 0 are omitted. */
  readonly functionCosts: ReadonlyMap<number, ReadonlyMap<CostToken, number>>;
}

/** Parts of a program's registry that metadata depends on. */
export interface MetadataRegistry extends InfoSources {
  readonly libfuncs: readonly Libfunc[];
}

/** Externally fixed inputs of the metadata. */
export interface MetadataOptions {
  /** Required cost of a call of each entry point, by function id, then by token. */
  readonly enforced: ReadonlyMap<number, ReadonlyMap<CostToken, number>>;
  /** Solvers to use. Default: those for Sierra from 1.4.0 on. */
  readonly solvers?: Solvers;
}

/**
 * Computes gas and `ap` changes of a program. The order is: builtins; then `ap`, which depends on the code
 * that adds up builtin prices; then the constant part of gas, which depends on the moves of `ap`.
 *
 * Source: Sierra compiler, `calc_metadata`.
 *
 * @throws {CompileError} SIERRA_INVALID when functions need each other's gas without `withdraw_gas` in
 *   between, when an enforced cost is impossible, or when branches cannot agree on `ap`
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

/** Constant part of the enforced costs; 0 for a function whose enforced cost has none. */
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

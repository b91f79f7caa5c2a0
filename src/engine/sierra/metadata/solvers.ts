import type { CostToken, PrecostToken } from "../libfunc/branch-cost.ts";
import type { ProgramInfo } from "../libfunc/program-info.ts";
import type { Program } from "../program/program.ts";
import type { ApChanges } from "./ap-changes.ts";
import type { ApFlow } from "./ap-flow.ts";
import type { CostFlow } from "./cost-flow.ts";
import type { GasSolution } from "./gas-solution.ts";
import type { OwnCost } from "./wallet-rules.ts";

/**
 * Solvers of gas and `ap` changes, called in this order.
 *
 * Each throws a CompileError, SIERRA_INVALID, when no solution exists.
 */
export interface Solvers {
  /** Restricts the info that costs may depend on. Default: no restriction. */
  info?(known: ProgramInfo): ProgramInfo;
  /** @param enforced - required cost of each function of fixed cost */
  precosts(
    flow: CostFlow,
    enforced: ReadonlyMap<number, ReadonlyMap<CostToken, number>>,
  ): Map<PrecostToken, GasSolution>;
  apChanges(program: Program, flow: ApFlow): ApChanges;
  /** @param enforced - constant part of the required cost of each function of fixed cost */
  steady(flow: CostFlow, ownCost: OwnCost, enforced: ReadonlyMap<number, number>): GasSolution;
}

import type { CostToken, PrecostToken } from "../libfunc/branch-cost.ts";
import type { ProgramInfo } from "../libfunc/program-info.ts";
import type { Program } from "../program/program.ts";
import type { ApChanges } from "./ap-changes.ts";
import type { ApFlow } from "./ap-flow.ts";
import type { CostFlow } from "./cost-flow.ts";
import type { GasSolution } from "./gas-solution.ts";
import type { OwnCost } from "./wallet-rules.ts";

/**
 * How gas and changes of `ap` are found, in this order.
 *
 * Each throws a CompileError, SIERRA_INVALID, when there is no solution.
 */
export interface Solvers {
  /** What costs may depend on, where that is less than there is to know. */
  info?(known: ProgramInfo): ProgramInfo;
  /** @param enforced - per function of fixed cost: that cost */
  precosts(
    flow: CostFlow,
    enforced: ReadonlyMap<number, ReadonlyMap<CostToken, number>>,
  ): Map<PrecostToken, GasSolution>;
  apChanges(program: Program, flow: ApFlow): ApChanges;
  /** @param enforced - per function of fixed cost: its steady part */
  steady(flow: CostFlow, ownCost: OwnCost, enforced: ReadonlyMap<number, number>): GasSolution;
}

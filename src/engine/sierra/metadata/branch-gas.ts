import { type BranchCost, type CostToken, PRECOST_TOKENS } from "../libfunc/branch-cost.ts";
import type { ProgramInfo } from "../libfunc/program-info.ts";
import type { Libfunc } from "../libfunc/libfunc.ts";
import type { Metadata } from "./metadata.ts";
import { isRefund, isWithdrawal } from "./cost-flow.ts";
import { type SteadyInfo, steadyCost } from "./wallet-rules.ts";

/** Gas by token; zero amounts are omitted. */
export type GasByToken = ReadonlyMap<CostToken, number>;

/** Costs of branches; cached per libfunc if equal at all statements. */
export class BranchGas {
  readonly #metadata: Metadata;
  readonly #info: ProgramInfo;
  readonly #same = new Map<Libfunc, readonly GasByToken[]>();

  constructor(metadata: Metadata, info: ProgramInfo) {
    this.#metadata = metadata;
    this.#info = info;
  }

  /** Like {@link branchCosts} at a statement. */
  at(statement: number, libfunc: Libfunc): readonly GasByToken[] {
    const known = this.#same.get(libfunc);
    if (known !== undefined) return known;
    const costs = branchCosts(this.#metadata, statement, libfunc, this.#info);
    const isSame = libfunc.costs(this.#info).every((cost) => cost.kind === "regular");
    if (isSame) this.#same.set(libfunc, costs);
    return costs;
  }
}

/**
 * Gas that each branch of a libfunc takes from the wallet at a statement, as resolved with the metadata;
 * negative if it adds gas.
 */
export function branchCosts(
  metadata: Metadata,
  statement: number,
  libfunc: Libfunc,
  info: ProgramInfo,
): readonly GasByToken[] {
  return libfunc.costs(info).map((cost) => {
    const gas = new Map<CostToken, number>();
    for (const token of PRECOST_TOKENS) {
      const count = precost(metadata, statement, cost, token);
      if (count !== 0) gas.set(token, count);
    }
    const steady = steadyGas(metadata, statement, cost);
    if (steady !== 0) gas.set("Const", steady);
    return gas;
  });
}

function precost(
  metadata: Metadata,
  statement: number,
  cost: BranchCost,
  token: Exclude<CostToken, "Const">,
): number {
  if (cost.kind === "regular") return cost.precost[token] ?? 0;
  const moved = metadata.gasVariables(token, statement) ?? 0;
  switch (cost.kind) {
    case "function": {
      const called = metadata.functionCosts.get(cost.function)?.get(token) ?? 0;
      return isRefund(cost) ? moved - called : called;
    }
    case "branch_align":
    case "redeposit_gas":
      return moved;
    case "withdraw_gas":
      return cost.success ? -moved : 0;
    case "get_unspent_gas":
      return 0;
  }
}

function steadyGas(metadata: Metadata, statement: number, cost: BranchCost): number {
  const moved = metadata.gasVariables("Const", statement) ?? 0;
  const own = steadyCost(steadyInfo(metadata))(cost, statement);
  if (cost.kind === "function") {
    const called = own + (metadata.functionCosts.get(cost.function)?.get("Const") ?? 0);
    return isRefund(cost) ? moved - called : called;
  }
  if (isWithdrawal(cost)) return own - moved;
  return cost.kind === "branch_align" || cost.kind === "redeposit_gas" ? own + moved : own;
}

function steadyInfo(metadata: Metadata): SteadyInfo {
  return {
    usagesAt: (statement) => (token) => metadata.gasVariables(token, statement) ?? 0,
    alignCells: (statement) => metadata.apVariables.get(statement) ?? 0,
  };
}

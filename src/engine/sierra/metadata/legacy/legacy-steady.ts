import { type CostFlow, isRefund } from "../cost-flow.ts";
import type { GasSolution } from "../gas-solution.ts";
import type { OwnCost } from "../wallet-rules.ts";
import { futureOf, gasEquations, variableAt } from "./gas-equations.ts";
import { solveEquations } from "./equation-solver.ts";

/**
 * Solves the constant part of gas in a program of Sierra before 1.4.0. Coupons refund nothing.
 *
 * @param enforced - required cost of each function whose cost is fixed
 * @throws {CompileError} SIERRA_INVALID when there is no solution
 */
export function solveLegacySteady(
  flow: CostFlow,
  ownCost: OwnCost,
  enforced: ReadonlyMap<number, number>,
): GasSolution {
  const equations = gasEquations(flow, ownCost);
  for (const [id, gas] of enforced) {
    const entry = flow.functions[id]?.entry ?? 0;
    equations.push({ constant: -gas, terms: new Map([[futureOf(entry), 1]]) });
  }
  const found = new Set(equations.flatMap(({ terms }) => [...terms.keys()]));
  const solution = solveEquations(equations, layersOf(flow, found, enforced));
  const variables = new Map<number, number>();
  for (const [variable, gas] of solution) {
    const { statement, isMoved } = variableAt(variable);
    if (isMoved) variables.set(statement, gas);
  }
  for (const [statement, branches] of flow.branches.entries()) {
    if (branches.some(({ effect }) => isRefund(effect))) variables.set(statement, 0);
  }
  // A function that never returns has no equations and costs nothing.
  const functionCosts = flow.functions.map(({ entry }) => solution.get(futureOf(entry)) ?? 0);
  return { variables, functionCosts };
}

/**
 * Variables to minimize, most important layer first: costs of functions and withdrawals with a price table,
 * other withdrawals, burned gas. Returned gas is not minimized.
 */
function layersOf(
  flow: CostFlow,
  variables: Iterable<number>,
  enforced: ReadonlyMap<number, number>,
): number[][] {
  const priced = new Set<number>();
  for (const [id, { entry }] of flow.functions.entries()) if (!enforced.has(id)) priced.add(entry);
  const layers: [number[], number[], number[]] = [[], [], []];
  for (const variable of variables) {
    const { statement, isMoved } = variableAt(variable);
    const [first] = flow.branches[statement] ?? [];
    const kind = first?.effect.kind;
    if (!isMoved) {
      if (priced.has(statement)) layers[0].push(variable);
    } else if (first?.effect.kind === "withdraw_gas") {
      layers[first.effect.withTable ? 0 : 1].push(variable);
    } else if (kind === "branch_align") layers[2].push(variable);
  }
  return layers;
}

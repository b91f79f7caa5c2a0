import type { BranchCost } from "../../libfunc/branch-cost.ts";
import { type CostFlow, isRefund, isWithdrawal } from "../cost-flow.ts";
import { Effort, PATH_TERMS } from "./effort.ts";
import { reverseTopologicalOrder } from "../topological-order.ts";
import type { OwnCost } from "../wallet-rules.ts";
import { isZero, type LinearExpression } from "./linear-expression.ts";
import { difference, EMPTY_PATH, extended, type PathSum } from "./path-sum.ts";

/**
 * Returns the number of the variable for the gas needed from a statement to the end of the
 * function.
 */
export function futureOf(statement: number): number {
  return 2 * statement;
}

/** Returns the number of the variable for the gas that a statement withdraws, burns or returns. */
export function movedAt(statement: number): number {
  return 2 * statement + 1;
}

/**
 * Returns the statement that a variable belongs to, and whether it is the variable of {@link
 * movedAt}.
 */
export function variableAt(variable: number): { statement: number; isMoved: boolean } {
  return { statement: Math.floor(variable / 2), isMoved: variable % 2 === 1 };
}

/**
 * Equations of the constant part of gas, each an expression that must be 0: all paths from a statement need
 * the same amount. Coupons refund nothing.
 *
 * Source: Sierra compiler, gas equations for Sierra before 1.4.0.
 *
 * @throws {CompileError} SIERRA_INVALID when the compared paths have more than {@link PATH_TERMS} terms
 */
export function gasEquations(flow: CostFlow, ownCost: OwnCost): LinearExpression[] {
  const effort = new Effort(PATH_TERMS);
  const equations: LinearExpression[] = [];
  const futures: (PathSum | undefined)[] = Array.from({ length: flow.branches.length });
  const future = (statement: number): PathSum =>
    (futures[statement] ??= extended(EMPTY_PATH, 0, futureOf(statement)));
  const needs = (statement: number, gas: PathSum): void => {
    const known = futures[statement];
    if (known === undefined) futures[statement] = gas;
    else equations.push(difference(known, gas, "newest first", effort));
  };
  const along = (cost: BranchCost, statement: number, rest: PathSum): PathSum => {
    if (isRefund(cost)) return rest;
    const own = ownCost(cost, statement);
    const sign = movedSign(cost);
    if (sign !== 0) return extended(rest, own, movedAt(statement), sign);
    const called = cost.kind === "function" ? flow.functions[cost.function]?.entry : undefined;
    return extended(rest, own, called === undefined ? undefined : futureOf(called));
  };
  for (const { entry } of flow.functions) future(entry);
  for (const statement of orderFromEntries(flow)) {
    if (flow.isReturn(statement)) needs(statement, EMPTY_PATH);
    for (const { target, effect } of flow.branches[statement] ?? []) {
      needs(statement, along(effect, statement, future(target)));
    }
  }
  return equations.filter((equation) => !isZero(equation));
}

/** Statements that functions reach, each after its successors unless they form a cycle. */
function orderFromEntries({ branches, functions }: CostFlow): number[] {
  return reverseTopologicalOrder(
    functions.map(({ entry }) => entry),
    branches.length,
    (statement) => (branches[statement] ?? []).map(({ target }) => target).reverse(),
  );
}

/**
 * Whether a branch adds the amount moved by its statement to the need (1), subtracts it (-1), or neither (0).
 */
function movedSign(cost: BranchCost): 1 | 0 | -1 {
  if (isWithdrawal(cost)) return -1;
  return cost.kind === "branch_align" || cost.kind === "redeposit_gas" ? 1 : 0;
}

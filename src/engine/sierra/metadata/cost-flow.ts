import type { BranchCost } from "../libfunc/branch-cost.ts";
import type { ProgramInfo } from "../libfunc/program-info.ts";
import type { Libfunc } from "../libfunc/libfunc.ts";
import type { FunctionDeclaration, Program } from "../program/program.ts";
import { CompileError } from "../compile-error.ts";
import { allStatements, type FlowBranch, type ProgramFlow, programFlow } from "./program-flow.ts";
import { reverseTopologicalOrder } from "./topological-order.ts";

/** Branches with their costs, and the two orders in which they are walked. */
export interface CostFlow {
  readonly branches: ProgramFlow<BranchCost>;
  readonly functions: readonly FunctionDeclaration[];
  /** Whether a statement ends a function; other statements without branches are never passed. */
  isReturn(statement: number): boolean;
  /** Statements, each after those whose gas it needs: entries of called functions, and its successors. */
  readonly byNeed: readonly number[];
  /** Statements, each before its successors unless they form a cycle. */
  readonly byReach: readonly number[];
}

/**
 * Collects the branches of a program with their costs, and the two orders in which gas is solved.
 *
 * @throws {CompileError} SIERRA_INVALID when statements need each other's gas: a function that
 *   calls itself, or a loop, without `withdraw_gas` in between
 */
export function costFlow(
  program: Program,
  libfuncs: readonly Libfunc[],
  info: ProgramInfo,
): CostFlow {
  const { functions } = program;
  const costs = new Map<number, readonly BranchCost[]>();
  const branches = programFlow(program, (libfunc) => {
    const known = costs.get(libfunc) ?? libfuncs[libfunc]?.costs(info) ?? [];
    costs.set(libfunc, known);
    return known;
  });
  const { length } = branches;
  const byNeed = reverseTopologicalOrder(
    allStatements(branches),
    length,
    (statement) => needs(branches[statement] ?? [], functions),
    refuseCycle,
  );
  const byReach = reverseTopologicalOrder(allStatements(branches), length, (statement) =>
    (branches[statement] ?? []).map(({ target }) => target),
  ).reverse();
  const isReturn = (statement: number): boolean => program.statements[statement]?.kind === "return";
  return { branches, functions, isReturn, byNeed, byReach };
}

/** Whether a branch is a successful `withdraw_gas`, which pays for itself. */
export function isWithdrawal(cost: BranchCost): boolean {
  return cost.kind === "withdraw_gas" && cost.success;
}

/** Whether a branch refunds the cost of a function. */
export function isRefund(cost: BranchCost): boolean {
  return cost.kind === "function" && cost.sign === -1;
}

function needs(
  branches: readonly FlowBranch<BranchCost>[],
  functions: readonly FunctionDeclaration[],
): number[] {
  const [only] = branches;
  if (branches.length === 1 && only?.effect.kind === "regular") return [only.target];
  const found = new Set<number>();
  for (const { target, effect } of branches) {
    if (isWithdrawal(effect)) continue;
    const entry = effect.kind === "function" ? functions[effect.function]?.entry : undefined;
    if (entry !== undefined) found.add(entry);
    found.add(target);
  }
  return [...found];
}

function refuseCycle(statement: number): never {
  throw new CompileError(
    "SIERRA_INVALID",
    `statement ${statement} is reached again without withdraw_gas in between`,
    { statement },
  );
}

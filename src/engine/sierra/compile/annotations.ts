import { deref, fpCell } from "../casm/operand.ts";
import { CompileError } from "../compile-error.ts";
import type { ProgramInfo } from "../libfunc/program-info.ts";
import type { FunctionDeclaration, Program, Statement } from "../program/program.ts";
import { requireSameState } from "./convergence.ts";
import { initialEnvironment } from "./environment.ts";
import { ReferenceBudget, requireAffordable } from "./reference-budget.ts";
import type { GasWallet } from "./gas-wallet.ts";
import type { References, ReferenceValue } from "./reference-value.ts";
import { copiedState, type StatementState } from "./statement-state.ts";

/** Offset of a function's last parameter; the return address and the caller's `fp` follow. */
const LAST_PARAMETER_CELL = -3;

/** Arguments of a statement, and the state without them. */
export interface StatementInput {
  readonly state: StatementState;
  readonly args: readonly ReferenceValue[];
}

/** Known state at each statement, as derived from the paths followed so far. */
export class Annotations {
  readonly #states: (StatementState | undefined)[];
  readonly #weights: number[] = [];
  readonly #backwardTargets: ReadonlySet<number>;
  readonly #budget = new ReferenceBudget();

  constructor(program: Program) {
    this.#states = Array.from({ length: program.statements.length });
    this.#backwardTargets = backwardTargets(program.statements);
  }

  /**
   * Enters a function: its parameters are below `fp`, the last one closest.
   *
   * @throws {CompileError} SIERRA_INVALID when two functions start at the statement, or two parameters are
   *   the same variable
   */
  enter(
    functionId: number,
    declaration: FunctionDeclaration,
    info: ProgramInfo,
    wallet: GasWallet | undefined,
  ): void {
    this.reach(declaration.entry, {
      refs: parameters(declaration, info),
      functionId,
      mayConverge: false,
      environment: initialEnvironment(wallet),
    });
  }

  /**
   * Records another path to a statement.
   *
   * @throws {CompileError} SIERRA_INVALID when its state differs from the earlier paths', or when the states
   *   of all statements are too large
   */
  reach(statement: number, state: StatementState): void {
    if (statement < 0 || statement >= this.#states.length) refuse("it does not exist");
    const weight = this.#budget.take(state.refs);
    const known = this.#states[statement];
    if (known === undefined) {
      this.#states[statement] = state;
      this.#weights[statement] = weight;
      return;
    }
    requireSameState(known, state);
    this.#budget.giveBack(weight);
  }

  /** Whether a path to the statement is known. */
  isReached(statement: number): boolean {
    return this.#states[statement] !== undefined;
  }

  /**
   * Takes a statement's state and removes its arguments from it. Only targets of backward jumps keep their
   * state.
   *
   * @throws {CompileError} SIERRA_INVALID when no path leads to it or an argument is unknown
   */
  take(statement: number, variables: readonly number[]): StatementInput {
    const state = this.#states[statement];
    if (state === undefined) refuse("no path leads to it");
    if (this.#backwardTargets.has(statement)) this.#states[statement] = copiedState(state);
    else {
      this.#states[statement] = undefined;
      this.#budget.giveBack(this.#weights[statement] ?? 0);
    }
    const args = variables.map((variable) => {
      const value = state.refs.get(variable) ?? refuse(`variable ${variable} is unknown`);
      state.refs.delete(variable);
      return value;
    });
    return { state, args };
  }
}

function backwardTargets(statements: readonly Statement[]): ReadonlySet<number> {
  const targets = new Set<number>();
  statements.forEach((statement, index) => {
    if (statement.kind === "return") return;
    for (const { target } of statement.branches) {
      if (target !== undefined && target < index) targets.add(target);
    }
  });
  return targets;
}

function parameters({ params, entry }: FunctionDeclaration, info: ProgramInfo): References {
  requireAffordable(
    params.map(({ type }) => type),
    info,
  );
  const refs: References = new Map();
  let last = LAST_PARAMETER_CELL;
  params.toReversed().forEach(({ variable, type }, output) => {
    const size = info.sizeOf(type);
    if (refs.has(variable)) refuse(`two parameters are variable ${variable}`);
    const first = last - size + 1;
    refs.set(variable, {
      cells: Array.from({ length: size }, (_, i) => deref(fpCell(first + i))),
      type,
      stackIndex: undefined,
      introduction: { source: undefined, destination: entry, output },
    });
    last -= size;
  });
  return refs;
}

function refuse(message: string): never {
  throw new CompileError("SIERRA_INVALID", message);
}

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

/** The last parameter of a function ends here; the return address and the caller's `fp` come after. */
const LAST_PARAMETER_CELL = -3;

/** A statement's variables that are left, and those that it took. */
export interface Taken {
  readonly state: StatementState;
  readonly args: readonly ReferenceValue[];
}

/** What is known at each statement, as far as the ways to it have been gone. */
export class Annotations {
  readonly #states: (StatementState | undefined)[];
  readonly #weights: number[] = [];
  readonly #backwardTargets: ReadonlySet<number>;
  readonly #budget = new ReferenceBudget();

  /** Nothing is known yet. */
  constructor(program: Program) {
    this.#states = Array.from({ length: program.statements.length });
    this.#backwardTargets = backwardTargets(program.statements);
  }

  /**
   * Begins a function: its parameters are below `fp`, the last one nearest.
   *
   * @throws {CompileError} SIERRA_INVALID when two functions begin there, or two parameters are one variable
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
   * One more way leads to a statement.
   *
   * @throws {CompileError} SIERRA_INVALID when it knows something else than the ways before, or when too
   *   much is known at all statements
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

  /** Whether a way to the statement is known. */
  isReached(statement: number): boolean {
    return this.#states[statement] !== undefined;
  }

  /**
   * Takes what is known at a statement, and the variables that are its arguments out of that. Only
   * targets of ways back stay known.
   *
   * @throws {CompileError} SIERRA_INVALID when no way leads there or an argument is unknown
   */
  take(statement: number, variables: readonly number[]): Taken {
    const state = this.#states[statement];
    if (state === undefined) refuse("no way leads to it");
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

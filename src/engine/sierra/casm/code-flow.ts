import { invariant } from "#base/errors/index.ts";
import { BuilderState, type Var } from "./builder-state.ts";
import { calledState, callerVars } from "./call-states.ts";
import type { CellExpression } from "./cell-expression.ts";
import type { Hint } from "./hint.ts";
import { type Instruction, type InstructionBody, instructionSize } from "./instruction.ts";
import { adjustedCell, apCell, type CellRef, deref, immediate } from "./operand.ts";

/** The label of what comes after the code. */
export const FALLTHROUGH = "Fallthrough";

/** A way out of built code. */
export interface BuiltBranch {
  /** What is known there. */
  readonly state: BuilderState;
  /** Instructions that jump there; their targets are not filled in. */
  readonly jumps: readonly number[];
}

/** Built code, with the ways out that were asked for, in their order. */
export interface BuiltCode {
  readonly instructions: Instruction[];
  readonly branches: readonly BuiltBranch[];
}

interface Label {
  readonly state: BuilderState;
  /** Offset of the code behind it; `undefined` until it stands. */
  offset: number | undefined;
}

interface LabelledJump {
  readonly label: string;
  readonly instruction: number;
  readonly offset: number;
}

/**
 * The flow of the code of one libfunc: instructions, labels, and what is known at each place. A cell that
 * is taken is written by one of the next instructions, which then carries `ap++`.
 *
 * Wrong use is a bug of the libfunc, not of the program, and throws {@link InvariantError}.
 */
export class CodeFlow {
  readonly #labels = new Map<string, Label>();
  readonly #instructions: Instruction[] = [];
  readonly #jumps: LabelledJump[] = [];
  protected state = new BuilderState();
  #hints: Hint[] = [];
  /** Whether anything leads to what is added next. */
  protected isReachable = true;
  #offset = 0;
  #varCount = 0;

  /** A name for a value. */
  add(value: CellExpression): Var {
    const variable = this.#varCount++ as Var;
    this.state.vars.set(variable, value);
    return variable;
  }

  /** A hint before the next instruction, with operands that are made elsewhere. */
  addHint(hint: Hint): void {
    this.#hints.push(hint);
  }

  /** `ap += cells`. */
  addAp(cells: number): void {
    this.push({ kind: "add_ap", operand: immediate(cells) }, false);
    this.state.apChange += cells;
  }

  /** Notes that `ap` has moved without an instruction of this code. */
  noteApChange(cells: number): void {
    this.state.apChange += cells;
    this.state.allocated += cells;
  }

  /** `jmp label`. */
  jump(label: string): void {
    this.#pushJump(label, { kind: "jump", target: immediate(0), relative: true }, true);
    const state = this.state;
    this.state = new BuilderState();
    this.#reach(label, state);
    this.isReachable = false;
  }

  /** `jmp label if condition != 0`; `condition` is a cell. */
  jumpNz(condition: Var, label: string): void {
    const cell = this.adjustedCell(condition);
    this.#pushJump(label, { kind: "jnz", target: immediate(0), condition: cell }, true);
    this.#reach(label, this.state.copy());
  }

  /** The code that follows stands at `name`. */
  label(name: string): void {
    let label = this.#labels.get(name);
    if (label === undefined) {
      invariant(this.isReachable, `a label that is reached: ${name}`);
      label = { state: this.state.copy(), offset: undefined };
      this.#labels.set(name, label);
    } else if (this.isReachable) label.state.meet(this.state, false);
    label.offset = this.#offset;
    this.state = label.state.copy();
    this.isReachable = true;
  }

  /** Something that was jumped to or called stands `offset` felts further on, outside of this code. */
  futureLabel(name: string, offset: number): void {
    const label = this.#labels.get(name);
    invariant(label !== undefined, `a label that is used: ${name}`);
    label.offset = this.#offset + offset;
  }

  /** Forgets all names but the first of each pair, which get the values of the second; `ap` counts anew. */
  rescope(pairs: readonly (readonly [name: Var, value: Var])[]): void {
    const state = this.state;
    state.requireComplete();
    state.vars = new Map(pairs.map(([name, value]) => [name, state.adjusted(value)]));
    state.apChange = 0;
    state.allocated = 0;
  }

  /**
   * Calls code at `label`, which gets every value relative to `ap`; those relative to `fp` stay here.
   *
   * @returns names for the `count` cells below `ap` that it leaves
   */
  call(label: string, count: number): Var[] {
    const state = this.state;
    state.requireComplete();
    const called = calledState(state);
    const vars = callerVars(state);
    this.#pushJump(label, { kind: "call", target: immediate(0), relative: true }, false);
    state.vars = vars;
    state.allocated = 0;
    state.apChange = 0;
    this.#reach(label, called);
    return Array.from({ length: count }, (_, i) => this.add(deref(apCell(i - count))));
  }

  /** `ret`. */
  ret(): void {
    this.state.requireComplete();
    this.push({ kind: "ret" }, false);
    this.isReachable = false;
  }

  /** An instruction of another kind, which takes no cell. */
  instruction(body: InstructionBody): void {
    this.push(body, false);
  }

  /** Steps since the beginning, or since they were counted anew. */
  get steps(): number {
    return this.state.steps;
  }

  /** Counts steps anew. */
  resetSteps(): void {
    this.state.steps = 0;
  }

  /** Cells by which `ap` has moved. */
  get apChange(): number {
    return this.state.apChange;
  }

  /** The value of a name, relative to `ap` now. */
  adjusted(variable: Var): CellExpression {
    return this.state.adjusted(variable);
  }

  /** The value of a name, relative to `ap` at the beginning. */
  unadjusted(variable: Var): CellExpression {
    return this.state.get(variable);
  }

  /**
   * Ends the code.
   *
   * @param exits - the labels that lead out of it; {@link FALLTHROUGH} is what comes after it
   */
  build(exits: readonly string[]): BuiltCode {
    invariant(this.#hints.length === 0, "a hint has an instruction");
    const jumps = exits.map((): number[] => []);
    for (const { label, instruction, offset } of this.#jumps) {
      const target = this.#labels.get(label)?.offset;
      if (target !== undefined) this.#relocate(instruction, target - offset);
      else {
        const exit = jumps[exits.indexOf(label)];
        invariant(exit !== undefined, `a way out that is asked for: ${label}`);
        exit.push(instruction);
      }
    }
    for (const [name, { offset }] of this.#labels) {
      if (offset !== undefined) this.#labels.delete(name);
    }
    if (this.isReachable) {
      this.#labels.set(FALLTHROUGH, { state: this.state, offset: undefined });
    }
    const branches = exits.map((name, i) => {
      const label = this.#labels.get(name);
      invariant(label !== undefined, `a way out that is reached: ${name}`);
      this.#labels.delete(name);
      label.state.requireComplete();
      return { state: label.state, jumps: jumps[i] ?? [] };
    });
    invariant(this.#labels.size === 0, "every way out is asked for");
    return { instructions: this.#instructions, branches };
  }

  #relocate(index: number, distance: number): void {
    const instruction = this.#instructions[index];
    invariant(instruction !== undefined, "a jump is an instruction");
    const { body } = instruction;
    invariant("target" in body, "a jump has a target");
    this.#instructions[index] = { ...instruction, body: { ...body, target: immediate(distance) } };
  }

  #reach(name: string, state: BuilderState): void {
    const label = this.#labels.get(name);
    if (label === undefined) this.#labels.set(name, { state, offset: undefined });
    else label.state.meet(state, label.offset !== undefined);
  }

  #pushJump(label: string, body: InstructionBody, canIncAp: boolean): void {
    this.#jumps.push({ label, instruction: this.#instructions.length, offset: this.#offset });
    this.push(body, canIncAp);
  }

  /** Adds an instruction. */
  protected push(body: InstructionBody, canIncAp: boolean): void {
    invariant(this.isReachable, "code that is reached");
    const state = this.state;
    const incAp = canIncAp && state.allocated > state.apChange;
    if (incAp) state.apChange++;
    state.steps++;
    const instruction = { body, incAp, hints: this.#hints };
    this.#hints = [];
    this.#offset += instructionSize(instruction);
    this.#instructions.push(instruction);
  }

  /** The cell that a name stands for, relative to `ap` at the beginning. */
  protected cell(variable: Var): CellRef {
    const value = this.state.get(variable);
    invariant(value.kind === "deref", "a variable that is a cell");
    return value.cell;
  }

  /** The cell that a name stands for, relative to `ap` now. */
  protected adjustedCell(variable: Var): CellRef {
    return adjustedCell(this.cell(variable), this.state.apChange);
  }
}

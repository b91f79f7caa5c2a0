import { invariant } from "#base/errors/index.ts";
import { BuilderState, type Var } from "./builder-state.ts";
import { calledState, callerVars } from "./call-states.ts";
import type { CellExpression } from "./cell-expression.ts";
import type { Hint } from "./hint.ts";
import { type Instruction, type InstructionBody, instructionSize } from "./instruction.ts";
import { adjustedCell, apCell, type CellRef, deref, immediate } from "./operand.ts";

/** Name of the label for the position after a libfunc's code. */
export const FALLTHROUGH = "Fallthrough";

/** Exit of built code. */
export interface BuiltBranch {
  /** Known facts at the exit. */
  readonly state: BuilderState;
  /** Instructions that jump to the exit; their targets are not filled in. */
  readonly jumps: readonly number[];
}

/** Built code with the requested exits, in order. */
export interface BuiltCode {
  readonly instructions: Instruction[];
  readonly branches: readonly BuiltBranch[];
}

interface Label {
  readonly state: BuilderState;
  /** Offset of the labelled code; `undefined` until the label is placed. */
  offset: number | undefined;
}

interface LabelledJump {
  readonly label: string;
  readonly instruction: number;
  readonly offset: number;
}

/**
 * Control flow of the code of one libfunc: instructions, labels, and the known facts at each position. An
 * allocated cell is written by one of the next instructions, which then increments `ap`.
 *
 * Misuse is a bug of the libfunc, not of the program, and throws {@link InvariantError}.
 */
export class CodeFlow {
  readonly #labels = new Map<string, Label>();
  readonly #instructions: Instruction[] = [];
  readonly #jumps: LabelledJump[] = [];
  protected state = new BuilderState();
  #hints: Hint[] = [];
  /** Whether the next instruction is reachable. */
  protected isReachable = true;
  #offset = 0;
  #varCount = 0;

  add(value: CellExpression): Var {
    const variable = this.#varCount++ as Var;
    this.state.vars.set(variable, value);
    return variable;
  }

  /** Adds a hint with prepared operands before the next instruction. */
  addHint(hint: Hint): void {
    this.#hints.push(hint);
  }

  addAp(cells: number): void {
    this.push({ kind: "add_ap", operand: immediate(cells) }, false);
    this.state.apChange += cells;
  }

  /** Records that `ap` has moved without an instruction of this code. */
  noteApChange(cells: number): void {
    this.state.apChange += cells;
    this.state.allocated += cells;
  }

  jump(label: string): void {
    this.#pushJump(label, { kind: "jump", target: immediate(0), relative: true }, true);
    const state = this.state;
    this.state = new BuilderState();
    this.#reach(label, state);
    this.isReachable = false;
  }

  /** `jmp label if condition != 0`; `condition` must be a cell. */
  jumpNz(condition: Var, label: string): void {
    const cell = this.adjustedCell(condition);
    this.#pushJump(label, { kind: "jnz", target: immediate(0), condition: cell }, true);
    this.#reach(label, this.state.copy());
  }

  /** Places a label at the current position. */
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

  /** Places a label that is already in use `offset` felts ahead, outside this code. */
  futureLabel(name: string, offset: number): void {
    const label = this.#labels.get(name);
    invariant(label !== undefined, `a label that is used: ${name}`);
    label.offset = this.#offset + offset;
  }

  /**
   * Starts a new scope: drops all variables except the first of each pair, which get the values of the
   * second. The change of `ap` restarts at 0.
   */
  rescope(pairs: readonly (readonly [name: Var, value: Var])[]): void {
    const state = this.state;
    state.requireComplete();
    state.vars = new Map(pairs.map(([name, value]) => [name, state.adjusted(value)]));
    state.apChange = 0;
    state.allocated = 0;
  }

  /**
   * Calls the code at `label`. It receives all values relative to `ap`; those relative to `fp` stay here.
   *
   * @returns variables for the top `count` cells that the callee leaves below `ap`
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

  ret(): void {
    this.state.requireComplete();
    this.push({ kind: "ret" }, false);
    this.isReachable = false;
  }

  /** Emits another kind of instruction, which writes no allocated cell. */
  instruction(body: InstructionBody): void {
    this.push(body, false);
  }

  /** Steps since the start or the last {@link resetSteps}. */
  get steps(): number {
    return this.state.steps;
  }

  resetSteps(): void {
    this.state.steps = 0;
  }

  /** Cells by which `ap` has moved. */
  get apChange(): number {
    return this.state.apChange;
  }

  /** Value of a variable, relative to the current `ap`. */
  adjusted(variable: Var): CellExpression {
    return this.state.adjusted(variable);
  }

  /** Value of a variable, relative to the initial `ap`. */
  unadjusted(variable: Var): CellExpression {
    return this.state.get(variable);
  }

  /**
   * Finishes the code.
   *
   * @param exits - labels outside the code; {@link FALLTHROUGH} is the position after it
   */
  build(exits: readonly string[]): BuiltCode {
    invariant(this.#hints.length === 0, "a hint has an instruction");
    const jumps = exits.map((): number[] => []);
    for (const { label, instruction, offset } of this.#jumps) {
      const target = this.#labels.get(label)?.offset;
      if (target !== undefined) this.#relocate(instruction, target - offset);
      else {
        const exit = jumps[exits.indexOf(label)];
        invariant(exit !== undefined, `a requested exit: ${label}`);
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
      invariant(label !== undefined, `a reached exit: ${name}`);
      this.#labels.delete(name);
      label.state.requireComplete();
      return { state: label.state, jumps: jumps[i] ?? [] };
    });
    invariant(this.#labels.size === 0, "every exit is requested");
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

  /** Cell of a variable, relative to the initial `ap`. */
  protected cell(variable: Var): CellRef {
    const value = this.state.get(variable);
    invariant(value.kind === "deref", "a variable that is a cell");
    return value.cell;
  }

  /** Cell of a variable, relative to the current `ap`. */
  protected adjustedCell(variable: Var): CellRef {
    return adjustedCell(this.cell(variable), this.state.apChange);
  }
}

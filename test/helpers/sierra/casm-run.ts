import type { CellExpression } from "#engine/sierra/casm/cell-expression.ts";
import type { Hint, HintOperand } from "#engine/sierra/casm/hint.ts";
import { type Instruction, instructionSize } from "#engine/sierra/casm/instruction.ts";
import { type CellRef, deref, fpCell } from "#engine/sierra/casm/operand.ts";
import type { CompiledInvocation } from "#engine/sierra/libfunc/invocation-builder.ts";
import { FIELD_PRIME } from "#base/primitives/index.ts";

/** Result of running the code of one libfunc. */
export interface CasmRun {
  /**
   * Taken branch: `undefined` for the next statement, otherwise the statement to which a jump
   * leads.
   */
  readonly target: number | undefined;
  /** Output cells of that branch. */
  readonly outputs: readonly (readonly bigint[])[];
  /** Values written at the range check pointer. */
  readonly rangeChecks: readonly bigint[];
}

/** Computes the values that a hint writes; tests may replace them by wrong ones. */
export type HintWriter = (name: string, inputs: ReadonlyMap<string, bigint>) => readonly bigint[];

/**
 * Memory address that tests pass as the first argument; the cells of {@link runCasm}'s `pointed`
 * begin there.
 */
export const POINTER = 2n ** 40n;

const FP = 1000n;

/** Argument cells of a function with these sizes, below `fp`, the first one lowest. */
export function argumentCells(sizes: readonly number[]): CellExpression[][] {
  let offset = -2 - sizes.reduce((sum, size) => sum + size, 0);
  return sizes.map((size) => Array.from({ length: size }, () => deref(fpCell(offset++))));
}

/** `value` modulo P, never negative. */
export function felt(value: bigint): bigint {
  return ((value % FIELD_PRIME) + FIELD_PRIME) % FIELD_PRIME;
}

/** `a / b` in the field. */
export function quotientInField(a: bigint, b: bigint): bigint {
  return felt(a * inverse(b));
}

/**
 * Runs the code of one libfunc until it leaves it. @throws if an assertion fails
 *
 * @param pointed - cells at {@link POINTER}
 */
export function runCasm(
  { instructions, relocations, outputs }: CompiledInvocation,
  args: readonly (readonly bigint[])[],
  hints: HintWriter,
  pointed: readonly bigint[] = [],
): CasmRun {
  const machine = new Machine(hints);
  pointed.forEach((value, i) => machine.write(POINTER + BigInt(i), value));
  args.flat().forEach((value, i) => {
    machine.write(FP - 2n - BigInt(args.flat().length) + BigInt(i), felt(value));
  });
  const offsets = [0];
  for (const each of instructions) offsets.push((offsets.at(-1) ?? 0) + instructionSize(each));
  let index = 0;
  let exit: number | undefined;
  while (index < instructions.length && exit === undefined) {
    const instruction = instructions[index];
    if (instruction === undefined) break;
    const jump = machine.step(instruction);
    if (jump === undefined) index++;
    else {
      const relocation = relocations.find((each) => each.instruction === index);
      if (relocation?.target.kind === "statement") exit = relocation.target.statement;
      else index = offsets.indexOf((offsets[index] ?? 0) + jump);
    }
  }
  const branch = exit === undefined ? 0 : exit - 100;
  return {
    target: exit,
    outputs: (outputs[branch] ?? []).map((cells) => cells.map((each) => machine.value(each))),
    rangeChecks: machine.pointed(),
  };
}

class Machine {
  readonly #memory = new Map<bigint, bigint>();
  readonly #hints: HintWriter;
  #ap = FP;

  constructor(hints: HintWriter) {
    this.#hints = hints;
  }

  write(address: bigint, value: bigint): void {
    const old = this.#memory.get(address);
    if (old !== undefined && old !== value) throw new RangeError(`${address}: ${old} != ${value}`);
    this.#memory.set(address, value);
  }

  /** Values written from {@link POINTER} on. */
  pointed(): bigint[] {
    const found: bigint[] = [];
    for (let at = POINTER; ; at++) {
      const value = this.#memory.get(at);
      if (value === undefined) return found;
      found.push(value);
    }
  }

  value(expression: CellExpression): bigint {
    const value = this.#maybe(expression);
    if (value === undefined) throw new RangeError("a cell is not known");
    return value;
  }

  /** @returns the distance of a taken jump */
  step({ body, incAp, hints }: Instruction): number | undefined {
    for (const hint of hints) this.#hint(hint);
    let jump: number | undefined;
    switch (body.kind) {
      case "assert_eq":
        this.#equate(body.a, body.b);
        break;
      case "add_ap":
        this.#ap += this.value(body.operand);
        break;
      case "jump":
        jump = Number(this.value(body.target));
        break;
      case "jnz":
        if (this.value(deref(body.condition)) !== 0n) jump = Number(this.value(body.target));
        break;
      default:
        throw new RangeError(`${body.kind} does not run here`);
    }
    if (incAp) this.#ap++;
    return jump;
  }

  #hint({ name, fields }: Hint): void {
    const inputs = new Map<string, bigint>();
    const cells: CellRef[] = [];
    for (const [field, operand] of fields as readonly (readonly [string, HintOperand])[]) {
      if (operand.kind === "input") inputs.set(field, this.value(operand.value));
      if (operand.kind === "output") cells.push(operand.cell);
    }
    const values = this.#hints(name, inputs);
    cells.forEach((cell, i) => this.write(this.#address(cell), felt(values[i] ?? 0n)));
  }

  #address({ register, offset }: CellRef): bigint {
    return (register === "ap" ? this.#ap : FP) + BigInt(offset);
  }

  #maybe(expression: CellExpression): bigint | undefined {
    if (expression.kind === "immediate") return felt(expression.value);
    if (expression.kind === "deref") return this.#memory.get(this.#address(expression.cell));
    if (expression.kind === "double_deref") {
      return this.#memory.get(this.#pointed(expression.cell, expression.offset));
    }
    const a = this.#memory.get(this.#address(expression.a));
    const b = this.#maybe(expression.b);
    if (a === undefined || b === undefined) return undefined;
    switch (expression.op) {
      case "add":
        return felt(a + b);
      case "sub":
        return felt(a - b);
      case "mul":
        return felt(a * b);
      case "div":
        return quotientInField(a, b);
    }
  }

  #pointed(cell: CellRef, offset: number): bigint {
    return this.value(deref(cell)) + BigInt(offset);
  }

  /** `a = b`, where a single unknown cell gets its value from the others. */
  #equate(cell: CellRef, b: CellExpression): void {
    const known = this.#maybe(b);
    if (known !== undefined) return this.write(this.#address(cell), known);
    const value = this.value(deref(cell));
    if (b.kind === "deref") return this.write(this.#address(b.cell), value);
    if (b.kind === "double_deref") return this.write(this.#pointed(b.cell, b.offset), value);
    if (b.kind !== "bin_op") return;
    const [left, right] = [this.#memory.get(this.#address(b.a)), this.#maybe(b.b)];
    const other = left ?? right ?? 0n;
    const missing = b.op === "add" ? value - other : quotientInField(value, other);
    if (left === undefined) this.write(this.#address(b.a), felt(missing));
    else if (b.b.kind === "deref") this.write(this.#address(b.b.cell), felt(missing));
  }
}

/** Inverse in the field. */
function inverse(value: bigint): bigint {
  let result = 1n;
  let base = felt(value);
  for (let exponent = FIELD_PRIME - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * base) % FIELD_PRIME;
    base = (base * base) % FIELD_PRIME;
  }
  return result;
}

import { DecodeError } from "#base/errors/index.ts";
import { FIELD_PRIME } from "#base/primitives/index.ts";
import {
  CellView,
  LAYOUT,
  OPERAND,
  OPERAND_FORMS,
  type OperandForm,
  writeFeltCell,
} from "#kernels/vm/index.ts";

/** Splits a variant of the JSON form: `"Name"`, or an object with the name as its only key. */
export function variantOf(path: string, value: unknown): readonly [name: string, fields: unknown] {
  if (typeof value === "string") return [value, {}];
  if (typeof value === "object" && value !== null) {
    const [entry] = Object.entries(value);
    if (entry !== undefined) return entry;
  }
  throw new DecodeError(path, "a hint");
}

/** Encodes hints of a program as the words and constants that the kernel reads (assembly/operands.ts). */
export class HintWords {
  /** Path of the element being encoded, for error messages. */
  path = "";
  readonly #words: number[] = [];
  readonly #constantWords: number[] = [];
  readonly #constants = new Map<bigint, number>();

  get length(): number {
    return this.#words.length;
  }

  add(...words: readonly number[]): void {
    this.#words.push(...words);
  }

  set(index: number, word: number): void {
    this.#words[index] = word;
  }

  /** Drops all words from an index on; none of them may belong to an operand. */
  cut(length: number): void {
    this.#words.length = length;
  }

  /** Appends a reference to the cell that receives a result. @throws {DecodeError} */
  addCell(value: unknown): void {
    const [isFp, offset] = this.#cell(value);
    this.#words.push(((offset << 1) | (isFp ? OPERAND.CELL_FP : 0)) >>> 0);
  }

  /** Appends a value operand. @throws {DecodeError} */
  addValue(value: unknown): void {
    const [form, content] = variantOf(this.path, value);
    if (form === "Deref") {
      const [isFp, offset] = this.#cell(content);
      this.#push("cell", isFp, false, offset, 0);
    } else if (form === "DoubleDeref" && Array.isArray(content)) {
      const [isFp, offset] = this.#cell(content[0]);
      this.#push("dereference", isFp, false, offset, this.#offset(content[1]));
    } else if (form === "Immediate") {
      this.#pushConstant("constant", false, 0, content);
    } else if (form === "BinOp") {
      this.#addBinary(content);
    } else {
      throw new DecodeError(this.path, `an operand, found ${form}`);
    }
  }

  #addBinary(value: unknown): void {
    const { op, a, b } = value as {
      readonly op?: unknown;
      readonly a?: unknown;
      readonly b?: unknown;
    };
    const [isFp, offset] = this.#cell(a);
    const [form, content] = variantOf(this.path, b);
    if (op !== "Add" && op !== "Mul") throw new DecodeError(this.path, "Add or Mul");
    const isSum = op === "Add";
    if (form === "Immediate") {
      const binary = isSum ? "cell_plus_constant" : "cell_times_constant";
      this.#pushConstant(binary, isFp, offset, content);
    } else if (form === "Deref") {
      const [isOtherFp, other] = this.#cell(content);
      const binary = isSum ? "cell_plus_cell" : "cell_times_cell";
      this.#push(binary, isFp, isOtherFp, offset, other);
    } else {
      throw new DecodeError(this.path, `an operand, found ${form}`);
    }
  }

  #push(
    form: OperandForm,
    isFp: boolean,
    isOtherFp: boolean,
    offset: number,
    second: number,
  ): void {
    const registers = (isFp ? OPERAND.FIRST_FP : 0) | (isOtherFp ? OPERAND.SECOND_FP : 0);
    const head = OPERAND_FORMS.indexOf(form) | registers;
    this.#words.push(head, offset >>> 0, second >>> 0);
  }

  #pushConstant(form: OperandForm, isFp: boolean, offset: number, value: unknown): void {
    const at = this.#constant(value);
    this.#push(form, isFp, false, offset, at);
    this.#constantWords.push(this.#words.length - 1);
  }

  #cell(value: unknown): readonly [isFp: boolean, offset: number] {
    const cell = value as { readonly register?: unknown; readonly offset?: unknown } | undefined;
    const isFp = cell?.register === "FP";
    if (!isFp && cell?.register !== "AP") throw new DecodeError(this.path, "a cell reference");
    return [isFp, this.#offset(cell?.offset)];
  }

  /** Validates a 16-bit offset: the kernel relies on the range. */
  #offset(value: unknown): number {
    if (
      typeof value === "number" &&
      Number.isInteger(value) &&
      value >= -0x8000 &&
      value < 0x8000
    ) {
      return value;
    }
    throw new DecodeError(this.path, "an offset of 16 bits");
  }

  /** Byte offset of a constant; equal constants are stored once. */
  #constant(value: unknown): number {
    if (typeof value !== "string") throw new DecodeError(this.path, "a hex number");
    const isNegative = value.startsWith("-");
    const magnitude = BigInt(isNegative ? value.slice(1) : value) % FIELD_PRIME;
    const felt = isNegative && magnitude !== 0n ? FIELD_PRIME - magnitude : magnitude;
    const known = this.#constants.get(felt);
    if (known !== undefined) return known;
    const offset = this.#constants.size * LAYOUT.CELL_BYTES;
    this.#constants.set(felt, offset);
    return offset;
  }

  words(): Uint32Array {
    return Uint32Array.from(this.#words);
  }

  /** Indices of the words that hold offsets into the constants. */
  constantWords(): Uint32Array {
    return Uint32Array.from(this.#constantWords);
  }

  constants(): Uint8Array {
    const bytes = new ArrayBuffer(this.#constants.size * LAYOUT.CELL_BYTES);
    const cellView = new CellView(bytes);
    for (const [value, offset] of this.#constants) writeFeltCell(cellView, offset / 8, value);
    return new Uint8Array(bytes);
  }
}

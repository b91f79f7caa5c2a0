import { DecodeError } from "#base/errors/index.ts";
import { CellView, writeFeltCell } from "#kernels/vm/index.ts";
import { FIELD_PRIME } from "#base/primitives/index.ts";

/** Kinds of operands: a value, an address, or the cell that a result goes to. */
type OperandKind = "value" | "address" | "cell";

/** A hint's number in the kernel (assembly/hints.ts) and its operands in the kernel's order. */
interface HintShape {
  readonly number: number;
  readonly operands: readonly (readonly [field: string, kind: OperandKind])[];
}

function shape(number: number, ...operands: readonly string[]): HintShape {
  const kinds = { "=": "value", "&": "address", ">": "cell" } as const;
  return {
    number,
    operands: operands.map((text) => [text.slice(1), kinds[text[0] as "=" | "&" | ">"]] as const),
  };
}

const HOST = 28;

/** `=` marks value operands, `&` addresses, `>` result cells. Source: cairo-lang-casm, hints. */
const SHAPES: Readonly<Record<string, HintShape>> = {
  AllocSegment: shape(0, ">dst"),
  AllocConstantSize: shape(1, "=size", ">dst"),
  TestLessThan: shape(2, "=lhs", "=rhs", ">dst"),
  TestLessThanOrEqual: shape(3, "=lhs", "=rhs", ">dst"),
  TestLessThanOrEqualAddress: shape(3, "=lhs", "=rhs", ">dst"),
  WideMul128: shape(4, "=lhs", "=rhs", ">high", ">low"),
  DivMod: shape(5, "=lhs", "=rhs", ">quotient", ">remainder"),
  Uint256DivMod: shape(
    6,
    "=dividend0",
    "=dividend1",
    "=divisor0",
    "=divisor1",
    ">quotient0",
    ">quotient1",
    ">remainder0",
    ">remainder1",
  ),
  SquareRoot: shape(7, "=value", ">dst"),
  Uint256SquareRoot: shape(
    8,
    "=value_low",
    "=value_high",
    ">sqrt0",
    ">sqrt1",
    ">remainder_low",
    ">remainder_high",
    ">sqrt_mul_2_minus_remainder_ge_u128",
  ),
  LinearSplit: shape(9, "=value", "=scalar", "=max_x", ">x", ">y"),
  AllocFelt252Dict: shape(10, "&segment_arena_ptr"),
  Felt252DictEntryInit: shape(11, "&dict_ptr", "=key"),
  Felt252DictEntryUpdate: shape(12, "&dict_ptr", "=value"),
  GetSegmentArenaIndex: shape(13, "&dict_end_ptr", ">dict_index"),
  InitSquashData: shape(
    14,
    "&dict_accesses",
    "=ptr_diff",
    "=n_accesses",
    ">big_keys",
    ">first_key",
  ),
  GetCurrentAccessIndex: shape(15, "&range_check_ptr"),
  ShouldSkipSquashLoop: shape(16, ">should_skip_loop"),
  GetCurrentAccessDelta: shape(17, ">index_delta_minus1"),
  ShouldContinueSquashLoop: shape(18, ">should_continue"),
  GetNextDictKey: shape(19, ">next_key"),
  AssertLeFindSmallArcs: shape(20, "&range_check_ptr", "=a", "=b"),
  AssertLeIsFirstArcExcluded: shape(21, ">skip_exclude_a_flag"),
  AssertLeIsSecondArcExcluded: shape(22, ">skip_exclude_b_minus_a"),
  RandomEcPoint: shape(23, ">x", ">y"),
  FieldSqrt: shape(24, "=val", ">sqrt"),
  Felt252DictRead: shape(25, "&dict_ptr", "=key", ">value_dst"),
  Felt252DictWrite: shape(26, "&dict_ptr", "=key", "=value"),
  SystemCall: shape(27, "&system"),
  Uint512DivModByUint256: shape(
    HOST,
    "=dividend0",
    "=dividend1",
    "=dividend2",
    "=dividend3",
    "=divisor0",
    "=divisor1",
    ">quotient0",
    ">quotient1",
    ">quotient2",
    ">quotient3",
    ">remainder0",
    ">remainder1",
  ),
  U256InvModN: shape(
    HOST,
    "=b0",
    "=b1",
    "=n0",
    "=n1",
    ">g0_or_no_inv",
    ">g1_option",
    ">s_or_r0",
    ">s_or_r1",
    ">t_or_k0",
    ">t_or_k1",
  ),
  EvalCircuit: shape(HOST, "=n_add_mods", "=add_mod_builtin", "=n_mul_mods", "=mul_mod_builtin"),
};

/** Hints that do nothing when a contract runs. */
const SILENT = new Set([
  "DebugPrint",
  "AssertCurrentAccessIndicesIsEmpty",
  "AssertAllAccessesUsed",
  "AssertAllKeysUsed",
  "AssertLeAssertThirdArcExcluded",
  "AssertLtAssertValidInput",
]);

/** A hint that the host executes, and where its operands stand among the hint words. */
export interface HostHint {
  readonly name: string;
  /** Word index of each operand by name. */
  readonly operands: Readonly<Record<string, number>>;
}

/** The hints of a program in the kernel's form. */
export interface EncodedHints {
  readonly words: Uint32Array;
  readonly constantWords: Uint32Array;
  readonly starts: readonly (readonly [pc: number, word: number])[];
  readonly constants: Uint8Array;
  readonly hostHints: readonly HostHint[];
}

/**
 * Encodes the hints of a compiled class.
 *
 * @throws {DecodeError} naming the place, for an unknown hint or one without the expected operands
 */
export function encodeHints(hints: ReadonlyMap<number, readonly unknown[]>): EncodedHints {
  const encoder = new HintEncoder();
  for (const [pc, list] of hints) encoder.add(pc, list);
  return encoder.finish();
}

class HintEncoder {
  readonly #words: number[] = [];
  readonly #constantWords: number[] = [];
  readonly #starts: (readonly [number, number])[] = [];
  readonly #constants = new Map<bigint, number>();
  readonly #hostHints: HostHint[] = [];
  #path = "";

  add(pc: number, list: readonly unknown[]): void {
    const start = this.#words.length;
    this.#words.push(0);
    let count = 0;
    for (const [index, hint] of list.entries()) {
      this.#path = `hints[${pc}][${index}]`;
      if (this.#addHint(hint)) count++;
    }
    if (count === 0) {
      this.#words.length = start;
      return;
    }
    this.#words[start] = count;
    this.#starts.push([pc, start]);
  }

  /** @returns false for a hint that does nothing */
  #addHint(hint: unknown): boolean {
    const [name, fields] = this.#variant(hint);
    if (SILENT.has(name)) return false;
    const known = Object.hasOwn(SHAPES, name) ? SHAPES[name] : undefined;
    if (known === undefined) throw new DecodeError(this.#path, `a known hint, found ${name}`);
    this.#path += `.${name}`;
    this.#words.push(known.number);
    if (known.number !== HOST) {
      for (const [field, kind] of known.operands) this.#addOperand(fields, field, kind);
      return true;
    }
    this.#words.push(this.#hostHints.length, 0);
    const start = this.#words.length;
    const operands: Record<string, number> = {};
    for (const [field, kind] of known.operands) {
      operands[field] = this.#words.length;
      this.#addOperand(fields, field, kind);
    }
    this.#words[start - 1] = this.#words.length - start;
    this.#hostHints.push({ name, operands });
    return true;
  }

  /** `"Name"`, or an object with the name as its only key. */
  #variant(value: unknown): readonly [string, unknown] {
    if (typeof value === "string") return [value, {}];
    if (typeof value === "object" && value !== null) {
      const [entry] = Object.entries(value);
      if (entry !== undefined) return entry;
    }
    throw new DecodeError(this.#path, "a hint");
  }

  #addOperand(fields: unknown, field: string, kind: OperandKind): void {
    const value = (fields as Readonly<Record<string, unknown>> | null)?.[field];
    const path = this.#path;
    this.#path = `${path}.${field}`;
    if (kind === "cell") {
      const [isFp, offset] = this.#cell(value);
      this.#words.push(((offset << 1) | isFp) >>> 0);
    } else {
      this.#addValue(value);
    }
    this.#path = path;
  }

  #addValue(value: unknown): void {
    const [form, content] = this.#variant(value);
    if (form === "Deref") {
      const [isFp, offset] = this.#cell(content);
      this.#pushValue(0, isFp, 0, offset, 0);
    } else if (form === "DoubleDeref" && Array.isArray(content)) {
      const [isFp, offset] = this.#cell(content[0]);
      this.#pushValue(1, isFp, 0, offset, this.#offset(content[1]));
    } else if (form === "Immediate") {
      this.#constantWords.push(this.#words.length + 2);
      this.#pushValue(2, 0, 0, 0, this.#constant(content));
    } else if (form === "BinOp") {
      this.#addBinary(content);
    } else {
      throw new DecodeError(this.#path, `an operand, found ${form}`);
    }
  }

  #addBinary(value: unknown): void {
    const { op, a, b } = value as {
      readonly op?: unknown;
      readonly a?: unknown;
      readonly b?: unknown;
    };
    const [isFp, offset] = this.#cell(a);
    const [form, content] = this.#variant(b);
    if (op !== "Add" && op !== "Mul") throw new DecodeError(this.#path, "Add or Mul");
    const isMul = op === "Mul" ? 2 : 0;
    if (form === "Immediate") {
      this.#constantWords.push(this.#words.length + 2);
      this.#pushValue(3 + isMul, isFp, 0, offset, this.#constant(content));
    } else if (form === "Deref") {
      const [isOtherFp, other] = this.#cell(content);
      this.#pushValue(4 + isMul, isFp, isOtherFp, offset, other);
    } else {
      throw new DecodeError(this.#path, `an operand, found ${form}`);
    }
  }

  #pushValue(form: number, isFp: number, isOtherFp: number, offset: number, second: number): void {
    this.#words.push(form | (isFp << 8) | (isOtherFp << 9), offset >>> 0, second >>> 0);
  }

  #cell(value: unknown): readonly [isFp: number, offset: number] {
    const cell = value as { readonly register?: unknown; readonly offset?: unknown } | undefined;
    const isFp = cell?.register === "FP" ? 1 : 0;
    const offset = cell?.offset;
    if (isFp === 0 && cell?.register !== "AP")
      throw new DecodeError(this.#path, "a cell reference");
    return [isFp, this.#offset(offset)];
  }

  /** Offsets have 16 bits: the kernel relies on it. */
  #offset(value: unknown): number {
    if (
      typeof value === "number" &&
      Number.isInteger(value) &&
      value >= -0x8000 &&
      value < 0x8000
    ) {
      return value;
    }
    throw new DecodeError(this.#path, "an offset of 16 bits");
  }

  /** Offset in bytes of a constant, which is stored once. */
  #constant(value: unknown): number {
    if (typeof value !== "string") throw new DecodeError(this.#path, "a hex number");
    const isNegative = value.startsWith("-");
    const magnitude = BigInt(isNegative ? value.slice(1) : value) % FIELD_PRIME;
    const felt = isNegative && magnitude !== 0n ? FIELD_PRIME - magnitude : magnitude;
    const known = this.#constants.get(felt);
    if (known !== undefined) return known;
    const offset = this.#constants.size * 32;
    this.#constants.set(felt, offset);
    return offset;
  }

  finish(): EncodedHints {
    const limbs = new BigUint64Array(this.#constants.size * 4);
    const cellView = new CellView(limbs.buffer);
    for (const [value, offset] of this.#constants) writeFeltCell(cellView, offset / 8, value);
    return {
      words: Uint32Array.from(this.#words),
      constantWords: Uint32Array.from(this.#constantWords),
      starts: this.#starts,
      constants: new Uint8Array(limbs.buffer),
      hostHints: this.#hostHints,
    };
  }
}

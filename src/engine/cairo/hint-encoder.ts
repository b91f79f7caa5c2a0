import { DecodeError } from "#base/errors/index.ts";
import { HINT_CODES, type HintCode, HINTS, type HostHintName } from "#kernels/vm/index.ts";
import { HintWords, variantOf } from "./hint-words.ts";

/** Operand kinds: a value, an address, or the cell that receives a result. */
const OPERAND_KINDS = { "=": "value", "&": "address", ">": "cell" } as const;
type OperandKind = (typeof OPERAND_KINDS)[keyof typeof OPERAND_KINDS];

/** Hint number in the kernel, and the operands in the kernel's order. */
interface HintShape {
  readonly code: HintCode;
  readonly number: number;
  readonly operands: readonly (readonly [field: string, kind: OperandKind])[];
}

const SHAPES: ReadonlyMap<string, HintShape> = new Map(
  Object.entries(HINTS).map(([name, [code, ...operands]]) => [
    name,
    {
      code,
      number: HINT_CODES.indexOf(code),
      operands: operands.map((text) => [
        text.slice(1),
        OPERAND_KINDS[text[0] as keyof typeof OPERAND_KINDS],
      ]),
    },
  ]),
);

/** Hints that have no effect when a contract runs. */
const SILENT = new Set([
  "DebugPrint",
  "AssertCurrentAccessIndicesIsEmpty",
  "AssertAllAccessesUsed",
  "AssertAllKeysUsed",
  "AssertLeAssertThirdArcExcluded",
  "AssertLtAssertValidInput",
]);

/** Hint that the host executes, with the positions of its operands among the hint words. */
export interface HostHint {
  readonly name: HostHintName;
  /** Word index of each operand by name. */
  readonly operands: Readonly<Record<string, number>>;
}

/** Hints of a program in the kernel's format. */
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
 * @throws {DecodeError} with the location, for an unknown hint or missing operands
 */
export function encodeHints(hints: ReadonlyMap<number, readonly unknown[]>): EncodedHints {
  const encoder = new HintEncoder();
  for (const [pc, list] of hints) encoder.add(pc, list);
  return encoder.finish();
}

class HintEncoder {
  readonly #words = new HintWords();
  readonly #starts: (readonly [number, number])[] = [];
  readonly #hostHints: HostHint[] = [];

  add(pc: number, list: readonly unknown[]): void {
    const words = this.#words;
    const start = words.length;
    words.add(0);
    let count = 0;
    for (const [index, hint] of list.entries()) {
      words.path = `hints[${pc}][${index}]`;
      if (this.#addHint(hint)) count++;
    }
    if (count === 0) {
      words.cut(start);
      return;
    }
    words.set(start, count);
    this.#starts.push([pc, start]);
  }

  /** @returns false for a hint that has no effect */
  #addHint(hint: unknown): boolean {
    const words = this.#words;
    const [name, fields] = variantOf(words.path, hint);
    if (SILENT.has(name)) return false;
    const known = SHAPES.get(name);
    if (known === undefined) throw new DecodeError(words.path, `a known hint, found ${name}`);
    words.path += `.${name}`;
    words.add(known.number);
    if (known.code !== "host") {
      for (const [field, kind] of known.operands) this.#addOperand(fields, field, kind);
      return true;
    }
    words.add(this.#hostHints.length, 0);
    const start = words.length;
    const operands: Record<string, number> = {};
    for (const [field, kind] of known.operands) {
      operands[field] = words.length;
      this.#addOperand(fields, field, kind);
    }
    words.set(start - 1, words.length - start);
    // The table assigns the code `host` only to these names.
    this.#hostHints.push({ name: name as HostHintName, operands });
    return true;
  }

  #addOperand(fields: unknown, field: string, kind: OperandKind): void {
    const words = this.#words;
    const value = (fields as Readonly<Record<string, unknown>> | null)?.[field];
    const { path } = words;
    words.path = `${path}.${field}`;
    if (kind === "cell") words.addCell(value);
    else words.addValue(value);
    words.path = path;
  }

  finish(): EncodedHints {
    return {
      words: this.#words.words(),
      constantWords: this.#words.constantWords(),
      starts: this.#starts,
      constants: this.#words.constants(),
      hostHints: this.#hostHints,
    };
  }
}

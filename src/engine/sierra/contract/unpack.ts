import { FIELD_PRIME } from "#base/primitives/index.ts";
import { CompileError } from "../compile-error.ts";

const MIN_PADDED_SIZE = 256;

/**
 * Unpacks the words of a program. The packed form is a code book of the distinct felts, followed by felts
 * that each hold several indices into it. The indices are digits in the base of the book's padded size,
 * lowest first. Felts after the last word are ignored.
 *
 * @throws {CompileError} SIERRA_DECODE when the felts are not a packed program
 */
export function unpackWords(felts: readonly bigint[]): bigint[] {
  const size = count(felts[0]);
  const padding = count(felts[1]);
  if (size >= felts.length - 1) refuse("a code book within the program");
  const book = felts.slice(2, 2 + size);
  const wordCount = count(felts[2 + size]);
  const packed = felts.slice(3 + size);
  const paddedSize = size + padding;
  const bits = Math.log2(paddedSize);
  if (paddedSize < MIN_PADDED_SIZE || !Number.isInteger(bits)) {
    refuse("a code book whose padded size is a power of two from 256 on");
  }
  const wordsPerFelt = digitsPerFelt(paddedSize);
  if (wordCount > packed.length * wordsPerFelt) refuse("as many words as announced");
  const words: bigint[] = [];
  for (const felt of packed) {
    const left = Math.min(wordsPerFelt, wordCount - words.length);
    if (left === 0) break;
    for (const index of digits(felt, bits, left)) {
      const word = book[index];
      if (word === undefined) return refuse("indices into the code book");
      words.push(word);
    }
  }
  return words;
}

/** Lowest `count` digits of `bits` bits each. */
function digits(felt: bigint, bits: number, count: number): number[] {
  const found: number[] = [];
  let rest = felt;
  // Felts are split into pieces small enough for exact number arithmetic.
  const perPiece = Math.max(1, Math.floor(48 / bits));
  const pieceBits = BigInt(bits * perPiece);
  const mask = (1n << pieceBits) - 1n;
  const base = 2 ** bits;
  while (found.length < count) {
    let piece = Number(rest & mask);
    rest >>= pieceBits;
    for (let i = 0; i < perPiece && found.length < count; i++) {
      found.push(piece % base);
      piece = Math.floor(piece / base);
    }
  }
  return found;
}

/** Number of digits that always fit in a felt. */
function digitsPerFelt(base: number): number {
  let digitCount = 0;
  for (let bound = BigInt(base); bound < FIELD_PRIME; bound *= BigInt(base)) digitCount++;
  return digitCount;
}

function count(felt: bigint | undefined): number {
  if (felt === undefined || felt > BigInt(Number.MAX_SAFE_INTEGER)) return refuse("a length");
  return Number(felt);
}

function refuse(expected: string): never {
  throw new CompileError("SIERRA_DECODE", `the Sierra program is damaged: expected ${expected}`);
}

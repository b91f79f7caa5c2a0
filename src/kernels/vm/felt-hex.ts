import { LAYOUT } from "./abi.ts";
import { VALUE } from "./cells.ts";

const { CELL_BYTES } = LAYOUT;
const CELL_WORDS = CELL_BYTES / 4;

const DIGITS = Buffer.from("0123456789abcdef");
const QUOTE = '"'.charCodeAt(0);
const COMMA = ",".charCodeAt(0);
const ZERO = "0".charCodeAt(0);
const X = "x".charCodeAt(0);

/** Maximum characters of a felt: 63 digits, `0x`, quotes and a comma. */
const MAX_CHARACTERS = 68;

/**
 * Formats felts as elements of a JSON array, `"0x1","0x2"`. Going through bigints and strings would allocate
 * fifty times the text's length as garbage.
 *
 * @param cells - integer cells in the kernel's layout; access marks in the flags are meaningless
 */
export function hexElements(cells: Uint8Array): string {
  const words = new Uint32Array(cells.buffer, cells.byteOffset, cells.byteLength / 4);
  const text = Buffer.allocUnsafe((cells.byteLength / CELL_BYTES) * MAX_CHARACTERS);
  let end = 0;
  for (let first = 0; first < words.length; first += CELL_WORDS) {
    if (first > 0) text[end++] = COMMA;
    end = writeFelt(words, first, text, end);
  }
  return text.toString("latin1", 0, end);
}

/** @returns the index of the next character */
function writeFelt(words: Uint32Array, first: number, text: Uint8Array, at: number): number {
  text[at++] = QUOTE;
  text[at++] = ZERO;
  text[at++] = X;
  let index = first + CELL_WORDS - 1;
  let word = (words[index] as number) & VALUE;
  while (word === 0 && index > first) word = words[--index] as number;
  // The first digit is not zero, unless it is the only one.
  let shift = word === 0 ? 0 : (31 - Math.clz32(word)) & ~3;
  for (;;) {
    for (; shift >= 0; shift -= 4) text[at++] = DIGITS[(word >>> shift) & 15] as number;
    if (index === first) break;
    word = words[--index] as number;
    shift = 28;
  }
  text[at++] = QUOTE;
  return at;
}

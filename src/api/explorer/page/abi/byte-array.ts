/** Bytes of a complete word of a ByteArray. */
const WORD_BYTES = 31;

/** ByteArray at the start of a list of felts. */
export interface ByteArray {
  /** Number of felts: words and three others. */
  readonly length: number;
  /** Bytes that are no UTF-8 are replacement characters. */
  readonly text: string;
}

/**
 * Reads the ByteArray at a position: number of words, words, last word, length of the last word in bytes.
 *
 * @returns `undefined` if it is cut off or malformed
 */
export function byteArrayAt(felts: readonly bigint[], start: number): ByteArray | undefined {
  const words = felts[start];
  if (words === undefined || words > BigInt(felts.length - start)) return undefined;
  const end = start + 1 + Number(words);
  const last = felts[end];
  const lastBytes = felts[end + 1];
  if (last === undefined || lastBytes === undefined || lastBytes >= BigInt(WORD_BYTES)) {
    return undefined;
  }
  const bytes = new Uint8Array(Number(words) * WORD_BYTES + Number(lastBytes));
  for (let i = start + 1; i < end; i++) {
    const at = (i - start - 1) * WORD_BYTES;
    if (!writeWord(bytes, at, felts[i] ?? 0n, WORD_BYTES)) return undefined;
  }
  if (!writeWord(bytes, Number(words) * WORD_BYTES, last, Number(lastBytes))) return undefined;
  return {
    length: Number(words) + 3,
    text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes),
  };
}

/** Returns the felts of a text. */
export function byteArrayFelts(text: string): readonly bigint[] {
  const bytes = new TextEncoder().encode(text);
  const words = Math.floor(bytes.length / WORD_BYTES);
  const felts = [BigInt(words)];
  for (let i = 0; i < words; i++) {
    felts.push(wordOf(bytes.subarray(i * WORD_BYTES, (i + 1) * WORD_BYTES)));
  }
  const last = bytes.subarray(words * WORD_BYTES);
  felts.push(wordOf(last), BigInt(last.length));
  return felts;
}

/** Returns big-endian bytes as a number. */
function wordOf(bytes: Uint8Array): bigint {
  let word = 0n;
  for (const byte of bytes) word = (word << 8n) | BigInt(byte);
  return word;
}

/** @returns whether the word fits the count of bytes */
function writeWord(bytes: Uint8Array, at: number, word: bigint, count: number): boolean {
  const hex = word.toString(16).padStart(2 * count, "0");
  if (hex.length > 2 * count && word !== 0n) return false;
  for (let i = 0; i < count; i++) bytes[at + i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  return true;
}

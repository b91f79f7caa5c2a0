import { byteArrayAt } from "../abi/byte-array.ts";
import { isFelt } from "../abi/felt.ts";
import { shortString } from "../abi/scalar-text.ts";

/** Value of a panic. */
export interface PanicValue {
  /** Felt in hex; empty for a text of several felts. */
  readonly felt: string;
  /** Characters of the felt or text; `null` if it has none that are readable. */
  readonly text: string | null;
}

/** First felt of a ByteArray in panic data. Source: `BYTE_ARRAY_MAGIC` of Cairo's `corelib`. */
const BYTE_ARRAY_MAGIC = "0x46a6158a16a947e5916b2a2ca68501a45e93d7110e81aa2d6438b1c57c879a3";
/** Maximum number of values. */
const MAX_VALUES = 500;

/** Returns the values of a panic's felts: byte arrays as text, others with their characters. */
export function panicValues(felts: readonly string[]): readonly PanicValue[] {
  const values: PanicValue[] = [];
  const numbers = felts.map((felt) => (isFelt(felt) ? BigInt(felt) : 0n));
  for (let i = 0; i < felts.length && values.length < MAX_VALUES;) {
    const felt = felts[i] ?? "0x0";
    const text = felt === BYTE_ARRAY_MAGIC ? byteArrayAt(numbers, i + 1) : undefined;
    if (text === undefined) values.push({ felt, text: shortString(felt) ?? null });
    else values.push({ felt: "", text: text.text });
    i += 1 + (text?.length ?? 0);
  }
  return values;
}

/** Returns a panic as one line: readable texts, and other felts in hex. */
export function panicText(values: readonly PanicValue[]): string {
  // What the system adds to the panic of an inner call says nothing that the call tree does not.
  const said = values.filter(({ text }) => text !== "ENTRYPOINT_FAILED" && text !== "");
  const shown = said.length === 0 ? values : said;
  return shown.map(({ felt, text }) => text ?? felt).join(", ");
}

/** Maximum length of a text of felts, in characters. */
const MAX_LENGTH = 20_000;

/**
 * Reads the felts of a panic from a revert reason: `0x1 ('text')`, `(0x1, "byte array", 0x2 ('b'))`.
 *
 * @returns `undefined` if the text has another form
 */
export function panicValuesOfText(reason: string): readonly PanicValue[] | undefined {
  const text = reason.slice(0, MAX_LENGTH).trim().replace(/\.$/, "");
  // A byte array may have quotes: it ends where a comma and another value, or nothing, follows.
  const token =
    /\s*(?:(0x[0-9a-f]+)(?: \('([^]{0,31}?)'\))?|"([^]*?)"(?=\s*(?:,\s*(?:0x|")|$)))\s*(?:,|$)/iy;
  const inner = text.startsWith("(") && text.endsWith(")") ? text.slice(1, -1) : text;
  const values: PanicValue[] = [];
  while (token.lastIndex < inner.length && values.length < MAX_VALUES) {
    const found = token.exec(inner);
    if (found === null) return undefined;
    const [, felt = "", short, long] = found;
    values.push({ felt, text: felt === "" ? (long ?? "") : short?.trim() ? short : null });
  }
  return values.length === 0 ? undefined : values;
}

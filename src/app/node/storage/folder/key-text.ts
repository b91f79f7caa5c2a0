import { type Felt, feltFromHex, hexFromFelt } from "#base/primitives/index.ts";

/** Result of reading a private key file: the key, or a description of the fault. */
export type KeyText = { readonly privateKey: Felt } | { readonly fault: string };

/** Order of the Stark curve's group; private keys are below it. Source: Starknet docs, "STARK curve". */
export const CURVE_ORDER = 0x800000000000010ffffffffffffffffb781126dcae7b2321e66a241adc64d2fn;

/** First word of a key file that a node created; a file without it holds just the key. */
const MARK = "appchain";
const SUMMED = /^appchain block-signing key: (\d{1,4}) bytes, sha256 ([0-9a-f]{64})\n/;

/**
 * Encodes a private key for a file: a line with length and SHA-256 of the rest, so that a truncated file is
 * not read as another key, and the key as hexadecimal text.
 */
export function encodeKey(privateKey: Felt): string {
  const body = `${hexFromFelt(privateKey)}\n`;
  return `${MARK} block-signing key: ${body.length} bytes, sha256 ${sumOf(body)}\n${body}`;
}

/** Decodes the format of {@link encodeKey}, or just a key, which operators and older versions write. */
export function decodeKey(text: string): KeyText {
  if (!text.startsWith(MARK)) return keyOf(text);
  const [line, length, sum] = SUMMED.exec(text) ?? [];
  if (line === undefined) return { fault: "its first line, with the checksum, is damaged" };
  const body = text.slice(line.length);
  if (body.length !== Number(length)) {
    return { fault: `it has ${body.length} bytes after its first line, expected ${length}` };
  }
  return sumOf(body) === sum ? keyOf(body) : { fault: "its checksum (SHA-256) does not match" };
}

function keyOf(text: string): KeyText {
  const privateKey = feltFromHex(text.trim());
  return privateKey === undefined || privateKey === 0n || privateKey >= CURVE_ORDER
    ? { fault: "expected the block-signing key as 0x hex text, between 1 and the curve's order" }
    : { privateKey };
}

function sumOf(body: string): string {
  return new Bun.CryptoHasher("sha256").update(body).digest("hex");
}

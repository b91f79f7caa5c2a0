import { createHash } from "node:crypto";
import { type Felt, feltFromHex, hexFromFelt } from "#base/primitives/index.ts";

/** What a file with a private key holds: the key, or what is wrong with the file. */
export type KeyText = { readonly privateKey: Felt } | { readonly fault: string };

/** Order of the Stark curve's group; private keys are below it. Source: Starknet docs, "STARK curve". */
export const CURVE_ORDER = 0x800000000000010ffffffffffffffffb781126dcae7b2321e66a241adc64d2fn;

/** First word of a file that a node made; one without it holds the key alone. */
const MARK = "appchain";
const SUMMED = /^appchain block-signing key: (\d{1,4}) bytes, sha256 ([0-9a-f]{64})\n/;

/**
 * Text of a file with a private key: a line with length and SHA-256 of the rest, so that a part of the file
 * is not another key, and the key as hexadecimal text.
 */
export function encodeKey(privateKey: Felt): string {
  const body = `${hexFromFelt(privateKey)}\n`;
  return `${MARK} block-signing key: ${body.length} bytes, sha256 ${sumOf(body)}\n${body}`;
}

/** Reads {@link encodeKey}, or a key alone: what operators and older versions write. */
export function decodeKey(text: string): KeyText {
  if (!text.startsWith(MARK)) return keyOf(text);
  const [line, length, sum] = SUMMED.exec(text) ?? [];
  if (line === undefined) return { fault: "its first line, with the checksum, is damaged" };
  const body = text.slice(line.length);
  if (body.length !== Number(length)) {
    return { fault: `it has ${body.length} bytes after its first line, expected ${length}` };
  }
  return sumOf(body) === sum ? keyOf(body) : { fault: "its checksum (SHA-256) is another one" };
}

function keyOf(text: string): KeyText {
  const privateKey = feltFromHex(text.trim());
  return privateKey === undefined || privateKey === 0n || privateKey >= CURVE_ORDER
    ? { fault: "expected the block-signing key as 0x hex text, between 1 and the curve's order" }
    : { privateKey };
}

function sumOf(body: string): string {
  return createHash("sha256").update(body).digest("hex");
}

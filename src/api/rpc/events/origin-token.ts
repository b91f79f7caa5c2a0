import { ByteReader, ByteWriter } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { type Felt, hexFromBytes } from "#base/primitives/index.ts";
import type { EventFilter } from "../spec/version.ts";
import { checkOf } from "./token.ts";

/** Differs from the first byte of tokens for positions in stored blocks. */
const FORM = 3;

/** Maximum length of an origin's token, in characters: several times what known nodes make. */
export const MAX_ORIGIN_TOKEN = 1_024;

/** Hex digits of the longest token: the form, the origin's token, three integers, a felt and the check. */
const MAX_DIGITS = 2 * (1 + 2 + MAX_ORIGIN_TOKEN + 3 * 8 + 32 + 8);

const PRINTABLE = /^[\x20-\x7e]+$/;

/** Position in the events of a fork's origin. */
export interface OriginPosition {
  /** Continuation token of the origin; `null` at the start. */
  readonly token: string | null;
  /** Blocks that the origin searches, the same for all pages. */
  readonly fromBlock: number;
  readonly toBlock: number;
  /** Transaction of the last event before the position; 0 at the start. */
  readonly lastTransaction: Felt;
  /** Number of events of that transaction that match the filter and precede the position. */
  readonly lastCount: number;
}

/**
 * Encodes a continuation token for the blocks of a fork's origin. Form, as hex: 3, the origin's token, then as
 * LEB128 the first and the last block, the last transaction and its number of events, and the first 8 bytes of
 * SHA-256.
 */
export function encodeOriginToken(
  chainId: Felt,
  filter: EventFilter,
  position: OriginPosition,
): string {
  const writer = new ByteWriter(128);
  writePosition(writer, position);
  writer.raw(checkOf(chainId, filter, (w) => writePosition(w, position)));
  return hexFromBytes(writer.finish());
}

/** Decodes a token; `undefined` unless {@link encodeOriginToken} created it for this very filter. */
export function decodeOriginToken(
  chainId: Felt,
  filter: EventFilter,
  text: string,
): OriginPosition | undefined {
  if (text.length > MAX_DIGITS || !/^([0-9a-f]{2})+$/.test(text)) return undefined;
  const position = readPosition(Uint8Array.fromHex(text));
  if (position === undefined || !PRINTABLE.test(position.token ?? "")) return undefined;
  return encodeOriginToken(chainId, filter, position) === text ? position : undefined;
}

function writePosition(writer: ByteWriter, position: OriginPosition): void {
  writer.u8(FORM);
  writer.text(position.token ?? "");
  writer.varint(position.fromBlock);
  writer.varint(position.toBlock);
  writer.felt(position.lastTransaction);
  writer.varint(position.lastCount);
}

function readPosition(bytes: Uint8Array): OriginPosition | undefined {
  const reader = new ByteReader(bytes, "continuation_token");
  try {
    if (reader.u8() !== FORM) return undefined;
    return {
      token: reader.text(),
      fromBlock: reader.varint(),
      toBlock: reader.varint(),
      lastTransaction: reader.felt(),
      lastCount: reader.varint(),
    };
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

import { ByteReader, ByteWriter } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { compareFelts, type Felt, hexFromBytes } from "#base/primitives/index.ts";
import { sha256 } from "#protocol/crypto/index.ts";
import type { BlockId } from "../block-id.ts";
import type { EventFilter } from "../spec/version.ts";
import { type Binding, BINDING_BYTES } from "./binding.ts";
import type { EventPosition } from "./position.ts";

const FORM = 2;
const CHECK_BYTES = 8;

/** Hex digits of the longest token: the form, four integers below 2^53, the binding, the check. */
const MAX_DIGITS = 2 * (1 + 4 * 8 + BINDING_BYTES + CHECK_BYTES);

/** Content of a continuation token. */
export interface EventToken {
  readonly position: EventPosition;
  /** Binding of the position when the token was created. */
  readonly binding: Binding;
}

/**
 * Encodes a continuation token: the position, its binding, and a check over both, the chain and the filter.
 * The page size is not part of the filter. Form, as hex: 2, then as LEB128 the block, the transaction's and
 * the event's index, and the anchor's number + 1; the digest of the binding; the first 8 bytes of SHA-256.
 */
export function encodeToken(chainId: Felt, filter: EventFilter, token: EventToken): string {
  const writer = new ByteWriter(64);
  writeToken(writer, token);
  writer.raw(checkOf(chainId, filter, (w) => writeToken(w, token)));
  return hexFromBytes(writer.finish());
}

/** Decodes a token; `undefined` unless {@link encodeToken} created it for this very filter. */
export function decodeToken(
  chainId: Felt,
  filter: EventFilter,
  text: string,
): EventToken | undefined {
  if (text.length > MAX_DIGITS || !/^([0-9a-f]{2})+$/.test(text)) return undefined;
  const token = readToken(Uint8Array.fromHex(text));
  return token !== undefined && encodeToken(chainId, filter, token) === text ? token : undefined;
}

function writeToken(writer: ByteWriter, { position, binding }: EventToken): void {
  writer.u8(FORM);
  writer.varint(position.blockNumber);
  writer.varint(position.transactionIndex);
  writer.varint(position.eventIndex);
  writer.varint(binding.anchor + 1);
  writer.raw(binding.digest);
}

function readToken(bytes: Uint8Array): EventToken | undefined {
  const reader = new ByteReader(bytes, "continuation_token");
  try {
    reader.u8();
    const position = {
      blockNumber: reader.varint(),
      transactionIndex: reader.varint(),
      eventIndex: reader.varint(),
    };
    const anchor = reader.varint() - 1;
    return { position, binding: { anchor, digest: reader.raw(BINDING_BYTES) } };
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

/**
 * Returns the check of a token. Equivalent filters have the same check, regardless of order.
 *
 * @param write - writes the token without its check
 */
export function checkOf(
  chainId: Felt,
  filter: EventFilter,
  write: (writer: ByteWriter) => void,
): Uint8Array {
  const writer = new ByteWriter();
  write(writer);
  writer.felt(chainId);
  writeBlockId(writer, filter.fromBlock);
  writeBlockId(writer, filter.toBlock);
  writer.felts(ascending(filter.addresses));
  const used = filter.keys.findLastIndex((alternatives) => alternatives.length > 0) + 1;
  writer.array(filter.keys.slice(0, used), (target, keys) => target.felts(ascending(keys)));
  return sha256(writer.finish()).subarray(0, CHECK_BYTES);
}

function writeBlockId(writer: ByteWriter, id: BlockId | undefined): void {
  writer.text(id?.kind ?? "");
  if (id?.kind === "hash") writer.felt(id.hash);
  if (id?.kind === "number") writer.text(String(id.number));
}

function ascending(felts: readonly Felt[]): Felt[] {
  return [...new Set(felts)].sort(compareFelts);
}

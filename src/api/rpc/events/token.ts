import { ByteReader, ByteWriter } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { compareFelts, type Felt, hexFromBytes } from "#base/primitives/index.ts";
import { sha256 } from "#protocol/crypto/index.ts";
import type { BlockId } from "../block-id.ts";
import type { EventFilter } from "../spec/version.ts";
import type { EventPosition } from "./position.ts";

const FORM = 1;
const CHECK_BYTES = 8;

/** Hex digits of the longest token: the form, four integers below 2^53, the check. */
const MAX_DIGITS = 2 * (1 + 4 * 8 + CHECK_BYTES);

/**
 * A continuation token: the position, and a check over it, the chain and the filter. The size of the
 * pages is not part of the filter. Form, as hex: 1, then as LEB128 the block, the transaction's and
 * the event's index, and 0 or the transaction's tag + 1; the first 8 bytes of SHA-256.
 */
export function encodeToken(chainId: Felt, filter: EventFilter, position: EventPosition): string {
  const writer = new ByteWriter(64);
  writePosition(writer, position);
  writer.raw(checkOf(chainId, filter, position));
  return hexFromBytes(writer.finish());
}

/** The position of a token; `undefined` unless {@link encodeToken} made it for this very filter. */
export function decodeToken(
  chainId: Felt,
  filter: EventFilter,
  token: string,
): EventPosition | undefined {
  if (token.length > MAX_DIGITS || !/^([0-9a-f]{2})+$/.test(token)) return undefined;
  const position = readPosition(Uint8Array.fromHex(token));
  return position !== undefined && encodeToken(chainId, filter, position) === token
    ? position
    : undefined;
}

function writePosition(writer: ByteWriter, position: EventPosition): void {
  const { blockNumber, transactionIndex, eventIndex, transactionTag } = position;
  writer.u8(FORM);
  writer.varint(blockNumber);
  writer.varint(transactionIndex);
  writer.varint(eventIndex);
  writer.varint(transactionTag === undefined ? 0 : transactionTag + 1);
}

function readPosition(bytes: Uint8Array): EventPosition | undefined {
  const reader = new ByteReader(bytes, "continuation_token");
  try {
    reader.u8();
    const position = {
      blockNumber: reader.varint(),
      transactionIndex: reader.varint(),
      eventIndex: reader.varint(),
    };
    const tag = reader.varint();
    return tag === 0 ? position : { ...position, transactionTag: tag - 1 };
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

/** Filters that ask for the same have the same check, in whatever order they say it. */
function checkOf(chainId: Felt, filter: EventFilter, position: EventPosition): Uint8Array {
  const writer = new ByteWriter();
  writePosition(writer, position);
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

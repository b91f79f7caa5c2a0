import { ByteWriter } from "#base/codec/index.ts";
import { sha256 } from "#protocol/crypto/index.ts";
import type { EventBlocks } from "./blocks.ts";
import type { EventPosition } from "./position.ts";

/** Number of bytes of SHA-256 that {@link Binding.digest} keeps. */
export const BINDING_BYTES = 8;

/**
 * Maximum number of blocks above an accepted one that a position may depend on: several times what can exist.
 */
const MAX_UNACCEPTED = 64;

/** Fingerprint of the chain before a position: the position is valid only as long as it matches. */
export interface Binding {
  /** Number of the newest accepted block up to the position; -1 without one. */
  readonly anchor: number;
  /**
   * First bytes of SHA-256 over the anchor's hash, and over the hash and event count of each transaction from
   * there to the position: unaccepted blocks have no hash yet.
   */
  readonly digest: Uint8Array;
}

/**
 * Returns the fingerprint of the chain as it is now, up to a position of an event search; the continuation
 * token contains it.
 */
export function bindingOf(blocks: EventBlocks, position: EventPosition): Binding {
  const anchor = Math.min(lastBlockOf(position), blocks.latest);
  return { anchor, digest: digestOf(blocks, position, anchor) };
}

/** Whether a binding still matches: no block before the position was reverted since. */
export function isBound(
  blocks: EventBlocks,
  position: EventPosition,
  { anchor, digest }: Binding,
): boolean {
  const distance = lastBlockOf(position) - anchor;
  if (anchor > blocks.latest || distance < 0 || distance > MAX_UNACCEPTED) return false;
  return Buffer.compare(digestOf(blocks, position, anchor), digest) === 0;
}

/** Returns the block of the last event before a position. */
function lastBlockOf({ blockNumber, transactionIndex, eventIndex }: EventPosition): number {
  return transactionIndex === 0 && eventIndex === 0 ? blockNumber - 1 : blockNumber;
}

function digestOf(blocks: EventBlocks, position: EventPosition, anchor: number): Uint8Array {
  const last = lastBlockOf(position);
  const writer = new ByteWriter();
  writer.felt(blocks.hashOf(anchor) ?? 0n);
  for (let number = anchor + 1; number <= last; number++) {
    const receipts = blocks.block(number)?.receipts ?? [];
    const isInside = number === position.blockNumber;
    const covered = isInside ? receipts.slice(0, position.transactionIndex + 1) : receipts;
    writer.array(covered, (target, { transactionHash, events }) => {
      target.felt(transactionHash);
      target.varint(events.length);
    });
  }
  return sha256(writer.finish()).subarray(0, BINDING_BYTES);
}

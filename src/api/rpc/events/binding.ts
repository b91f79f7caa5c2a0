import { ByteWriter } from "#base/codec/index.ts";
import { sha256 } from "#protocol/crypto/index.ts";
import type { EventBlocks } from "./blocks.ts";
import type { EventPosition } from "./position.ts";

/** Bytes of a binding. */
export const BINDING_BYTES = 8;

/** Most blocks above an accepted one that a position may depend on: several times what there can be. */
const MAX_UNACCEPTED = 64;

/** What stands before a position: it means something only as long as that is the same. */
export interface Binding {
  /** Number of the newest block before the position, or that it is in, that was accepted; -1: none. */
  readonly anchor: number;
  /**
   * The first bytes of SHA-256 over the anchor's hash, and over hashes and numbers of events of the
   * transactions from there to that of the position: blocks that are not accepted have no hash yet.
   */
  readonly digest: Uint8Array;
}

/** What stands before a position now. */
export function bindingOf(blocks: EventBlocks, position: EventPosition): Binding {
  const anchor = Math.min(lastBlockOf(position), blocks.latest);
  return { anchor, digest: digestOf(blocks, position, anchor) };
}

/**
 * Whether what stood before a position still stands there: no block of it was reverted meanwhile.
 */
export function isBound(
  blocks: EventBlocks,
  position: EventPosition,
  { anchor, digest }: Binding,
): boolean {
  const distance = lastBlockOf(position) - anchor;
  if (anchor > blocks.latest || distance < 0 || distance > MAX_UNACCEPTED) return false;
  return Buffer.compare(digestOf(blocks, position, anchor), digest) === 0;
}

/** The block of the last event before a position. */
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
    const looked = isInside ? receipts.slice(0, position.transactionIndex + 1) : receipts;
    writer.array(looked, (target, { transactionHash, events }) => {
      target.felt(transactionHash);
      target.varint(events.length);
    });
  }
  return sha256(writer.finish()).subarray(0, BINDING_BYTES);
}

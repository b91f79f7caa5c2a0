import { invariant } from "#base/errors/index.ts";
import {
  type BlockInfo,
  decodeStateDiff,
  type EncodedClass,
  type EncodedTransaction,
  IncrementalCommitments,
  type Receipt,
  type StateDiff,
} from "#protocol/chain/index.ts";
import {
  decodeDeltaContents,
  decodePendingDelta,
  type DeltaContents,
} from "#engine/state/index.ts";
import type { DeltaMessage } from "#services/admission/index.ts";
import type { SealedDraft } from "./sealed-draft.ts";
import type { SealedMessage } from "./messages.ts";

interface OpenDraft {
  readonly info: BlockInfo;
  readonly transactions: EncodedTransaction[];
  readonly receipts: Receipt[];
  readonly classes: EncodedClass[];
  readonly commitments: IncrementalCommitments;
  nextSequence: number;
}

/** Draft with the commitments hashed while it was built. */
export interface AssembledDraft extends SealedDraft {
  readonly commitments: IncrementalCommitments;
}

/**
 * Assembles a block from the deltas that the executor sends to every reader, so that sealing has to add only
 * the rest. One block is open at a time.
 */
export class DraftAssembly {
  #open: OpenDraft | undefined;

  /**
   * Adds the next delta, and hashes its transactions, events and receipts.
   *
   * @param wantsDiff - whether to decode the state changes, which is most of the work
   * @returns the delta's state changes if decoded
   * @throws {DecodeError} when the bytes are not a delta
   * @throws {InvariantError} when the delta does not follow the one before
   */
  add({ bytes }: Pick<DeltaMessage, "bytes">, wantsDiff = false): StateDiff | undefined {
    const delta: DeltaContents & { readonly diff?: StateDiff } = wantsDiff
      ? decodePendingDelta(bytes)
      : decodeDeltaContents(bytes);
    const { blockNumber, sequence, info, transactions, receipts, classes } = delta;
    if (info !== null && this.#begins(blockNumber, sequence)) {
      const commitments = new IncrementalCommitments(info.protocolVersion);
      this.#open = {
        info,
        transactions: [],
        receipts: [],
        classes: [],
        commitments,
        nextSequence: sequence,
      };
    }
    const open = this.#open;
    invariant(
      open !== undefined && open.info.number === blockNumber && open.nextSequence === sequence,
      `delta ${sequence} of block ${blockNumber} does not follow`,
    );
    open.transactions.push(...transactions);
    open.receipts.push(...receipts);
    open.classes.push(...classes);
    open.commitments.add(transactions, receipts);
    open.nextSequence++;
    return delta.diff;
  }

  /** Whether a delta with a block's info is the first one of its block, or replaces the whole open block. */
  #begins(blockNumber: number, sequence: number): boolean {
    const open = this.#open;
    if (open === undefined) return sequence === 0;
    return open.info.number === blockNumber && open.nextSequence === sequence;
  }

  /**
   * Removes and returns the block whose deltas have all arrived.
   *
   * @throws {DecodeError} when the bytes are not a state diff
   * @throws {InvariantError} when another block is open, or none
   */
  seal({
    blockNumber,
    stateDiff,
  }: Pick<SealedMessage, "blockNumber" | "stateDiff">): AssembledDraft {
    const open = this.#open;
    invariant(open?.info.number === blockNumber, `block ${blockNumber} is not the open one`);
    this.#open = undefined;
    const { nextSequence: _, ...draft } = open;
    return { ...draft, stateDiff: decodeStateDiff(stateDiff) };
  }
}

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

/** A draft with what was hashed of it while it was built. */
export interface AssembledDraft extends SealedDraft {
  readonly commitments: IncrementalCommitments;
}

/**
 * Puts a block together from what the executor tells every reader while it builds it, so that only
 * what the deltas do not say has to follow when it is sealed. One block is open at a time.
 */
export class DraftAssembly {
  #open: OpenDraft | undefined;

  /**
   * Takes the next delta, and hashes its transactions, events and receipts.
   *
   * @param wantsDiff - otherwise what the delta changes is not decoded: that is most of the work
   * @returns what the delta changes, or `undefined`
   * @throws {DecodeError} when the bytes are not a delta
   * @throws {InvariantError} when it does not follow the one before
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

  /** Whether a delta with a block's info is its first one, or stands for the whole open block. */
  #begins(blockNumber: number, sequence: number): boolean {
    const open = this.#open;
    if (open === undefined) return sequence === 0;
    return open.info.number === blockNumber && open.nextSequence === sequence;
  }

  /**
   * The block whose deltas have all arrived.
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

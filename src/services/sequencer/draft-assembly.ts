import { invariant } from "#base/errors/index.ts";
import {
  type BlockInfo,
  decodeStateDiff,
  type EncodedClass,
  type EncodedTransaction,
  type Receipt,
} from "#protocol/chain/index.ts";
import { decodeDeltaContents } from "#engine/state/index.ts";
import type { DeltaMessage } from "#services/admission/index.ts";
import type { SealedDraft } from "./block-producer.ts";
import type { SealedMessage } from "./messages.ts";

interface OpenDraft {
  readonly info: BlockInfo;
  readonly transactions: EncodedTransaction[];
  readonly receipts: Receipt[];
  readonly classes: EncodedClass[];
  nextSequence: number;
}

/**
 * Puts a block together from what the executor tells every reader while it builds it, so that only
 * what the deltas do not say has to follow when it is sealed. One block is open at a time.
 */
export class DraftAssembly {
  #open: OpenDraft | undefined;

  /**
   * Takes the next delta.
   *
   * @throws {DecodeError} when the bytes are not a delta
   * @throws {InvariantError} when it does not follow the one before
   */
  add({ bytes }: Pick<DeltaMessage, "bytes">): void {
    const delta = decodeDeltaContents(bytes);
    const { blockNumber, sequence, info, transactions, receipts, classes } = delta;
    if (info !== null && this.#open === undefined) {
      this.#open = { info, transactions: [], receipts: [], classes: [], nextSequence: 0 };
    }
    const open = this.#open;
    invariant(
      open !== undefined && open.info.number === blockNumber && open.nextSequence === sequence,
      `delta ${sequence} of block ${blockNumber} does not follow`,
    );
    open.transactions.push(...transactions);
    open.receipts.push(...receipts);
    open.classes.push(...classes);
    open.nextSequence++;
  }

  /**
   * The block whose deltas have all arrived.
   *
   * @throws {DecodeError} when the bytes are not a state diff
   * @throws {InvariantError} when another block is open, or none
   */
  seal({ blockNumber, stateDiff }: Pick<SealedMessage, "blockNumber" | "stateDiff">): SealedDraft {
    const open = this.#open;
    invariant(open?.info.number === blockNumber, `block ${blockNumber} is not the open one`);
    this.#open = undefined;
    const { info, transactions, receipts, classes } = open;
    return { info, transactions, receipts, classes, stateDiff: decodeStateDiff(stateDiff) };
  }
}

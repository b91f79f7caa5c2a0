import type { Felt } from "#base/primitives/index.ts";
import {
  type BlockInfo,
  encodedTransaction,
  type EncodedClass,
  type StateDiff,
} from "#protocol/chain/index.ts";
import { encodePendingDelta, mergeStateDiffs } from "#engine/state/index.ts";
import type { DeltaMessage } from "#services/admission/index.ts";
import type { KnownPreConfirmed } from "../ports.ts";
import type { Executed } from "./executed-part.ts";

/** What a delta adds to a block. */
export interface Addition {
  readonly executed: readonly Executed[];
  /** Classes that it declares, as far as they could be had. */
  readonly classes: readonly EncodedClass[];
  /** Nothing follows it in its block. */
  readonly isLast: boolean;
}

/** A block above the accepted ones, as it was told to all readers. */
export class Layer {
  readonly info: BlockInfo;
  /** Of this making of the block; `undefined`: it is not told. */
  readonly identifier: string | undefined;
  readonly hashes: Felt[] = [];
  readonly #has = new Set<Felt>();
  #sequence: number;
  #isComplete = false;
  #sizeBytes = 0;
  /** What it changes before its first transaction; `undefined`: that is told. */
  #untold: StateDiff | undefined;

  /**
   * @param before - what it changes before its first transaction
   * @param sequence - of the delta that it begins with; above 0: it is in place of another one
   */
  constructor(
    info: BlockInfo,
    identifier: string | undefined,
    before: StateDiff,
    sequence: number,
  ) {
    this.info = info;
    this.identifier = identifier;
    this.#untold = before;
    this.#sequence = sequence;
  }

  get number(): number {
    return this.info.number;
  }

  /** Of the delta that comes next. */
  get sequence(): number {
    return this.#sequence;
  }

  /** Nothing is added to it any more. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Of all that was told of it. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** What to ask for more with; `undefined`: only for the whole block. */
  get known(): KnownPreConfirmed | undefined {
    return this.identifier === undefined
      ? undefined
      : { identifier: this.identifier, transactionCount: this.hashes.length };
  }

  /** Whether a transaction is in it. */
  has(hash: Felt): boolean {
    return this.#has.has(hash);
  }

  /** Whether these hashes begin with all that this block has. */
  isBegunBy(hashes: readonly Felt[]): boolean {
    return this.hashes.every((hash, i) => hashes[i] === hash);
  }

  /** The delta that tells of more. */
  add({ executed, classes, isLast }: Addition): DeltaMessage {
    const sequence = this.#sequence++;
    const before = this.#untold;
    this.#untold = undefined;
    this.#isComplete = isLast;
    for (const { transaction } of executed) {
      this.hashes.push(transaction.hash);
      this.#has.add(transaction.hash);
    }
    const bytes = encodePendingDelta({
      blockNumber: this.number,
      sequence,
      info: before === undefined ? null : this.info,
      transactions: executed.map(({ transaction }) => encodedTransaction(transaction)),
      receipts: executed.map(({ receipt }) => receipt),
      diff: mergeStateDiffs([
        ...(before === undefined ? [] : [before]),
        ...executed.map(({ stateDiff }) => stateDiff),
      ]),
      classes,
      sealed: isLast,
    });
    this.#sizeBytes += bytes.byteLength;
    return { kind: "delta", blockNumber: this.number, sequence, bytes };
  }
}

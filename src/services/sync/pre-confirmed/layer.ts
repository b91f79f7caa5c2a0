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

/**
 * Executed transactions and classes that one response of the gateway adds to a pre-confirmed block.
 */
export interface Addition {
  readonly executed: readonly Executed[];
  /** Declared classes that were available. */
  readonly classes: readonly EncodedClass[];
  readonly isLast: boolean;
}

/** Pre-confirmed block above the accepted ones, as published to all readers of a full node. */
export class Layer {
  readonly info: BlockInfo;
  /** Identifies this build of the block; `undefined` if the gateway reports none. */
  readonly identifier: string | undefined;
  readonly hashes: Felt[] = [];
  readonly #has = new Set<Felt>();
  #sequence: number;
  #isComplete = false;
  #sizeBytes = 0;
  /** State change before the first transaction; `undefined` once it has been published. */
  #unsentBefore: StateDiff | undefined;

  /**
   * @param before - state change before the first transaction
   * @param sequence - of the first delta; above 0 if it replaces an earlier build
   */
  constructor(
    info: BlockInfo,
    identifier: string | undefined,
    before: StateDiff,
    sequence: number,
  ) {
    this.info = info;
    this.identifier = identifier;
    this.#unsentBefore = before;
    this.#sequence = sequence;
  }

  get number(): number {
    return this.info.number;
  }

  get sequence(): number {
    return this.#sequence;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Total size of the published deltas in bytes. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** State to send when polling for more; `undefined` to request the whole block. */
  get known(): KnownPreConfirmed | undefined {
    return this.identifier === undefined
      ? undefined
      : { identifier: this.identifier, transactionCount: this.hashes.length };
  }

  has(hash: Felt): boolean {
    return this.#has.has(hash);
  }

  /** Whether the hashes of this block are a prefix of `hashes`. */
  isPrefixOf(hashes: readonly Felt[]): boolean {
    return this.hashes.every((hash, i) => hashes[i] === hash);
  }

  /** Adds content and returns its delta. */
  add({ executed, classes, isLast }: Addition): DeltaMessage {
    const sequence = this.#sequence++;
    const before = this.#unsentBefore;
    this.#unsentBefore = undefined;
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

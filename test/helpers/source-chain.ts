import type { Felt } from "#base/primitives/index.ts";
import { applyStateDiff, PEDERSEN } from "#protocol/trie/index.ts";
import {
  blockHash,
  type BlockHeader,
  type EncodedClass,
  bundleFromParts,
  computeCommitments,
  emptyStateDiff,
  encodeBlockInputs,
  encodeHeader,
  encodeReceipt,
  encodeStateDiff,
  encodeTransaction,
  type HashedTransaction,
  type Receipt,
  type StateDiff,
} from "#protocol/chain/index.ts";
import type { CheckedBlock, DeclaredClassHash } from "#services/sync/index.ts";
import { infoOf } from "./committer-world.ts";
import { MemoryTrieStore } from "./memory-trie-store.ts";

/** Special parts of a block. */
export interface SourceBlockParts {
  readonly transactions?: readonly HashedTransaction[];
  readonly receipts?: readonly Receipt[];
  readonly stateDiff?: StateDiff;
  readonly classes?: readonly DeclaredClassHash[];
  readonly timestamp?: number;
  /** Replaces the computed root. */
  readonly newRoot?: Felt;
  /** Replaces the newest block's hash. */
  readonly parentHash?: Felt;
  readonly isOnL1?: boolean;
  /** Omitted if the source has no epochs. */
  readonly epoch?: number;
  /** Classes included with the block. */
  readonly carried?: readonly EncodedClass[];
}

/** Address of a contract that every block writes to. */
export const WRITTEN_CONTRACT = 0xc0de_0001n;

/** A chain with valid hashes, commitments and state roots; its signatures are invalid. */
export class SourceChain {
  readonly blocks: CheckedBlock[] = [];
  readonly #diffs: StateDiff[] = [];
  readonly #tries = new MemoryTrieStore();

  /** The newest block. */
  get head(): { readonly number: number; readonly hash: Felt } {
    const newest = this.blocks.at(-1);
    if (newest === undefined) throw new RangeError("there is no block");
    return { number: newest.number, hash: newest.hash };
  }

  /** A copy of the chain up to a block, to continue differently. */
  fork(newest: number): SourceChain {
    const fork = new SourceChain();
    for (let number = 0; number <= newest; number++) {
      const block = this.blocks[number];
      const diff = this.#diffs[number];
      if (block === undefined || diff === undefined) throw new RangeError("no such block");
      fork.#root(diff);
      fork.blocks.push(block);
    }
    return fork;
  }

  /** Adds blocks; `branch` distinguishes blocks of one number. */
  grow(count: number, branch = 1n): this {
    for (let i = 0; i < count; i++) this.add({}, branch);
    return this;
  }

  /** Adds a block. */
  add(parts: SourceBlockParts = {}, branch = 1n): CheckedBlock {
    const number = this.blocks.length;
    const stateDiff = parts.stateDiff ?? writes(number, branch);
    const { transactions = [], receipts = [] } = parts;
    const stateRoot = this.#root(stateDiff);
    const info = infoOf(number);
    const unhashed = {
      ...info,
      timestamp: parts.timestamp ?? info.timestamp,
      ...computeCommitments({ transactions, receipts, stateDiff }, info.protocolVersion),
      parentHash: parts.parentHash ?? this.blocks.at(-1)?.hash ?? 0n,
      newRoot: parts.newRoot ?? stateRoot,
    };
    const header: BlockHeader = { ...unhashed, hash: blockHash(unhashed) };
    const bundle = bundleFromParts({
      header: encodeHeader(header),
      signature: { r: 1n, s: 2n },
      epoch: 0,
      inputs: encodeBlockInputs({ l1Messages: [] }),
      transactions: transactions.map(encodeTransaction),
      receipts: receipts.map(encodeReceipt),
      stateDiff: encodeStateDiff(stateDiff),
      classes: [],
    });
    const { hash, parentHash, timestamp, protocolVersion } = header;
    const block: CheckedBlock = {
      kind: "checked",
      number,
      hash,
      parentHash,
      timestamp,
      protocolVersion,
      isOnL1: parts.isOnL1 ?? false,
      bundle,
      epoch: parts.epoch ?? null,
      carried: parts.carried ?? [],
      classes: parts.classes ?? [],
    };
    this.blocks.push(block);
    return block;
  }

  #root(diff: StateDiff): Felt {
    this.#diffs.push(diff);
    const { stateRoot, changes } = applyStateDiff({
      diff,
      store: this.#tries,
      contracts: { nonceAt: () => 0n, classHashAt: () => 0n },
      pedersen: PEDERSEN,
      alwaysHashClasses: true,
    });
    this.#tries.commit(changes);
    return stateRoot;
  }
}

function writes(number: number, branch: Felt): StateDiff {
  const diff = emptyStateDiff();
  diff.storageDiffs.set(WRITTEN_CONTRACT, new Map([[BigInt(number % 7), BigInt(number) + branch]]));
  return diff;
}

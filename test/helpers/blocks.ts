import type { BundledClass } from "#protocol/chain/bundle/bundled-class.ts";
import type { BlockInputs } from "#protocol/chain/bundle/header.ts";
import {
  type BlockHeader,
  EMPTY_STATE_DIFF,
  encodedTransaction,
  type HashedTransaction,
  type Receipt,
  type StateDiff,
} from "#protocol/chain/index.ts";
import type { PendingDelta } from "#engine/state/index.ts";
import type { BlockCommit } from "#io/storage/index.ts";
import type { TrieChanges } from "#protocol/trie/index.ts";

/** Parts of a block that a test sets; `fork` distinguishes blocks of one number. */
export interface BlockParts {
  readonly fork?: number;
  readonly parentFork?: number;
  readonly transactions?: readonly HashedTransaction[];
  readonly receipts?: readonly Receipt[];
  readonly stateDiff?: StateDiff;
  readonly classes?: readonly BundledClass[];
  readonly inputs?: BlockInputs;
  readonly trie?: TrieChanges;
}

/** Empty trie changes on top of nodes up to `lastNodeId`. */
export function noTrieChanges(lastNodeId = 0): TrieChanges {
  return { added: [], removed: [], roots: [], lastNodeId };
}

/** Made-up hash of a {@link blockCommit}. */
export function testBlockHash(number: number, fork = 0): bigint {
  return number < 0 ? 0n : (BigInt(fork) << 64n) + BigInt(number) + (1n << 200n);
}

/** A header with made-up hashes. */
export function testHeader(number: number, fork = 0, parentFork = fork): BlockHeader {
  const price = { wei: 1n, fri: 1n };
  return {
    number,
    hash: testBlockHash(number, fork),
    parentHash: testBlockHash(number - 1, parentFork),
    newRoot: 0n,
    timestamp: 1_700_000_000 + number,
    sequencerAddress: 0x5e9n,
    gasPrices: { l1Gas: price, l1DataGas: price, l2Gas: price },
    l1DaMode: "BLOB",
    protocolVersion: "0.14.0",
    transactionCommitment: 0n,
    eventCommitment: 0n,
    receiptCommitment: 0n,
    stateDiffCommitment: 0n,
    transactionCount: 0,
    eventCount: 0,
    stateDiffLength: 0,
  };
}

/** Creates a block whose parts are consistent enough to be stored, with made-up hashes. */
export function blockCommit(number: number, parts: BlockParts = {}): BlockCommit {
  const { fork = 0, parentFork = fork } = parts;
  return {
    block: {
      header: testHeader(number, fork, parentFork),
      signature: { r: 1n, s: 2n },
      transactions: (parts.transactions ?? []).map(encodedTransaction),
      receipts: parts.receipts ?? [],
      stateDiff: parts.stateDiff ?? EMPTY_STATE_DIFF,
    },
    epoch: 0,
    classes: parts.classes ?? [],
    inputs: parts.inputs ?? { l1Messages: [] },
    trie: parts.trie ?? noTrieChanges(),
  };
}

/** First delta of a block, with the info of {@link testHeader} and without changes. */
export function testDelta(blockNumber: number, parts: Partial<PendingDelta> = {}): PendingDelta {
  const { number, timestamp, sequencerAddress, gasPrices, l1DaMode, protocolVersion } =
    testHeader(blockNumber);
  return {
    blockNumber,
    sequence: 0,
    info: { number, timestamp, sequencerAddress, gasPrices, l1DaMode, protocolVersion },
    transactions: [],
    receipts: [],
    diff: EMPTY_STATE_DIFF,
    classes: [],
    sealed: false,
    ...parts,
  };
}

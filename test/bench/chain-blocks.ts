import { PEDERSEN } from "#protocol/trie/index.ts";
import {
  type BundledClass,
  encodedTransaction,
  type EncodedTransaction,
  type InvokeV3,
  type Receipt,
  type StateDiff,
} from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { BlockCommit, ChainWriter, StoredChainReader } from "#io/storage/index.ts";
import { completeBlock } from "#services/sequencer/index.ts";
import { testHeader } from "#test/helpers/blocks.ts";
import { fakeDiff, fakeReceipt } from "#test/helpers/fake-chain.ts";
import { INVOKE_V3, SIERRA_CLASS } from "#test/helpers/sample-chain.ts";

/** Transactions per block. */
export const TRANSACTIONS = 3;
/** Events per block. */
export const EVENTS = 2 * TRANSACTIONS;
/** Address of the token that every transaction transfers. */
export const TOKEN = scatter(-1);

const SENDERS = 100;
const BALANCES = 20_000;
const CONTRACTS = 64;
const SLOTS = 1000;
/** Block-signing key. */
export const SIGNING_KEY = 0x1234n;
const EVENT = scatter(-3);

/** A number of 251 bits that looks random and is the same in every run. */
export function scatter(seed: number): Felt {
  const factor = 0x5851f42d4c957f2d14057b7ef767814f9e3779b97f4a7c15f39cc0605cedc834n;
  return (BigInt(seed + 10) * factor) & ((1n << 251n) - 1n);
}

/** A pseudorandom 32-bit number. */
export function mixed(number: number, salt: number): number {
  const first = Math.imul(number ^ (salt * 0x9e37_79b1), 0x85eb_ca6b);
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2_ae35);
  return (second ^ (second >>> 16)) >>> 0;
}

/** Sender of the transactions of a block. */
export const sender = (block: number): Felt => scatter(1_000_000 + (block % SENDERS));
const nonceBefore = (block: number): number => Math.floor((block - 1) / SENDERS) * TRANSACTIONS;
/** A storage variable of the token. */
export const balanceSlot = (i: number): Felt => scatter(2_000_000 + (i % BALANCES));
/** A contract with a few variables. */
export const contract = (i: number): Felt => scatter(3_000_000 + (i % CONTRACTS));
/** Made-up hash of a transaction, not computed from its fields. */
export const hashAt = (block: number, index: number): Felt =>
  scatter(10_000_000 + block * TRANSACTIONS + index);

/** Contents of a chain that may be made up, as no reader recomputes them. */
export interface ChainContents {
  /** Hash of a transaction of a block. */
  hashOf(transaction: InvokeV3, block: number, index: number): Felt;
  /** The class of every contract. */
  readonly declared: BundledClass;
  readonly compiledClassHash: Felt;
}

/** Cheapest contents: transactions have the hashes of {@link hashAt}. */
export const MADE_UP: ChainContents = {
  hashOf: (_, block, index) => hashAt(block, index),
  declared: { classHash: scatter(-2), contractClass: SIERRA_CLASS, casmJson: "{}" },
  compiledClassHash: 0xca5n,
};

/**
 * Creates and stores blocks of transfers: roots, commitments, block hashes and signatures are real.
 */
export class ChainMaker {
  readonly #chain: StoredChainReader;
  readonly #writer: ChainWriter;
  readonly #contents: ChainContents;
  /** Total time of hashing, in milliseconds. */
  completeMs = 0;
  /** Total time of storing, in milliseconds. */
  commitMs = 0;

  constructor(chain: StoredChainReader, writer: ChainWriter, contents: ChainContents) {
    this.#chain = chain;
    this.#writer = writer;
    this.#contents = contents;
  }

  /** Adds block `number` after the newest one. */
  add(number: number): void {
    const startedMs = performance.now();
    const commit = this.#complete(number);
    const completedMs = performance.now();
    this.#writer.commitBlock(commit);
    this.completeMs += completedMs - startedMs;
    this.commitMs += performance.now() - completedMs;
  }

  #complete(number: number): BlockCommit {
    const { hash: _, ...info } = testHeader(number);
    const transactions = number === 0 ? [] : transactionsOf(number, this.#contents);
    const { block, trie } = completeBlock({
      draft: {
        info,
        transactions,
        receipts: transactions.map(receiptOf),
        stateDiff: number === 0 ? genesisDiff(this.#contents) : diffOf(number),
      },
      commitments: null,
      parent: this.#chain.header(number - 1),
      stateBefore: this.#chain.stateAt(number - 1),
      tries: this.#writer.trieStore,
      pedersen: PEDERSEN,
      signingKey: SIGNING_KEY,
    });
    const classes = number === 0 ? [this.#contents.declared] : [];
    return { block, epoch: 0, classes, inputs: { l1Messages: [] }, trie };
  }
}

function genesisDiff({ declared, compiledClassHash }: ChainContents): StateDiff {
  const { classHash } = declared;
  const senders = Array.from({ length: SENDERS }, (_, i) => sender(i));
  const contracts = Array.from({ length: CONTRACTS }, (_, i) => contract(i));
  return fakeDiff({
    deployedContracts: new Map([TOKEN, ...senders, ...contracts].map((a) => [a, classHash])),
    declaredClasses: new Map([[classHash, compiledClassHash]]),
  });
}

function transactionsOf(block: number, { hashOf }: ChainContents): EncodedTransaction[] {
  return Array.from({ length: TRANSACTIONS }, (_, index) => {
    const id = block * TRANSACTIONS + index;
    const transaction: InvokeV3 = {
      ...INVOKE_V3,
      senderAddress: sender(block),
      nonce: BigInt(nonceBefore(block) + index),
      signature: [scatter(id), scatter(id + 1)],
      calldata: [1n, TOKEN, EVENT, 3n, balanceSlot(mixed(id, 2)), BigInt(id), 0n],
      proofFacts: [],
    };
    return encodedTransaction({ hash: hashOf(transaction, block, index), transaction });
  });
}

function receiptOf({ hash, transaction }: EncodedTransaction): Receipt {
  const from = "senderAddress" in transaction ? transaction.senderAddress : 0n;
  const event = (to: Felt) => ({ fromAddress: TOKEN, keys: [EVENT, from, to], data: [hash, 0n] });
  return fakeReceipt({
    transactionHash: hash,
    actualFee: hash % 1_000_000n,
    feeUnit: "FRI",
    events: [event(hash % 5000n), event(0x5e9n)],
  });
}

function diffOf(block: number): StateDiff {
  const ids = Array.from({ length: TRANSACTIONS }, (_, index) => block * TRANSACTIONS + index);
  const value = BigInt(block);
  return fakeDiff({
    storageDiffs: new Map([
      [
        TOKEN,
        new Map([
          [balanceSlot(0), value],
          ...ids.map((id): [Felt, Felt] => [balanceSlot(mixed(id, 2)), value]),
        ]),
      ],
      [
        contract(mixed(block, 3)),
        new Map([
          [scatter(4_000_000 + (mixed(block, 4) % SLOTS)), value],
          [scatter(4_000_000 + (mixed(block, 5) % SLOTS)), value],
        ]),
      ],
    ]),
    nonces: new Map([[sender(block), BigInt(nonceBefore(block) + TRANSACTIONS)]]),
  });
}

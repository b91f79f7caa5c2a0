import { PEDERSEN } from "#protocol/trie/index.ts";
import fc from "fast-check";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadChainConfig } from "#protocol/config/index.ts";
import {
  type BlockInfo,
  type BlockInputs,
  casmClassFromJson,
  compiledClassHash,
  contractAddress,
  type EncodedTransaction,
  encodedTransaction,
  type MutableStateDiff,
  type Receipt,
  emptyStateDiff,
  l1MessageHash,
  type Transaction,
  transactionHash,
} from "#protocol/chain/index.ts";
import { type Felt, feltFromShortString } from "#base/primitives/index.ts";
import {
  type BlockCommit,
  type ChainWriter,
  type ChainWriterOptions,
  createChainReader,
  createChainWriter,
  openDatabase,
  type StoredChainReader,
} from "#io/storage/index.ts";
import { blockInfoAt, completeBlock } from "#services/sequencer/index.ts";
import { fixedL1Prices } from "#app/node/setup/l1-prices.ts";
import { ORDINARY_START } from "#app/node/storage/folder/folder-request.ts";
import { prepareFolder } from "#app/node/storage/folder/prepare.ts";
import { type NodeSetup, producerSettings } from "#app/node/setup/setup.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import { loadSigningKey } from "#app/node/storage/folder/signing-key.ts";
import { receipts as anyReceipt, transactions as anyTransaction } from "./arbitraries.ts";
import { chargedReceipt } from "./charged-receipt.ts";
import { createRandom, type Random } from "./random.ts";
import { ORDINARY_SETUP } from "./node-setup.ts";
import { gasPriceOptions } from "#test/helpers/options.ts";
import { ownSeed } from "#test/helpers/own-seed.ts";

/** Chain id of a chain of {@link makeTrueChain}. */
export const TRUE_CHAIN_ID = "APPCHAIN_DEVNET";

/** Options of a chain. */
export interface TrueChainOptions {
  /** Blocks above the genesis block. */
  readonly blocks: number;
  readonly seed?: number;
  readonly retention?: ChainWriterOptions;
  /** Maximum transactions of a block. */
  readonly transactions?: number;
  /** Genesis block; by default that of a development chain. */
  readonly genesis?: TrueGenesis;
}

/**
 * What the genesis block declares and deploys: the classes, tokens and accounts of a development chain, or two
 * classes whose code is a tenth of theirs. Each check of a chain hashes all of it.
 */
export type TrueGenesis = "devnet" | "small";

/** A created chain. */
export interface TrueChain {
  readonly folder: string;
  /** Public block-signing key. */
  readonly publicKey: Felt;
}

const PRESET = join(import.meta.dir, "../../presets/devnet.yaml");
const SMALL_CLASS = join(import.meta.dir, "../contracts/frames/frames.sierra.json");
const SMALL_GENESIS = `genesis:
  classes:
    - { name: universal_deployer, builtin: universal_deployer }
    - { name: frames, sierra: ${JSON.stringify(SMALL_CLASS)} }
  contracts:
    "0x041a78e741e5af2fec34b695679bc6891742439f7afb8484ecd7766661ad02bf":
      class: universal_deployer
    "0x5": { class: frames }
`;
const FIRST_CONTRACT = 0x1000n;
const DEV = {
  count: 2,
  seed: ownSeed(7n),
  balance: 5n,
  setBy: { count: null, seed: null, balance: null },
};

/**
 * Creates a data directory with a chain in which everything computable is valid: hashes,
 * commitments, signatures and tries. The contents of its transactions are made up. Deterministic by
 * seed, except for the signing key and the times.
 */
export async function makeTrueChain(folder: string, options: TrueChainOptions): Promise<TrueChain> {
  const text = readFileSync(PRESET, "utf8").replace(
    /^(latest_protocol_version): .*$/m,
    "$1: 0.14.0",
  );
  const versions = "versioned_constants: {0.14.0: builtin}\n";
  const hasAccounts = (options.genesis ?? "devnet") === "devnet";
  const preset = hasAccounts ? text : text.replace(/^genesis:\n[^]*/m, SMALL_GENESIS);
  const { config } = await loadChainConfig({ text: versions + preset, role: "sequencer" });
  const setup: NodeSetup = {
    config,
    files: nodeFiles(folder, null),
    chargeFees: true,
    l1Prices: fixedL1Prices(gasPriceOptions()),
    executionMemoryBytes: 768 * 2 ** 20,
    ...ORDINARY_SETUP,
  };
  // The folder may contain the key of another chain.
  const prepared = await prepareFolder(setup, hasAccounts ? DEV : null, {
    ...ORDINARY_START,
    newChain: true,
  });
  const key = loadSigningKey(setup.files.signingKey);
  const database = await openDatabase({
    path: setup.files.chainDatabase,
    chainId: config.chainId,
    mode: "writer",
    durability: "normal",
  });
  try {
    const writer = createChainWriter(database, options.retention);
    const maker = new BlockMaker(setup, createChainReader(database), writer, options);
    for (let number = 1; number <= options.blocks; number++) {
      writer.commitBlock(maker.block(number, key.privateKey));
    }
  } finally {
    database.close();
    prepared.folder.keep();
    prepared.folder.release();
  }
  return { folder, publicKey: key.publicKey };
}

class BlockMaker {
  readonly #setup: NodeSetup;
  readonly #chain: StoredChainReader;
  readonly #writer: ChainWriter;
  readonly #random: Random;
  readonly #maxTransactions: number;
  #deployed = 0;
  #l1Nonce = 0n;

  constructor(
    setup: NodeSetup,
    chain: StoredChainReader,
    writer: ChainWriter,
    { seed = 1, transactions = 40 }: TrueChainOptions,
  ) {
    this.#setup = setup;
    this.#chain = chain;
    this.#writer = writer;
    this.#random = createRandom(seed);
    this.#maxTransactions = transactions;
  }

  block(number: number, signingKey: Felt): BlockCommit {
    const parent = this.#chain.header(number - 1);
    const transactions = this.#transactions(number);
    const info = blockInfoAt(
      number,
      // Not needed: the clock gives the time, and the price is fixed.
      undefined,
      producerSettings(this.#setup),
      this.#setup.l1Prices,
      { nowMs: () => 1_700_000_000_000 + number * 1000 },
    );
    const draft = {
      info,
      transactions,
      receipts: this.#receipts(transactions, info),
      stateDiff: this.#diff(number),
    };
    const { block, trie } = completeBlock({
      draft,
      commitments: null,
      parent,
      stateBefore: this.#chain.stateAt(number - 1),
      tries: this.#writer.trieStore,
      pedersen: PEDERSEN,
      signingKey,
    });
    return { block, epoch: 0, classes: [], inputs: inputsOf(transactions), trie };
  }

  /** Transactions of random types; the first of each block is a message from L1. */
  #transactions(number: number): EncodedTransaction[] {
    const count = this.#random.below(this.#maxTransactions);
    const chainId = feltFromShortString(this.#setup.config.chainId);
    const sampled = fc.sample(anyTransaction, { numRuns: count, seed: number });
    const message = {
      type: "L1_HANDLER",
      version: 0,
      nonce: this.#l1Nonce++,
      contractAddress: FIRST_CONTRACT,
      entryPointSelector: 2n,
      calldata: [3n, BigInt(number)],
      paidFeeOnL1: null,
    } as const;
    const others = sampled.filter(({ type }) => type !== "L1_HANDLER").map(withItsAddress);
    return [message, ...others].map((transaction) =>
      encodedTransaction({ hash: transactionHash(transaction, chainId), transaction }),
    );
  }

  #receipts(transactions: readonly EncodedTransaction[], info: BlockInfo): Receipt[] {
    const seed = info.number + 1;
    const sampled = fc.sample(anyReceipt, { numRuns: transactions.length, seed });
    return transactions.flatMap(({ hash, transaction }, i) => {
      const receipt = sampled[i];
      const feeUnit = transaction.version === 3 ? "FRI" : "WEI";
      if (receipt === undefined) return [];
      const { l1Gas, l1DataGas, l2Gas } = receipt.gas;
      // Fees have at most 128 bits.
      const [l1, data, l2] = [l1Gas, l1DataGas, l2Gas].map((amount) => amount & 0xffff_ffffn);
      const gas = { l1Gas: l1 ?? 0n, l1DataGas: data ?? 0n, l2Gas: l2 ?? 0n };
      const known = { ...receipt, transactionHash: hash, feeUnit, gas } as const;
      return [chargedReceipt(known, transaction, info)];
    });
  }

  /** Deployments, writes and deletions; block 2 migrates a class of block 0 to its newer hash. */
  #diff(number: number): MutableStateDiff {
    const diff = emptyStateDiff();
    const genesis = this.#chain.stateDiff(0);
    const [classHash] = genesis?.declaredClasses.keys() ?? [];
    if (classHash === undefined) throw new TypeError("the genesis block declares no class");
    if (number === 2) {
      const { casmJson = "" } = this.#chain.casm(classHash) ?? {};
      const newer = compiledClassHash(casmClassFromJson(casmJson), "blake");
      diff.migratedCompiledClasses.set(classHash, newer);
    }
    if (this.#deployed < 12) {
      const address = FIRST_CONTRACT + BigInt(this.#deployed++);
      diff.deployedContracts.set(address, classHash);
    }
    const state = this.#chain.stateAt(number - 1);
    for (let i = 0; i < this.#deployed; i++) {
      const address = FIRST_CONTRACT + BigInt(i);
      if (this.#random.below(3) === 0) {
        diff.nonces.set(address, state.nonceAt(address) + 1n);
      }
      const entries = new Map<Felt, Felt>();
      for (let writes = this.#random.below(4); writes > 0; writes--) {
        const key = BigInt(this.#random.below(40)) * 0x1234_5678_9abc_def1n;
        const value = BigInt(this.#random.below(5)) * BigInt(number);
        if (state.storageAt(address, key) !== value) entries.set(key, value);
      }
      if (entries.size > 0) diff.storageDiffs.set(address, entries);
    }
    return diff;
  }
}

/** Sets the address of a deployment to that of its class and salt. */
function withItsAddress(transaction: Transaction): Transaction {
  if (transaction.type !== "DEPLOY" && transaction.type !== "DEPLOY_ACCOUNT") return transaction;
  const { contractAddressSalt, classHash, constructorCalldata } = transaction;
  const address = contractAddress(0n, contractAddressSalt, classHash, constructorCalldata);
  return { ...transaction, contractAddress: address };
}

function inputsOf(transactions: readonly EncodedTransaction[]): BlockInputs {
  return {
    l1Messages: transactions.flatMap(({ hash, transaction }) =>
      transaction.type === "L1_HANDLER"
        ? [
            {
              transactionHash: hash,
              nonce: transaction.nonce,
              messageHash: l1MessageHash(transaction),
              l1TransactionHash: hash * 5n,
              // Not stored elsewhere in the database.
              l1BlockNumber: null,
            },
          ]
        : [],
    ),
  };
}

import { PEDERSEN } from "#protocol/trie/index.ts";
import { createCairoVm } from "#engine/cairo/index.ts";
import {
  type AccountTransaction,
  type BundledClass,
  casmClassFromJson,
  casmHashFunctionOf,
  compiledClassHash,
  encodedTransaction,
  encodeStateDiff,
  type HashedTransaction,
  sierraClassFromJson,
  sierraClassHash,
  transactionHash,
} from "#protocol/chain/index.ts";
import { type ChainConfig, loadChainConfig, type ShippedContract } from "#protocol/config/index.ts";
import { sign } from "#protocol/crypto/index.ts";
import { loadSigningKey } from "#app/node/storage/folder/signing-key.ts";
import type { Felt } from "#base/primitives/index.ts";
import { fixedL1Prices } from "#app/node/setup/l1-prices.ts";
import type { DevAccountOptions } from "#app/node/setup/node-options.ts";
import { prepareFolder } from "#app/node/storage/folder/prepare.ts";
import type { PreparedFolder } from "#app/node/storage/folder/prepared-folder.ts";
import { genesisClassSource } from "#app/node/storage/folder/shipped-contracts.ts";
import { chainIdFelt, type NodeSetup, producerSettings } from "#app/node/setup/setup.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import {
  decodePendingDelta,
  encodePendingDelta,
  type PendingDelta,
  PendingOverlay,
  type StateReader,
} from "#engine/state/index.ts";
import {
  type ChainWriter,
  createChainReader,
  createChainWriter,
  type DatabaseHandle,
  openDatabase,
  type StoredChainReader,
} from "#io/storage/index.ts";
import { type Candidate, decodeBatch, encodeBatch } from "#services/admission/batch-codec.ts";
import type { DeltaMessage } from "#services/admission/index.ts";
import { CommitterService } from "#services/sequencer/committer-service.ts";
import {
  type AcceptedMessage,
  BlockProducer,
  type DevAccount,
  type ProducerSettings,
  type SealedDraft,
  type SealedMessage,
  openGate,
} from "#services/sequencer/index.ts";
import { encodedClassOf } from "./encoded-class.ts";
import { fakePort } from "./fake-port.ts";
import { FakeTimer } from "./fake-timer.ts";
import { temporaryFolder, type TemporaryFolder } from "./temporary-folder.ts";
import { ORDINARY_SETUP } from "./node-setup.ts";
import { UNWATCHED } from "./producer-source.ts";
import { gasPriceOptions } from "#test/helpers/options.ts";
import { ownSeed } from "#test/helpers/own-seed.ts";

const shipped = await genesisClassSource({ genesis: null });
const NOW_MS = 4_000_000_000_000;
const PRICE = 10n ** 15n;

/** Bounds above every price of the development chain. */
const V3 = {
  version: 3,
  signature: [],
  tip: 0n,
  paymasterData: [],
  nonceDataAvailabilityMode: 0,
  feeDataAvailabilityMode: 0,
  resourceBounds: {
    l1Gas: { maxAmount: 100_000n, maxPricePerUnit: PRICE },
    l2Gas: { maxAmount: 1_000_000_000n, maxPricePerUnit: 10n ** 6n },
    l1DataGas: { maxAmount: 100_000n, maxPricePerUnit: PRICE },
  },
} as const;

/** A shipped contract under another class hash: its ABI is the text `abi`. */
export function renamedClass(name: ShippedContract, abi: string): BundledClass {
  const { classJson, casmJson } = shipped({ kind: "builtin", builtin: name }, name);
  const contractClass = { ...sierraClassFromJson(classJson), abi };
  return { classHash: sierraClassHash(contractClass), contractClass, casmJson };
}

/** A data directory, locked like that of a running node. */
interface Folder {
  readonly temporary: TemporaryFolder;
  taken: PreparedFolder["folder"];
}

const GIVEN = { count: null, seed: null, balance: null };
const DEV: DevAccountOptions = { count: 1, seed: ownSeed(0n), balance: 10n ** 24n, setBy: GIVEN };

/** A development chain on disk with executor and committer, in one thread. */
export class DeclareWorld implements AsyncDisposable {
  setup: NodeSetup;
  readonly account: DevAccount;
  readonly #folder: Folder;
  #handle: DatabaseHandle;
  #writer: ChainWriter;
  chain: StoredChainReader;

  private constructor(
    setup: NodeSetup,
    folder: Folder,
    handle: DatabaseHandle,
    account: DevAccount,
  ) {
    this.setup = setup;
    this.account = account;
    this.#folder = folder;
    this.#handle = handle;
    this.#writer = createChainWriter(handle);
    this.chain = createChainReader(handle);
  }

  /** Creates a chain of one protocol version with block 0. */
  static async create(protocolVersion: string): Promise<DeclareWorld> {
    const temporary = temporaryFolder();
    const setup: NodeSetup = {
      config: await configOf(protocolVersion),
      files: nodeFiles(temporary.path, null),
      chargeFees: true,
      executionMemoryBytes: 768 * 2 ** 20,
      ...ORDINARY_SETUP,
      l1Prices: fixedL1Prices(gasPriceOptions()),
    };
    const prepared = await prepareFolder(setup, DEV);
    const handle = await openChain(setup);
    const [account] = prepared.accounts(createChainReader(handle).stateAt(0));
    if (account === undefined) throw new TypeError("the chain has no account");
    return new DeclareWorld(setup, { temporary, taken: prepared.folder }, handle, account);
  }

  /** Restarts on the folder, as a node does, optionally with another protocol version. */
  async restart(protocolVersion?: string): Promise<void> {
    this.#handle.close();
    this.#folder.taken.keep();
    this.#folder.taken.release();
    if (protocolVersion !== undefined) {
      this.setup = { ...this.setup, config: await configOf(protocolVersion) };
    }
    this.#folder.taken = (await prepareFolder(this.setup, DEV)).folder;
    this.#handle = await openChain(this.setup);
    this.#writer = createChainWriter(this.#handle);
    this.chain = createChainReader(this.#handle);
  }

  /** A producer with an open block on `state`. */
  open(
    number: number,
    state: StateReader,
    special: Partial<ProducerSettings> = {},
  ): { producer: BlockProducer; delta: PendingDelta } {
    const settings = { ...producerSettings(this.setup), ...special };
    const producer = new BlockProducer(createCairoVm(), settings, {
      clock: { nowMs: () => NOW_MS + number * 1000 },
      processorMs: () => 0,
      blockHash: (block) => this.chain.header(block)?.hash,
      l1Prices: () => this.setup.l1Prices,
      ...UNWATCHED,
    });
    const parent = { timestamp: NOW_MS / 1000, l2Gas: { priceFri: 1n, gasUsed: 0n } };
    return { producer, delta: producer.open(number, parent, state) };
  }

  /** State of a reader on another thread after these deltas. */
  overlay(deltas: readonly PendingDelta[]): PendingOverlay {
    const overlay = new PendingOverlay(this.chain);
    for (const delta of deltas) overlay.apply(decodePendingDelta(encodePendingDelta(delta)));
    return overlay;
  }

  /** Commits the executor's block. */
  async commit(deltas: readonly PendingDelta[], draft: SealedDraft): Promise<void> {
    const failures: unknown[] = [];
    const executor = fakePort<DeltaMessage | SealedMessage, AcceptedMessage>();
    const service = new CommitterService({
      ports: { executor, readers: [], main: fakePort() },
      chain: this.chain,
      writer: this.#writer,
      guard: { runBlock: (_attempt, _hashes, work) => work() },
      gate: openGate,
      epoch: null,
      pedersen: PEDERSEN,
      signingKey: loadSigningKey(this.setup.files.signingKey).privateKey,
      timer: new FakeTimer(),
      afterAccepted: () => undefined,
      onFailure: (error) => failures.push(error),
    });
    service.start();
    const { number: blockNumber } = draft.info;
    for (const delta of deltas) {
      const { sequence } = delta;
      executor.tell({ kind: "delta", blockNumber, sequence, bytes: encodePendingDelta(delta) });
    }
    const stateDiff = encodeStateDiff(draft.stateDiff);
    executor.tell({
      kind: "sealed",
      blockNumber,
      stateDiff,
      attempt: 1,
      productionSeconds: 0,
      l1Messages: [],
    });
    await service.stop();
    if (failures.length > 0) throw failures[0];
  }

  /** Reverts the blocks above `blockNumber`. */
  revertTo(blockNumber: number): void {
    this.#writer.revertTo(blockNumber);
  }

  /** A declaration signed by the development account, by default with the right compiled hash. */
  declare(nonce: Felt, declared: BundledClass, hash = this.compiledHash(declared)): Candidate {
    const transaction: AccountTransaction = {
      ...V3,
      type: "DECLARE",
      nonce,
      senderAddress: this.account.address,
      classHash: declared.classHash,
      compiledClassHash: hash,
      accountDeploymentData: [],
    };
    return this.#candidate(transaction, declared);
  }

  /** An invoke of the development account with one call. */
  invoke(nonce: Felt, to: Felt, selector: Felt, calldata: readonly Felt[]): Candidate {
    return this.#candidate({
      ...V3,
      type: "INVOKE",
      nonce,
      senderAddress: this.account.address,
      calldata: [1n, to, selector, BigInt(calldata.length), ...calldata],
      accountDeploymentData: [],
      proofFacts: [],
    });
  }

  /** Deploys an account of the development account's key. */
  deployAccount(contractAddress: Felt, classHash: Felt): Candidate {
    const { publicKey } = this.account;
    return this.#candidate({
      ...V3,
      type: "DEPLOY_ACCOUNT",
      nonce: 0n,
      contractAddress,
      contractAddressSalt: 1n,
      classHash,
      constructorCalldata: [publicKey],
    });
  }

  /** Compiled class hash that a declaration on this chain must have. */
  compiledHash({ casmJson }: BundledClass): Felt {
    const { latestProtocolVersion } = this.setup.config;
    const casm = casmClassFromJson(casmJson ?? "");
    return compiledClassHash(casm, casmHashFunctionOf(latestProtocolVersion));
  }

  /** A transaction with its hash and the signature of the development account. */
  signed<T extends AccountTransaction>(unsigned: T): HashedTransaction<T> {
    const hash = transactionHash(unsigned, chainIdFelt(this.setup.config));
    const { r, s } = sign(this.account.privateKey, hash);
    return { hash, transaction: { ...unsigned, signature: [r, s] } };
  }

  /** A signed transaction in the form that the executor gets from admission. */
  #candidate(unsigned: AccountTransaction, declared?: BundledClass): Candidate {
    const { bytes } = encodedTransaction(this.signed(unsigned));
    const carried = declared === undefined ? undefined : encodedClassOf(declared);
    const [candidate] = decodeBatch(
      encodeBatch([{ transaction: bytes, prevalidated: undefined, declared: carried }]),
    );
    if (candidate === undefined) throw new TypeError("the batch is empty");
    return candidate;
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#handle.close();
    this.#folder.taken.release();
    this.#folder.temporary[Symbol.dispose]();
    return Promise.resolve();
  }
}

async function configOf(protocolVersion: string): Promise<ChainConfig> {
  const overrides = [`latest_protocol_version=${protocolVersion}`];
  return (await loadChainConfig({ preset: "devnet", role: "sequencer", overrides })).config;
}

function openChain({ files: { chainDatabase: path }, config }: NodeSetup): Promise<DatabaseHandle> {
  return openDatabase({ path, chainId: config.chainId, mode: "writer", durability: "normal" });
}

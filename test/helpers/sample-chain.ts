import { NO_L1_MESSAGES } from "#api/rpc/index.ts";
import type {
  DeclareV3,
  DeployAccountV3,
  HashedTransaction,
  InvokeV3,
  LegacyClass,
  SierraClass,
  Transaction,
  V3Fields,
} from "#protocol/chain/index.ts";
import { feltFromShortString } from "#base/primitives/index.ts";
import type { ChainReader } from "#engine/state/index.ts";
import {
  createFakeChain,
  fakeBlock,
  fakeDiff,
  fakePending,
  fakeReceipt,
  type FakeBlock,
} from "./fake-chain.ts";
import { METHOD_LIMITS, unused, type FullContext } from "./serving.ts";
import { NOTHING_LISTED } from "#services/admission/index.ts";

/** Id of the sample chain, `SN_TEST`. */
export const SAMPLE_CHAIN_ID: bigint = feltFromShortString("SN_TEST");

/** Address of the sample chain's contract: it has a class, nonce 2 and storage at key 0x10. */
export const CONTRACT = 0xc0n;
/** Address of a contract that only the block being built deploys. */
export const PENDING_CONTRACT = 0xc1n;
/** Hash of the Sierra class of {@link CONTRACT}, declared in block 1. */
export const SIERRA_HASH = 0x51e77an;
/** Hash of a Cairo 0 class, declared in block 0. */
export const LEGACY_HASH = 0x1e6acn;
/** Hash of a class that only the block being built declares. */
export const PENDING_HASH = 0x9e4d1n;

const V3: V3Fields = {
  resourceBounds: {
    l1Gas: { maxAmount: 1n, maxPricePerUnit: 2n },
    l1DataGas: { maxAmount: 3n, maxPricePerUnit: 4n },
    l2Gas: { maxAmount: 5n, maxPricePerUnit: 6n },
  },
  tip: 7n,
  paymasterData: [],
  nonceDataAvailabilityMode: 0,
  feeDataAvailabilityMode: 0,
};

/** Invoke transaction of version 3 in the sample chain. */
export const INVOKE_V3: InvokeV3 = {
  type: "INVOKE",
  version: 3,
  ...V3,
  signature: [1n, 2n],
  nonce: 1n,
  senderAddress: CONTRACT,
  calldata: [8n, 9n],
  accountDeploymentData: [],
  proofFacts: [0xfac7n],
};

const DECLARE_V3: DeclareV3 = {
  type: "DECLARE",
  version: 3,
  ...V3,
  signature: [1n],
  nonce: 0n,
  senderAddress: CONTRACT,
  classHash: SIERRA_HASH,
  compiledClassHash: 0xca5n,
  accountDeploymentData: [],
};

const DEPLOY_ACCOUNT_V3: DeployAccountV3 = {
  type: "DEPLOY_ACCOUNT",
  version: 3,
  ...V3,
  signature: [1n],
  nonce: 0n,
  contractAddress: CONTRACT,
  classHash: SIERRA_HASH,
  contractAddressSalt: 0x5a17n,
  constructorCalldata: [3n],
};

/** One transaction of every kind and version. */
export const EVERY_TRANSACTION: readonly Transaction[] = [
  {
    type: "INVOKE",
    version: 0,
    maxFee: 10n,
    signature: [1n],
    contractAddress: CONTRACT,
    entryPointSelector: 11n,
    calldata: [12n],
  },
  {
    type: "INVOKE",
    version: 1,
    maxFee: 10n,
    signature: [1n],
    nonce: 2n,
    senderAddress: CONTRACT,
    calldata: [12n],
  },
  INVOKE_V3,
  {
    type: "DECLARE",
    version: 0,
    maxFee: 0n,
    signature: [],
    senderAddress: 1n,
    classHash: LEGACY_HASH,
  },
  {
    type: "DECLARE",
    version: 1,
    maxFee: 1n,
    signature: [],
    nonce: 0n,
    senderAddress: 1n,
    classHash: LEGACY_HASH,
  },
  {
    type: "DECLARE",
    version: 2,
    maxFee: 1n,
    signature: [],
    nonce: 0n,
    senderAddress: 1n,
    classHash: SIERRA_HASH,
    compiledClassHash: 0xca5n,
  },
  DECLARE_V3,
  {
    type: "DEPLOY_ACCOUNT",
    version: 1,
    maxFee: 1n,
    signature: [],
    nonce: 0n,
    contractAddress: CONTRACT,
    classHash: LEGACY_HASH,
    contractAddressSalt: 1n,
    constructorCalldata: [],
  },
  DEPLOY_ACCOUNT_V3,
  {
    type: "DEPLOY",
    version: 0,
    contractAddress: CONTRACT,
    classHash: LEGACY_HASH,
    contractAddressSalt: 1n,
    constructorCalldata: [4n],
  },
  {
    type: "L1_HANDLER",
    version: 0,
    nonce: 5n,
    contractAddress: CONTRACT,
    entryPointSelector: 6n,
    calldata: [0xe7n, 7n],
    paidFeeOnL1: null,
  },
];

/** Hash of the first transaction of block 0; the others have the next ones. */
export const FIRST_HASH = 0x100n;
/** Hash of the only transaction of block 1, which was reverted. */
export const REVERTED_HASH = 0x200n;
/** Hash of the only transaction of the block being built. */
export const PENDING_TX_HASH = 0x300n;
/** Hash of a transaction in the mempool. */
export const MEMPOOL_TX_HASH = 0x400n;
/** Hash that no transaction, class or block of the sample chain has. */
export const UNKNOWN_HASH = 0xdeadn;

/** Cairo 0 class of the sample chain; the order of its members must be preserved. */
export const LEGACY_CLASS: LegacyClass = {
  kind: "legacy",
  json: `{"abi": [{"type": "constructor", "name": "constructor", "inputs": [], "outputs": []}],
    "entry_points_by_type": {"CONSTRUCTOR": [{"selector": "0x28", "offset": 18}], "EXTERNAL": [], "L1_HANDLER": []},
    "program": {"prime": "0x8", "hints": {"10": ["a } \\" {"], "2": []}, "data": ["0x1"]}}`,
};

/** Sierra class of {@link CONTRACT} in the sample chain. */
export const SIERRA_CLASS: SierraClass = {
  kind: "sierra",
  sierraProgram: [1n, 6n, 0n],
  contractClassVersion: "0.1.0",
  entryPoints: { EXTERNAL: [{ selector: 0x99n, functionIdx: 0 }], L1_HANDLER: [], CONSTRUCTOR: [] },
  abi: '[{"type": "function"}]',
};

const invoke = (hash: bigint): HashedTransaction => ({ hash, transaction: INVOKE_V3 });

const blocks: readonly FakeBlock[] = [
  fakeBlock({
    header: { number: 0, eventCount: 1, stateDiffLength: 3 },
    transactions: EVERY_TRANSACTION.map((transaction, i) => ({
      hash: FIRST_HASH + BigInt(i),
      transaction,
    })),
    receipts: EVERY_TRANSACTION.map((_, i) =>
      fakeReceipt({
        transactionHash: FIRST_HASH + BigInt(i),
        feeUnit: i === 2 ? "FRI" : "WEI",
        events: i === 2 ? [{ fromAddress: CONTRACT, keys: [0x1n], data: [0x2n, 0x3n] }] : [],
        messages: i === 2 ? [{ fromAddress: CONTRACT, toAddress: 0xe7n, payload: [1n] }] : [],
      }),
    ),
    stateDiff: fakeDiff({
      deployedContracts: new Map([[CONTRACT, LEGACY_HASH]]),
      storageDiffs: new Map([[CONTRACT, new Map([[0x10n, 0x111n]])]]),
      nonces: new Map([[CONTRACT, 1n]]),
      deprecatedDeclaredClasses: new Set([LEGACY_HASH]),
    }),
  }),
  fakeBlock({
    header: { number: 1 },
    transactions: [invoke(REVERTED_HASH)],
    receipts: [
      fakeReceipt({
        transactionHash: REVERTED_HASH,
        status: { kind: "reverted", reason: "out of luck" },
      }),
    ],
    stateDiff: fakeDiff({
      replacedClasses: new Map([[CONTRACT, SIERRA_HASH]]),
      storageDiffs: new Map([
        [0x1n, new Map([[0n, 0xabcn]])],
        [
          CONTRACT,
          new Map([
            [0x20n, 0x2n],
            [0x10n, 0x222n],
          ]),
        ],
      ]),
      nonces: new Map([[CONTRACT, 2n]]),
      declaredClasses: new Map([[SIERRA_HASH, 0xca5n]]),
    }),
  }),
];

/** Reader of the sample chain in memory: two blocks, the first accepted on L1. */
export const SAMPLE_CHAIN: ChainReader = createFakeChain(blocks, {
  l1Accepted: 0,
  classes: new Map([
    [LEGACY_HASH, { contractClass: LEGACY_CLASS, declaredAtBlock: 0 }],
    [SIERRA_HASH, { contractClass: SIERRA_CLASS, declaredAtBlock: 1 }],
  ]),
});

/** A chain before its first block. */
export const EMPTY_CHAIN: ChainReader = createFakeChain([]);
/** A context over {@link SAMPLE_CHAIN} with a pending block and one transaction in the mempool. */
export function sampleContext(parts: Partial<FullContext> = {}): FullContext {
  const view = fakePending(SAMPLE_CHAIN, {
    transactions: [invoke(PENDING_TX_HASH)],
    receipts: [fakeReceipt({ transactionHash: PENDING_TX_HASH })],
    stateDiff: fakeDiff({
      deployedContracts: new Map([[PENDING_CONTRACT, PENDING_HASH]]),
      storageDiffs: new Map([[CONTRACT, new Map([[0x10n, 0x333n]])]]),
      nonces: new Map([[CONTRACT, 3n]]),
      declaredClasses: new Map([[PENDING_HASH, 0xca6n]]),
    }),
    declaredClass: (hash) => (hash === PENDING_HASH ? SIERRA_CLASS : undefined),
  });
  const pending = parts.pending ?? (() => view);
  const waiting = { ...invoke(MEMPOOL_TX_HASH), isCandidate: false };
  return {
    chainId: SAMPLE_CHAIN_ID,
    node: { version: "0.1.0", kind: "sequencer" },
    contracts: { coreContract: 0xc0en, nativeFeeToken: 0x57n, parentFeeToken: 0xe7n },
    chain: SAMPLE_CHAIN,
    pending,
    unaccepted: () => [pending() ?? []].flat(),
    fork: null,
    syncStatus: () => false,
    limits: METHOD_LIMITS,
    mempool: {
      find: (hash) => Promise.resolve(hash === MEMPOOL_TX_HASH ? waiting : undefined),
      rejectionOf: () => Promise.resolve(undefined),
    },
    waiting: () => Promise.resolve(NOTHING_LISTED),
    l1Messages: NO_L1_MESSAGES,
    submit: unused("way into the mempool"),
    isStopped: () => false,
    declares: unused("compiler"),
    execution: unused("execution"),
    tracing: unused("traces"),
    ...parts,
  };
}

/** A context without blocks. */
export const emptyContext = (parts: Partial<FullContext> = {}): FullContext =>
  sampleContext({ chain: EMPTY_CHAIN, pending: () => undefined, ...parts });

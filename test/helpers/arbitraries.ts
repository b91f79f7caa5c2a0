import fc from "fast-check";
import type { BlockBundle } from "#protocol/chain/bundle/bundle.ts";
import type { BundledClass } from "#protocol/chain/bundle/bundled-class.ts";
import type { BlockInputs } from "#protocol/chain/bundle/header.ts";
import {
  type BlockHeader,
  type ContractClass,
  type EntryPointType,
  type Event,
  type EncodedTransaction,
  encodedTransaction,
  type MessageToL1,
  type Receipt,
  type SealedBlock,
  type SierraEntryPoint,
  type StateDiff,
  type Transaction,
} from "#protocol/chain/index.ts";
import { BUILTIN_NAMES, type BuiltinName, type GasVector } from "#protocol/versions/index.ts";
import { type Felt, FIELD_PRIME } from "#base/primitives/index.ts";
import { shortTexts as texts } from "./code-points.ts";

/** fast-check arbitrary of felts: small ones, ones near the prime, evenly distributed ones. */
export const felts: fc.Arbitrary<Felt> = fc.oneof(
  fc.bigInt({ min: 0n, max: 300n }),
  fc.bigInt({ min: 0n, max: 2n ** 64n }),
  fc.bigInt({ min: 0n, max: FIELD_PRIME - 1n }),
  fc.bigInt({ min: FIELD_PRIME - 3n, max: FIELD_PRIME - 1n }),
);

/** fast-check arbitrary of lists of felts, as in calldata. */
export const feltLists: fc.Arbitrary<Felt[]> = fc.array(felts, { maxLength: 6 });

/** fast-check arbitrary of u64 amounts. */
export const u64s: fc.Arbitrary<bigint> = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

/** fast-check arbitrary of u128 amounts. */
export const u128s: fc.Arbitrary<bigint> = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n });

/** fast-check arbitrary of 256-bit integers, like L1 hashes. */
export const u256s: fc.Arbitrary<bigint> = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });

const counts = fc.nat();

const bounds = fc.record({ maxAmount: u64s, maxPricePerUnit: u128s });
const modes = fc.constantFrom(0 as const, 1 as const);

const v3Fields = {
  resourceBounds: fc.record({ l1Gas: bounds, l2Gas: bounds, l1DataGas: fc.option(bounds) }),
  tip: u64s,
  paymasterData: feltLists,
  nonceDataAvailabilityMode: modes,
  feeDataAvailabilityMode: modes,
};

const feeFields = { maxFee: u128s, signature: feltLists };
const declareFields = { nonce: felts, senderAddress: felts, classHash: felts };
const deployFields = {
  contractAddress: felts,
  classHash: felts,
  contractAddressSalt: felts,
  constructorCalldata: feltLists,
};

function kind<const T extends string, const V extends number>(type: T, version: V) {
  return { type: fc.constant(type), version: fc.constant(version) };
}

/** fast-check arbitrary of transactions of every type and version. */
export const transactions: fc.Arbitrary<Transaction> = fc.oneof(
  fc.record({
    ...kind("INVOKE", 0),
    ...feeFields,
    contractAddress: felts,
    entryPointSelector: felts,
    calldata: feltLists,
  }),
  fc.record({
    ...kind("INVOKE", 1),
    ...feeFields,
    nonce: felts,
    senderAddress: felts,
    calldata: feltLists,
  }),
  fc.record({
    ...kind("INVOKE", 3),
    ...v3Fields,
    signature: feltLists,
    nonce: felts,
    senderAddress: felts,
    calldata: feltLists,
    accountDeploymentData: feltLists,
    proofFacts: feltLists,
  }),
  fc.record({ ...kind("DECLARE", 0), ...feeFields, senderAddress: felts, classHash: felts }),
  fc.record({ ...kind("DECLARE", 1), ...feeFields, ...declareFields }),
  fc.record({ ...kind("DECLARE", 2), ...feeFields, ...declareFields, compiledClassHash: felts }),
  fc.record({
    ...kind("DECLARE", 3),
    ...v3Fields,
    signature: feltLists,
    ...declareFields,
    compiledClassHash: felts,
    accountDeploymentData: feltLists,
  }),
  fc.record({ ...kind("DEPLOY_ACCOUNT", 1), ...feeFields, nonce: felts, ...deployFields }),
  fc.record({
    ...kind("DEPLOY_ACCOUNT", 3),
    ...v3Fields,
    signature: feltLists,
    nonce: felts,
    ...deployFields,
  }),
  fc.record({ ...kind("DEPLOY", 0), ...deployFields }),
  fc.record({ ...kind("DEPLOY", 1), ...deployFields }),
  fc.record({
    ...kind("L1_HANDLER", 0),
    nonce: felts,
    contractAddress: felts,
    entryPointSelector: felts,
    calldata: feltLists,
    paidFeeOnL1: fc.option(u128s),
  }),
);

/** fast-check arbitrary of transactions with any hash. */
export const encodedTransactions: fc.Arbitrary<EncodedTransaction> = fc
  .record({
    hash: felts,
    transaction: transactions,
  })
  .map(encodedTransaction);

/** fast-check arbitrary of events. */
export const events: fc.Arbitrary<Event> = fc.record({
  fromAddress: felts,
  keys: feltLists,
  data: feltLists,
});

const messages: fc.Arbitrary<MessageToL1> = fc.record({
  fromAddress: felts,
  toAddress: fc.bigInt({ min: 0n, max: 2n ** 160n - 1n }),
  payload: feltLists,
});

const gas: fc.Arbitrary<GasVector> = fc.record({ l1Gas: u64s, l1DataGas: u64s, l2Gas: u64s });

const builtins: fc.Arbitrary<Partial<Record<BuiltinName, number>>> = fc
  .uniqueArray(
    fc.tuple(fc.constantFrom(...BUILTIN_NAMES), fc.integer({ min: 1, max: 1_000_000 })),
    {
      selector: ([name]) => name,
      maxLength: BUILTIN_NAMES.length,
    },
  )
  .map((entries) => Object.fromEntries(entries) as Partial<Record<BuiltinName, number>>);

/** fast-check arbitrary of receipts of succeeded and reverted transactions. */
export const receipts: fc.Arbitrary<Receipt> = fc.record(
  {
    transactionHash: felts,
    actualFee: u128s,
    feeUnit: fc.constantFrom("WEI" as const, "FRI" as const),
    events: fc.array(events, { maxLength: 3 }),
    messages: fc.array(messages, { maxLength: 2 }),
    status: fc.oneof(
      fc.record({ kind: fc.constant("succeeded" as const) }),
      fc.record({ kind: fc.constant("reverted" as const), reason: texts }),
    ),
    gas,
    daGas: gas,
    vmResources: fc.record({ steps: counts, memoryHoles: counts, builtins }),
    isImpersonated: fc.constant(true as const),
  },
  {
    requiredKeys: [
      "transactionHash",
      "actualFee",
      "feeUnit",
      "events",
      "messages",
      "status",
      "gas",
      "daGas",
      "vmResources",
    ],
  },
);

/** fast-check arbitrary of maps from felts to felts. */
export const feltMaps: fc.Arbitrary<Map<Felt, Felt>> = fc
  .array(fc.tuple(felts, felts), { maxLength: 5 })
  .map((entries) => new Map(entries));

/** fast-check arbitrary of state diffs without empty contracts. */
export const stateDiffs: fc.Arbitrary<StateDiff> = fc.record({
  storageDiffs: fc
    .array(
      fc.tuple(
        felts,
        feltMaps.filter((map) => map.size > 0),
      ),
      { maxLength: 4 },
    )
    .map((entries) => new Map(entries)),
  nonces: feltMaps,
  deployedContracts: feltMaps,
  replacedClasses: feltMaps,
  declaredClasses: feltMaps,
  deprecatedDeclaredClasses: feltLists.map((list) => new Set(list)),
  migratedCompiledClasses: feltMaps,
});

const prices = fc.record({ wei: u128s, fri: u128s });

/** fast-check arbitrary of headers; their hashes and commitments match nothing. */
export const headers: fc.Arbitrary<BlockHeader> = fc.record({
  number: counts,
  hash: felts,
  parentHash: felts,
  newRoot: felts,
  timestamp: counts,
  sequencerAddress: felts,
  gasPrices: fc.record({ l1Gas: prices, l1DataGas: prices, l2Gas: prices }),
  l1DaMode: fc.constantFrom("BLOB" as const, "CALLDATA" as const),
  protocolVersion: fc.constantFrom("", "0.13.2", "0.14.4"),
  transactionCommitment: felts,
  eventCommitment: felts,
  receiptCommitment: felts,
  stateDiffCommitment: felts,
  transactionCount: counts,
  eventCount: counts,
  stateDiffLength: counts,
});

const entryPoints: fc.Arbitrary<SierraEntryPoint[]> = fc.array(
  fc.record({ selector: felts, functionIdx: counts }),
  { maxLength: 3 },
);

/** fast-check arbitrary of classes of both kinds; their programs are meaningless. */
export const contractClasses: fc.Arbitrary<ContractClass> = fc.oneof<fc.Arbitrary<ContractClass>[]>(
  fc.record({
    kind: fc.constant("sierra" as const),
    sierraProgram: feltLists,
    contractClassVersion: texts,
    entryPoints: fc.record({
      EXTERNAL: entryPoints,
      L1_HANDLER: entryPoints,
      CONSTRUCTOR: entryPoints,
    } satisfies Record<EntryPointType, unknown>),
    abi: texts,
  }),
  fc.record({ kind: fc.constant("legacy" as const), json: texts }),
);

/** fast-check arbitrary of classes of a block, by ascending hash. */
export const bundledClasses: fc.Arbitrary<BundledClass[]> = fc
  .uniqueArray(
    fc.record({ classHash: felts, contractClass: contractClasses, casmJson: fc.option(texts) }),
    { selector: (declared) => declared.classHash, maxLength: 3 },
  )
  .map((classes) => classes.sort((a, b) => (a.classHash < b.classHash ? -1 : 1)));

/** fast-check arbitrary of inputs of a block. */
export const blockInputs: fc.Arbitrary<BlockInputs> = fc.record({
  l1Messages: fc.array(
    fc.record({
      transactionHash: felts,
      nonce: u256s,
      messageHash: u256s,
      l1TransactionHash: fc.option(u256s),
      l1BlockNumber: fc.option(counts),
    }),
    { maxLength: 3 },
  ),
});

/** fast-check arbitrary of sealed blocks with one receipt per transaction. */
export const sealedBlocks: fc.Arbitrary<SealedBlock> = fc
  .record({
    header: headers,
    signature: fc.record({ r: felts, s: felts }),
    pairs: fc.array(fc.tuple(encodedTransactions, receipts), { maxLength: 4 }),
    stateDiff: stateDiffs,
  })
  .map(({ pairs, ...block }) => ({
    ...block,
    transactions: pairs.map(([transaction]) => transaction),
    receipts: pairs.map(([, receipt]) => receipt),
  }));

/** fast-check arbitrary of complete bundles. */
export const bundles: fc.Arbitrary<BlockBundle> = fc.record({
  block: sealedBlocks,
  epoch: counts,
  classes: bundledClasses,
  inputs: blockInputs,
});

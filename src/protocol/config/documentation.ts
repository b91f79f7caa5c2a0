import { type ChainConfigText, chainConfigField } from "./chain-fields.ts";

/** A field of a chain configuration as documents show it. */
export interface ConfigFieldRow {
  /** Name in the YAML file. */
  readonly name: string;
  /** What may stand there. */
  readonly form: string;
  /** The default as YAML text; `undefined` for a required field. */
  readonly fallback: string | undefined;
  readonly meaning: string;
  /** `false`: read and checked, but without effect in this version. */
  readonly inEffect: boolean;
}

/** Longest default that is written out. */
const MAX_DEFAULT_LENGTH = 100;

/** Every field of a chain configuration, in the order in which it is written. */
export function chainConfigRows(): readonly ConfigFieldRow[] {
  return Object.entries(chainConfigField.members).map(([key, { name, field, fallback }]) => ({
    name,
    form: field.describe,
    fallback: fallback && defaultText(field.write(fallback() as never)),
    meaning: MEANINGS[key as keyof ChainConfigText],
    inEffect: !NOT_IN_EFFECT.has(key as keyof ChainConfigText),
  }));
}

function defaultText(written: unknown): string {
  if (written === undefined) return "none";
  if (written === null) return "null";
  if (typeof written !== "object") return `${written as string | number | bigint | boolean}`;
  const entries = Object.entries(written).map(([name, value]) => `${name}: ${defaultText(value)}`);
  const text = `{${entries.join(", ")}}`;
  return text.length > MAX_DEFAULT_LENGTH ? "as in the preset mainnet" : text;
}

/** Fields for parts that are not built yet. */
const NOT_IN_EFFECT: ReadonlySet<keyof ChainConfigText> = new Set([
  "settlementChainKind",
  "feederGatewayUrl",
  "gatewayUrl",
  "ethCoreContractAddress",
  "ethGpsStatementVerifier",
  "l1MessagesReplayMaxDurationMs",
  "l1MessagesFinalityBlocks",
  "sequencerPublicKey",
  "blockProductionConcurrency",
  "maxNonceForValidationSkip",
]);

const MEANINGS: Readonly<Record<keyof ChainConfigText, string>> = {
  configVersion: "version of the file format; both are read alike",
  chainName: "name of the chain, for logs",
  chainId: "goes into every transaction hash; a data directory belongs to one chain id",
  l1DaMode: "where state diffs are published, which decides on data gas",
  settlementChainKind: "the chain below",
  feederGatewayUrl: "where full nodes read blocks",
  gatewayUrl: "where full nodes send transactions",
  nativeFeeTokenAddress: "STRK: pays for version 3 transactions",
  parentFeeTokenAddress: "ETH: pays for older transactions",
  versionedConstants: "per protocol version a constants file, or builtin",
  latestProtocolVersion: "protocol version of new blocks",
  ethCoreContractAddress: "core contract on L1; 0x0: none yet",
  ethGpsStatementVerifier: "verifier contract on L1",
  l1MessagesReplayMaxDurationMs: "how far back messages from L1 are looked for at start",
  l1MessagesFinalityBlocks: "L1 confirmations before a message is taken",
  sequencerAddress: "receives the fees; 0x0 is replaced in sequencer mode",
  sequencerPublicKey: "key that full nodes check block signatures with",
  blockTimeMs: "longest time that a block stays open",
  pendingBlockUpdateTimeMs: "how often the pending block is brought up to date",
  blocksOnDemand: "close a block as soon as the waiting transactions are executed",
  noEmptyBlocks: "do not close a block without transactions",
  executionBatchSize: "transactions per batch of the block builder",
  blockProductionConcurrency: "parallel execution",
  bouncer: "when a block is full: `block_max_capacity` and `builtin_weights`",
  l2GasPrice: "price of L2 gas, or how it follows the load",
  maxNonceForValidationSkip:
    "highest nonce of an invoke that may follow an unexecuted deploy account unvalidated",
  mempoolMode: "order of waiting transactions: by arrival, or by tip",
  mempoolFullPolicy: "what happens when the mempool is full",
  mempoolMinTipBump: "least relative raise of the tip that replaces a transaction; 0.1 is 10 %",
  mempoolMaxTransactions: "waiting transactions",
  mempoolMaxBytes: "encoded size of all waiting transactions",
  mempoolMaxTransactionsPerAccount:
    "waiting transactions of one account; nonces further ahead than this are refused",
  mempoolMaxBytesPerAccount: "encoded size of the waiting transactions of one account",
  mempoolMaxDeclareTransactions: "waiting declare transactions",
  mempoolTtlMs: "a transaction that waited this long is dropped; null: never",
  mempoolRejectionTtlMs: "how long it is known why a received transaction was dropped",
  genesis: "state of block 0: classes, contracts with storage, balances",
};

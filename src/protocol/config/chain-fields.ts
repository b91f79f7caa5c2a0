import type {
  BlockProductionConcurrency,
  ChainConfig,
  GenesisConfig,
  L2GasPriceConfig,
} from "./chain-config.ts";
import { bouncerField, DEFAULT_BOUNCER } from "./bouncer-fields.ts";
import { mapField, memberText, shapeField } from "./collection-fields.ts";
import { isProtocolVersion, NEWEST_PROTOCOL_VERSION } from "#protocol/versions/index.ts";
import { type Field, optional, required, type Section, section } from "./field.ts";
import { genesisField } from "./genesis-fields.ts";
import {
  absentField,
  addressField,
  addressOrZeroField,
  bigintField,
  boolField,
  choiceField,
  durationField,
  ethAddressField,
  feltField,
  fractionField,
  integerField,
  nameField,
  nullableField,
  pathField,
  scalar,
  urlField,
} from "./scalar-fields.ts";

/** The chain id also names the data directory, so it must not contain path characters. */
const chainIdField: Field<string> = scalar(
  "1 to 31 letters, digits, _, - or ., the first a letter or digit",
  (text) => (/^[A-Za-z0-9][\w.-]{0,30}$/.test(text) ? text : undefined),
  (value) => value,
);

const protocolVersionField: Field<string> = scalar(
  "protocol version such as 0.13.2",
  (text) => (isProtocolVersion(text) ? text : undefined),
  (value) => value,
);

const protocolVersionNames = {
  describe: "protocol version such as 0.13.2",
  read: (name: string): string | undefined => (isProtocolVersion(name) ? name : undefined),
  write: (name: string): string => name,
};

type FixedPrice = Extract<L2GasPriceConfig, { type: "fixed" }>;
type Eip1559Price = Extract<L2GasPriceConfig, { type: "eip1559" }>;

const u128 = bigintField(1n, (1n << 128n) - 1n);

const fixedPrice = section<FixedPrice>("fixed price", {
  type: required("type", choiceField("fixed")),
  price: required("price", u128),
});

/** Fee market of the public networks (source: Madara's defaults). */
export const DEFAULT_L2_GAS_PRICE: Eip1559Price = {
  type: "eip1559",
  target: 2_000_000_000n,
  minPrice: 100_000n,
  maxChangeDenominator: 48n,
};

const eip1559Price = section<Eip1559Price>("EIP-1559 price", {
  type: required("type", choiceField("eip1559")),
  target: optional("target", bigintField(1n), DEFAULT_L2_GAS_PRICE.target),
  minPrice: optional("min_price", u128, DEFAULT_L2_GAS_PRICE.minPrice),
  maxChangeDenominator: optional(
    "max_change_denominator",
    bigintField(1n),
    DEFAULT_L2_GAS_PRICE.maxChangeDenominator,
  ),
});

const l2GasPriceField: Field<L2GasPriceConfig> = {
  ...shapeField<L2GasPriceConfig>(
    "{type: fixed, price} or {type: eip1559, target, min_price, max_change_denominator}",
    (node) => {
      const type = memberText(node, "type");
      if (type === "fixed") return fixedPrice as Field<L2GasPriceConfig>;
      return type === "eip1559" ? (eip1559Price as Field<L2GasPriceConfig>) : undefined;
    },
    (value) => (value.type === "fixed" ? fixedPrice : eip1559Price) as Field<L2GasPriceConfig>,
    { "type: fixed": fixedPrice, "type: eip1559": eip1559Price },
  ),
};

const DEFAULT_CONCURRENCY: BlockProductionConcurrency = {
  disableConcurrency: false,
  workers: 0,
  batchSize: 1024,
  maxTxsPerAccountPerBatch: 1,
};

const concurrencyField = section<BlockProductionConcurrency>("concurrency settings", {
  disableConcurrency: optional("disable_concurrency", boolField, false),
  workers: optional("n_workers", integerField(0, 1024), 0),
  batchSize: optional("batch_size", integerField(1, 65_536), 1024),
  maxTxsPerAccountPerBatch: optional("max_txs_per_account_per_batch", integerField(1), 1),
});

/** Configuration fields stored in its YAML text; {@link ChainConfig} adds the constants files. */
export type ChainConfigText = Omit<ChainConfig, "customConstants" | "customConstantsHashes"> & {
  readonly configVersion: number | null;
};

const HOUR_MS = 3_600_000;
const MIB = 2 ** 20;
/** Timers longer than 24.8 days would fire immediately. */
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365 * DAY_MS;

/** The fields of a chain configuration: names, forms and defaults. */
export const chainConfigField: Section<ChainConfigText> = section<ChainConfigText>(
  "a mapping of chain configuration fields",
  {
    configVersion: optional("config_version", absentField(integerField(1, 2)), null),
    chainName: required("chain_name", nameField),
    chainId: required("chain_id", chainIdField),
    l1DaMode: optional("l1_da_mode", choiceField("BLOB", "CALLDATA"), "BLOB"),
    settlementChainKind: optional(
      "settlement_chain_kind",
      choiceField("Ethereum", "Starknet"),
      "Ethereum",
    ),
    feederGatewayUrl: optional("feeder_gateway_url", absentField(urlField), null),
    gatewayUrl: optional("gateway_url", absentField(urlField), null),
    nativeFeeTokenAddress: required("native_fee_token_address", addressField),
    parentFeeTokenAddress: required("parent_fee_token_address", addressField),
    versionedConstants: optional(
      "versioned_constants",
      mapField(protocolVersionNames, pathField),
      new Map<string, string>(),
      ["versioned_constants_path"],
    ),
    latestProtocolVersion: optional(
      "latest_protocol_version",
      protocolVersionField,
      NEWEST_PROTOCOL_VERSION,
    ),
    ethCoreContractAddress: optional("eth_core_contract_address", ethAddressField, 0n),
    ethGpsStatementVerifier: optional(
      "eth_gps_statement_verifier",
      absentField(ethAddressField),
      null,
    ),
    l1MessagesReplayMaxDurationMs: optional(
      "l1_messages_replay_max_duration",
      durationField(0, YEAR_MS),
      72 * HOUR_MS,
    ),
    l1MessagesFinalityBlocks: optional("l1_messages_finality_blocks", integerField(0), 10),
    sequencerAddress: required("sequencer_address", addressOrZeroField),
    sequencerPublicKey: optional("sequencer_public_key", absentField(feltField), null),
    blockTimeMs: optional("block_time", durationField(1, DAY_MS), 30_000),
    pendingBlockUpdateTimeMs: optional("pending_block_update_time", durationField(1, DAY_MS), 2000),
    blocksOnDemand: optional("blocks_on_demand", boolField, false),
    noEmptyBlocks: optional("no_empty_blocks", boolField, false),
    executionBatchSize: optional("execution_batch_size", integerField(1, 65_536), 16),
    blockProductionConcurrency: optional(
      "block_production_concurrency",
      concurrencyField,
      DEFAULT_CONCURRENCY,
    ),
    bouncer: optional("bouncer_config", bouncerField, DEFAULT_BOUNCER),
    l2GasPrice: optional("l2_gas_price", l2GasPriceField, DEFAULT_L2_GAS_PRICE),
    maxNonceForValidationSkip: optional("max_nonce_for_validation_skip", integerField(0), 2),
    mempoolMode: optional("mempool_mode", choiceField("Timestamp", "Tip"), "Timestamp"),
    mempoolFullPolicy: optional(
      "mempool_full_policy",
      choiceField("evict_less_desirable", "reject_new"),
      "evict_less_desirable",
    ),
    mempoolMinTipBump: optional("mempool_min_tip_bump", fractionField(0, 1000), 0.1),
    mempoolMaxTransactions: optional("mempool_max_transactions", integerField(1), 10_000),
    mempoolMaxBytes: optional("mempool_max_bytes", integerField(1), 128 * MIB),
    mempoolMaxTransactionsPerAccount: optional(
      "mempool_max_transactions_per_account",
      integerField(1),
      1000,
    ),
    mempoolMaxBytesPerAccount: optional("mempool_max_bytes_per_account", integerField(1), 16 * MIB),
    mempoolMaxDeclareTransactions: optional(
      "mempool_max_declare_transactions",
      integerField(1),
      20,
    ),
    mempoolTtlMs: optional("mempool_ttl", nullableField(durationField(1, YEAR_MS)), 5 * HOUR_MS),
    mempoolRejectionTtlMs: optional(
      "mempool_rejection_ttl",
      durationField(0, YEAR_MS),
      24 * HOUR_MS,
    ),
    genesis: optional<GenesisConfig | null>("genesis", absentField(genesisField), null),
  },
);

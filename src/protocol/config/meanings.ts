import type { ChainConfigText } from "./chain-fields.ts";

/**
 * Text for the generated documentation that states the purpose of each chain configuration field.
 */
export const MEANINGS: Readonly<Record<keyof ChainConfigText, string>> = {
  configVersion: "version of the file format; both versions are read the same way",
  chainName: "name of the chain, for logs",
  chainId: "part of every transaction hash; a data directory belongs to one chain id",
  l1DaMode: "where state diffs are published; decides how data gas is charged",
  settlementChainKind: "settlement layer of the chain",
  feederGatewayUrl: "where full nodes read blocks; --gateway-url overrides it",
  gatewayUrl: "where full nodes send transactions; by default derived from `feeder_gateway_url`",
  nativeFeeTokenAddress: "STRK: pays for version 3 transactions",
  parentFeeTokenAddress: "ETH: pays for older transactions",
  versionedConstants: "constants file per protocol version, or builtin",
  latestProtocolVersion: "protocol version of new blocks",
  ethCoreContractAddress: "core contract on L1, which --l1-endpoint follows; 0x0: not deployed",
  ethGpsStatementVerifier: "verifier contract on L1",
  l1MessagesReplayMaxDurationMs: "how far back the node searches for L1 messages at start",
  l1MessagesFinalityBlocks:
    "number of L1 blocks on top of a block until it is final; --l1-finality overrides it",
  sequencerAddress: "receives the fees; 0x0 is replaced in sequencer mode",
  sequencerPublicKey:
    "public key with which full nodes check block signatures; by default the first key that the gateway reports",
  blockTimeMs: "maximum time that a block stays open",
  pendingBlockUpdateTimeMs: "update interval of the pending block",
  blocksOnDemand: "close a block as soon as the waiting transactions are executed",
  noEmptyBlocks: "do not close a block without transactions",
  executionBatchSize: "transactions per batch of the block builder",
  blockProductionConcurrency: "parallel execution",
  bouncer: "when a block is full: `block_max_capacity` and `builtin_weights`",
  l2GasPrice: "price of L2 gas, or how it follows the load",
  maxNonceForValidationSkip:
    "highest nonce of an invoke that is accepted before its account is deployed; it is then validated on execution",
  mempoolMode: "order of waiting transactions: by arrival, or by tip",
  mempoolFullPolicy: "policy for new transactions when the mempool is full",
  mempoolMinTipBump:
    "minimum relative increase of both tip and maximum L2 gas price that replaces a waiting transaction; 0.1 is 10 %",
  mempoolMaxTransactions: "maximum waiting transactions",
  mempoolMaxBytes: "maximum encoded size of all waiting transactions",
  mempoolMaxTransactionsPerAccount:
    "maximum waiting transactions of one account; nonces further ahead are refused",
  mempoolMaxBytesPerAccount: "maximum encoded size of the waiting transactions of one account",
  mempoolMaxDeclareTransactions: "maximum waiting declare transactions",
  mempoolTtlMs: "waiting time after which a transaction is dropped; null: never",
  mempoolRejectionTtlMs: "how long the reason for dropping a transaction stays available",
  genesis: "state of block 0: classes, contracts with storage, balances",
};

/**
 * Text for the generated documentation that states the purpose of nested fields, by path; a path
 * that ends with `.*` covers all fields below.
 */
export const INNER_MEANINGS: Readonly<Record<string, string>> = {
  "block_production_concurrency.disable_concurrency": "execute transactions sequentially",
  "block_production_concurrency.n_workers": "number of threads; 0: the number of processors",
  "block_production_concurrency.batch_size": "transactions per parallel batch",
  "block_production_concurrency.max_txs_per_account_per_batch":
    "maximum transactions of one account per parallel batch",
  "bouncer_config.block_max_capacity": "capacity of a block",
  "bouncer_config.block_max_capacity.builtin_count": "uses of each builtin",
  "bouncer_config.block_max_capacity.builtin_count.*": "uses of this builtin",
  "bouncer_config.block_max_capacity.gas": "L1 gas",
  "bouncer_config.block_max_capacity.l1_gas": "L1 gas",
  "bouncer_config.block_max_capacity.n_steps": "Cairo steps",
  "bouncer_config.block_max_capacity.sierra_gas": "Sierra gas",
  "bouncer_config.block_max_capacity.proving_gas": "proving gas, by `builtin_weights`",
  "bouncer_config.block_max_capacity.receipt_l2_gas": "L2 gas of the receipts",
  "bouncer_config.block_max_capacity.n_txs": "transactions",
  "bouncer_config.block_max_capacity.message_segment_length": "felts of messages to and from L1",
  "bouncer_config.block_max_capacity.n_events": "events",
  "bouncer_config.block_max_capacity.state_diff_size": "felts of the state diff",
  "bouncer_config.builtin_weights":
    "cost of a builtin in `proving_gas`; no effect in the form with n_steps",
  "bouncer_config.builtin_weights.gas_costs": "proving gas per use, by builtin",
  "bouncer_config.builtin_weights.gas_costs.*": "proving gas per use of this builtin",
  "l2_gas_price.type": "rule that sets the price",
  "l2_gas_price.price": "the price in fri",
  "l2_gas_price.target": "L2 gas of a block at which the price stays constant",
  "l2_gas_price.min_price": "lowest price in fri",
  "l2_gas_price.max_change_denominator": "the price changes by at most 1/denominator per block",
  "genesis.classes": "classes that are declared",
  "genesis.classes[].name": "name by which contracts refer to it",
  "genesis.classes[].builtin": "class included in the program",
  "genesis.classes[].sierra":
    "file with the Sierra class, or with a Cairo 0 class, which has no casm",
  "genesis.classes[].casm":
    "file with the compiled class; null: the class is compiled when the chain is created",
  "genesis.contracts": "contracts by address",
  "genesis.contracts.NAME.class": "class of the contract",
  "genesis.contracts.NAME.nonce": "nonce of the contract",
  "genesis.contracts.NAME.storage": "values by storage key",
  "genesis.balances": "initial token balances",
  "genesis.balances[].address": "account that receives the balance",
  "genesis.balances[].token": "token: strk or eth",
  "genesis.balances[].amount": "amount in fri or wei",
};

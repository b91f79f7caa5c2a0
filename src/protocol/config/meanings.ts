import type { ChainConfigText } from "./chain-fields.ts";

/** What each field of a chain configuration is for. */
export const MEANINGS: Readonly<Record<keyof ChainConfigText, string>> = {
  configVersion: "version of the file format; both are read alike",
  chainName: "name of the chain, for logs",
  chainId: "goes into every transaction hash; a data directory belongs to one chain id",
  l1DaMode: "where state diffs are published, which decides on data gas",
  settlementChainKind: "the chain below",
  feederGatewayUrl: "where full nodes read blocks; --gateway-url is another one",
  gatewayUrl: "where full nodes send transactions; without it, beside `feeder_gateway_url`",
  nativeFeeTokenAddress: "STRK: pays for version 3 transactions",
  parentFeeTokenAddress: "ETH: pays for older transactions",
  versionedConstants: "per protocol version a constants file, or builtin",
  latestProtocolVersion: "protocol version of new blocks",
  ethCoreContractAddress: "core contract on L1, which --l1-endpoint follows; 0x0: none yet",
  ethGpsStatementVerifier: "verifier contract on L1",
  l1MessagesReplayMaxDurationMs: "how far back messages from L1 are looked for at start",
  l1MessagesFinalityBlocks:
    "L1 blocks above one until it counts, unless --l1-finality says otherwise",
  sequencerAddress: "receives the fees; 0x0 is replaced in sequencer mode",
  sequencerPublicKey:
    "key that full nodes check block signatures with; without it, the first that the gateway tells",
  blockTimeMs: "longest time that a block stays open",
  pendingBlockUpdateTimeMs: "how often the pending block is brought up to date",
  blocksOnDemand: "close a block as soon as the waiting transactions are executed",
  noEmptyBlocks: "do not close a block without transactions",
  executionBatchSize: "transactions per batch of the block builder",
  blockProductionConcurrency: "parallel execution",
  bouncer: "when a block is full: `block_max_capacity` and `builtin_weights`",
  l2GasPrice: "price of L2 gas, or how it follows the load",
  maxNonceForValidationSkip:
    "highest nonce of an invoke that is taken before its account is deployed; it is validated when it is executed",
  mempoolMode: "order of waiting transactions: by arrival, or by tip",
  mempoolFullPolicy: "what happens when the mempool is full",
  mempoolMinTipBump:
    "least relative raise of both tip and maximal L2 gas price that replaces a waiting transaction; 0.1 is 10 %",
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

/** What the fields inside of others are for, by path; a path that ends with `.*` is for all below. */
export const INNER_MEANINGS: Readonly<Record<string, string>> = {
  "block_production_concurrency.disable_concurrency": "execute one transaction after the other",
  "block_production_concurrency.n_workers": "threads; 0: as many as there are processors",
  "block_production_concurrency.batch_size": "transactions per parallel batch",
  "block_production_concurrency.max_txs_per_account_per_batch":
    "transactions of one account in such a batch",
  "bouncer_config.block_max_capacity": "what a block holds at most",
  "bouncer_config.block_max_capacity.builtin_count": "uses of each builtin",
  "bouncer_config.block_max_capacity.builtin_count.*": "uses of this builtin",
  "bouncer_config.block_max_capacity.gas": "L1 gas",
  "bouncer_config.block_max_capacity.l1_gas": "L1 gas",
  "bouncer_config.block_max_capacity.n_steps": "Cairo steps",
  "bouncer_config.block_max_capacity.sierra_gas": "Sierra gas",
  "bouncer_config.block_max_capacity.proving_gas": "gas of proving, by `builtin_weights`",
  "bouncer_config.block_max_capacity.receipt_l2_gas": "L2 gas of the receipts",
  "bouncer_config.block_max_capacity.n_txs": "transactions",
  "bouncer_config.block_max_capacity.message_segment_length": "felts of messages to and from L1",
  "bouncer_config.block_max_capacity.n_events": "events",
  "bouncer_config.block_max_capacity.state_diff_size": "felts of the state diff",
  "bouncer_config.builtin_weights":
    "what a use of a builtin costs in `proving_gas`; no effect in the form with n_steps",
  "bouncer_config.builtin_weights.gas_costs": "proving gas per use, by builtin",
  "bouncer_config.builtin_weights.gas_costs.*": "proving gas per use of this builtin",
  "l2_gas_price.type": "how the price is found",
  "l2_gas_price.price": "the price in fri",
  "l2_gas_price.target": "L2 gas of a block at which the price stays as it is",
  "l2_gas_price.min_price": "lowest price in fri",
  "l2_gas_price.max_change_denominator": "the price changes by at most this fraction of itself",
  "genesis.classes": "classes that are declared",
  "genesis.classes[].name": "name by which contracts refer to it",
  "genesis.classes[].builtin": "a class that comes with the program",
  "genesis.classes[].sierra":
    "file with the Sierra class, or with a Cairo 0 class, which has no casm",
  "genesis.classes[].casm":
    "file with the compiled class; null: the class is compiled when the chain is made",
  "genesis.contracts": "contracts by address",
  "genesis.contracts.NAME.class": "class of the contract",
  "genesis.contracts.NAME.nonce": "nonce of the contract",
  "genesis.contracts.NAME.storage": "values by storage key",
  "genesis.balances": "tokens that are given out",
  "genesis.balances[].address": "who gets them",
  "genesis.balances[].token": "which token",
  "genesis.balances[].amount": "how much, in fri or wei",
};

/** Disagreement between the `chain_` interface and the OpenRPC files of the specification. */
export interface Difference {
  /** Methods without prefix. */
  readonly methods: readonly string[];
  readonly chain: string;
  readonly openRpc: string;
  readonly here: string;
}

const ADDS = ["addInvokeTransaction", "addDeclareTransaction", "addDeployAccountTransaction"];

/** All known differences. */
export const DIFFERENCES: readonly Difference[] = [
  {
    methods: ["estimateFee"],
    chain: "error CONTRACT_ERROR",
    openRpc: "error TRANSACTION_EXECUTION_ERROR",
    here: "OpenRPC",
  },
  {
    methods: ["estimateFee"],
    chain: "no `simulation_flags`",
    openRpc: "`simulation_flags` is required",
    here: "optional, by name and by position",
  },
  {
    methods: ["simulateTransactions"],
    chain: "`simulation_flags` is required",
    openRpc: "the same",
    here: "optional",
  },
  {
    methods: ["call"],
    chain: "errors without ENTRYPOINT_NOT_FOUND",
    openRpc: "ENTRYPOINT_NOT_FOUND",
    here: "OpenRPC",
  },
  {
    methods: ["getTransactionByBlockIdAndIndex"],
    chain: "null if the transaction does not exist",
    openRpc: "error INVALID_TXN_INDEX",
    here: "OpenRPC",
  },
  {
    methods: ADDS,
    chain: "error INSUFFICIENT_MAX_FEE",
    openRpc: "INSUFFICIENT_RESOURCES_FOR_VALIDATE (code 53, the same error renamed)",
    here: "OpenRPC",
  },
  {
    methods: ADDS,
    chain: "missing",
    openRpc:
      "REPLACEMENT_TRANSACTION_UNDERPRICED, FEE_BELOW_MINIMUM; for addInvokeTransaction also INVALID_PROOF",
    here: "OpenRPC",
  },
  {
    methods: [
      "getBlockWithReceipts",
      "getBlockWithTxs",
      "getStorageAt",
      "getTransactionByHash",
      "getTransactionByBlockIdAndIndex",
    ],
    chain: "missing",
    openRpc: "`response_flags`",
    here: "OpenRPC; it is optional",
  },
  {
    methods: ["getStateUpdate"],
    chain: "missing",
    openRpc: "`contract_addresses`",
    here: "OpenRPC; it is optional, and an empty list is all contracts, as in Pathfinder",
  },
  {
    methods: ["traceBlockTransactions"],
    chain: "missing",
    openRpc: "`trace_flags`",
    here: "OpenRPC; it is optional",
  },
  {
    methods: ["getEvents"],
    chain: "limits are not shown",
    openRpc: "limits are not stated",
    here: "events of a page, and positions and alternatives of keys, have the limits of `--rpc-max-events-chunk` and `--rpc-max-event-keys` ([options](options.md#appchain)); more than 1024 addresses is -32602. A page may have fewer events, or be empty: only the last page has no token",
  },
  {
    methods: ["getEvents"],
    chain: "fields of the filter are not shown",
    openRpc:
      "the default of `from_block` and `to_block`, and the meaning of a number without a block, are not stated",
    here: "the defaults are block 0 and `latest`. A number is a bound, and its block need not exist: a range above the newest block has no events, and is no error. `pre_confirmed` as `from_block` selects all blocks that are not accepted",
  },
  {
    methods: ["getCompiledCasm"],
    chain: "missing",
    openRpc: "offsets of cells in `hints` are 0 or more",
    here: "negative where the compiler has negative ones: offsets of arguments and locals are always negative",
  },
  {
    methods: ["getCompiledCasm"],
    chain: "missing",
    openRpc: "numbers in `hints` have no sign",
    here: "OpenRPC; negative numbers of the compiler are written as field elements",
  },
  {
    methods: ["getCompiledCasm"],
    chain: "missing",
    openRpc: "nothing about Cairo 0 classes",
    here: "error CLASS_HASH_NOT_FOUND",
  },
  {
    methods: [...ADDS, "estimateFee", "simulateTransactions"],
    chain: "missing",
    openRpc: "only version 0x3 since 0.8; in 0.7 also versions 0x0 to 0x2",
    here: "in every version of the interface also invoke and deploy account 0x1 and declare 0x1 and 0x2, for inclusion while the chain's protocol accepts them (until 0.13.6); their fees are in WEI. Version 0x0 is UNSUPPORTED_TX_VERSION",
  },
  {
    methods: ADDS,
    chain: "missing",
    openRpc: "0.7: resource bounds of L1 and L2 gas; since 0.8 of L1 data gas, too",
    here: "OpenRPC; over 0.7 the third is accepted: the wallet's signature covers it",
  },
  {
    methods: ["getTransactionStatus"],
    chain: "missing",
    openRpc: "since 0.9 no status of a rejected transaction",
    here: "TXN_HASH_NOT_FOUND, with the reason in `data`",
  },
  {
    methods: ["specVersion"],
    chain: "the version in use",
    openRpc: "the files of the release 0.8.1 name the version 0.8.0",
    here: "0.8.1: clients expect the release",
  },
  {
    methods: ["getMessagesStatus"],
    chain: "missing",
    openRpc:
      "since 0.8; an L1 transaction hash is a number of any length. From 0.9 on each status includes that of the execution; before also RECEIVED",
    here: "OpenRPC; at most 256 bits. A message on L1 that is in no block is RECEIVED over 0.8.1, and not listed from 0.9 on",
  },
  {
    methods: ["getStorageProof"],
    chain: "missing",
    openRpc:
      "since 0.8; `class_hashes`, `contract_addresses` and `contracts_storage_keys` of any length",
    here: "OpenRPC; each is optional. At most 100 keys of all three together (`--rpc-max-proof-keys`), a contract without keys counting as one; above, error 10000 of Pathfinder",
  },
  {
    methods: ["getStorageProof"],
    chain: "missing",
    openRpc: "class hashes, addresses and (before 0.10) storage keys below the field's prime",
    here: "below 2^251: tries have no other keys",
  },
  {
    methods: ["getStorageProof"],
    chain: "missing",
    openRpc: "nothing about an address without contract",
    here: "proofs of its absence; its leaf is zeros",
  },
  {
    methods: ["estimateFee", "simulateTransactions"],
    chain: "missing",
    openRpc: "`overall_fee` is gas times prices; nothing about a tip",
    here: "like current nodes: where the protocol charges the tip (since 0.14.0), it counts in `overall_fee` with every unit of L2 gas, and in no price",
  },
  {
    methods: [],
    chain: 'the block being built is "pending"',
    openRpc: "tag `pre_confirmed`",
    here: "OpenRPC",
  },
];

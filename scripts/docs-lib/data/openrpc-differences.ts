/** A place where the interface document and the OpenRPC files of the specification disagree. */
export interface Difference {
  /** Methods without prefix. */
  readonly methods: readonly string[];
  readonly document: string;
  readonly openRpc: string;
  readonly here: string;
}

const ADDS = ["addInvokeTransaction", "addDeclareTransaction", "addDeployAccountTransaction"];

/** All of them. */
export const DIFFERENCES: readonly Difference[] = [
  {
    methods: ["estimateFee"],
    document: "error CONTRACT_ERROR",
    openRpc: "error TRANSACTION_EXECUTION_ERROR",
    here: "OpenRPC",
  },
  {
    methods: ["estimateFee"],
    document: "no `simulation_flags`",
    openRpc: "`simulation_flags` is required",
    here: "may be left out, by name and by position",
  },
  {
    methods: ["simulateTransactions"],
    document: "`simulation_flags` is required",
    openRpc: "the same",
    here: "may be left out",
  },
  {
    methods: ["call"],
    document: "errors without ENTRYPOINT_NOT_FOUND",
    openRpc: "ENTRYPOINT_NOT_FOUND",
    here: "OpenRPC",
  },
  {
    methods: ["getTransactionByBlockIdAndIndex"],
    document: "null when there is no transaction",
    openRpc: "error INVALID_TXN_INDEX",
    here: "OpenRPC",
  },
  {
    methods: ADDS,
    document: "error INSUFFICIENT_MAX_FEE",
    openRpc: "INSUFFICIENT_RESOURCES_FOR_VALIDATE (code 53, the same error renamed)",
    here: "OpenRPC",
  },
  {
    methods: ADDS,
    document: "not there",
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
    document: "not there",
    openRpc: "`response_flags`",
    here: "OpenRPC; it may be left out",
  },
  {
    methods: ["getStateUpdate"],
    document: "not there",
    openRpc: "`contract_addresses`",
    here: "OpenRPC; it may be left out",
  },
  {
    methods: ["traceBlockTransactions"],
    document: "not there",
    openRpc: "`trace_flags`",
    here: "OpenRPC; it may be left out",
  },
  {
    methods: ["getCompiledCasm"],
    document: "not there",
    openRpc: "offsets of cells in `hints` are 0 or more",
    here: "negative where they are: arguments and locals have no others",
  },
  {
    methods: ["getCompiledCasm"],
    document: "not there",
    openRpc: "numbers in `hints` have no sign",
    here: "OpenRPC; the compiler's negative ones are written as the field elements that they are",
  },
  {
    methods: ["getCompiledCasm"],
    document: "not there",
    openRpc: "nothing about Cairo 0 classes",
    here: "error CLASS_HASH_NOT_FOUND",
  },
  {
    methods: [],
    document: 'the block being built is "pending"',
    openRpc: "tag `pre_confirmed`",
    here: "OpenRPC",
  },
];

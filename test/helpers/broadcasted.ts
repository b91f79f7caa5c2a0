/** Version 3 with the query bit (2^128), as 0x hex. */
export const QUERY_VERSION = "0x100000000000000000000000000000003";

const V3 = {
  version: "0x3",
  signature: ["0x3", "0x4"],
  nonce: "0x5",
  resource_bounds: {
    l1_gas: { max_amount: "0x6", max_price_per_unit: "0x7" },
    l1_data_gas: { max_amount: "0x8", max_price_per_unit: "0x9" },
    l2_gas: { max_amount: "0xa", max_price_per_unit: "0xb" },
  },
  tip: "0xc",
  paymaster_data: [],
  nonce_data_availability_mode: "L1",
  fee_data_availability_mode: "L2",
} as const;

/** Parameter of addInvokeTransaction as wallets send it: an invoke of version 3. */
export const INVOKE = {
  type: "INVOKE",
  ...V3,
  sender_address: "0xc0",
  calldata: ["0x1", "0x2"],
  account_deployment_data: [],
} as const;

/** Parameter of addDeployAccountTransaction as wallets send it, of version 3. */
export const DEPLOY_ACCOUNT = {
  type: "DEPLOY_ACCOUNT",
  ...V3,
  class_hash: "0x51e77a",
  contract_address_salt: "0x5a17",
  constructor_calldata: ["0x3"],
} as const;

const MAX_FEE = { version: "0x1", max_fee: "0x64", signature: ["0x3"], nonce: "0x5" } as const;

/** Parameter of addInvokeTransaction with a single maximum fee: an invoke of version 1. */
export const INVOKE_V1 = {
  type: "INVOKE",
  ...MAX_FEE,
  sender_address: "0xc0",
  calldata: ["0x1", "0x2"],
} as const;

/** Parameter of addDeployAccountTransaction with a single maximum fee, of version 1. */
export const DEPLOY_ACCOUNT_V1 = {
  type: "DEPLOY_ACCOUNT",
  ...MAX_FEE,
  class_hash: "0x51e77a",
  contract_address_salt: "0x5a17",
  constructor_calldata: ["0x3"],
} as const;

/** Parameter of addDeclareTransaction as wallets send it, of version 3. */
export const DECLARE = {
  type: "DECLARE",
  ...V3,
  sender_address: "0xc0",
  compiled_class_hash: "0xca5",
  account_deployment_data: [],
  contract_class: {
    sierra_program: ["0x1"],
    contract_class_version: "0.1.0",
    entry_points_by_type: { CONSTRUCTOR: [], EXTERNAL: [], L1_HANDLER: [] },
    abi: "[]",
  },
} as const;

import {
  array,
  bool,
  type Decoded,
  type Decoder,
  felt,
  mapOf,
  mismatch,
  strictObject,
  text,
} from "#base/codec/index.ts";

/** An unsigned number below 2^256: a JSON number, a decimal string or a 0x string. */
const num: Decoder<bigint> = {
  describe: "unsigned number",
  decode(value, path) {
    if (typeof value === "bigint" && value >= 0n) return value;
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0)
      return BigInt(value);
    if (typeof value === "string" && /^(0x[0-9a-fA-F]+|[0-9]+)$/.test(value)) return BigInt(value);
    return mismatch(path, num.describe, value);
  },
};

/** A nonce: exact, or relative to the account's (`+1`, `-1`). */
export type ScenarioNonce =
  | { readonly kind: "exact"; readonly value: bigint }
  | { readonly kind: "relative"; readonly offset: bigint };

const nonce: Decoder<ScenarioNonce> = {
  describe: "nonce (felt, or +n, -n)",
  decode(value, path) {
    if (typeof value === "string" && /^[+-][0-9]+$/.test(value)) {
      return { kind: "relative", offset: BigInt(value) };
    }
    return { kind: "exact", value: felt.decode(value, path) };
  },
};

const classPaths = strictObject(
  {},
  {
    class_hash: felt,
    sierra: text,
    casm: text,
    cairo0: text,
    sierra_version: text,
    state_hash: text,
    abi_length: num,
  },
);

const price = strictObject({ wei: num, fri: num });
const bound = strictObject({ max_amount: num, max_price_per_unit: num });

const resourceBounds = strictObject(
  {},
  {
    l1_gas: bound,
    l2_gas: bound,
    l1_data_gas: bound,
    L1_GAS: bound,
    L2_GAS: bound,
    L1_DATA_GAS: bound,
  },
);

const transaction = strictObject(
  { type: text, version: felt },
  {
    sender_address: felt,
    contract_address: felt,
    entry_point_selector: felt,
    calldata: array(felt),
    max_fee: num,
    signature: array(felt),
    nonce,
    resource_bounds: resourceBounds,
    tip: num,
    paymaster_data: array(felt),
    account_deployment_data: array(felt),
    proof_facts: array(felt),
    nonce_data_availability_mode: text,
    fee_data_availability_mode: text,
    class_hash: felt,
    compiled_class_hash: felt,
    contract_address_salt: felt,
    constructor_calldata: array(felt),
    contract_class: classPaths,
    sign_with: felt,
  },
);

const call = strictObject(
  { contract_address: felt, entry_point_selector: felt },
  {
    calldata: array(felt),
    caller: felt,
    entry_point_type: text,
    initial_gas: num,
    mode: text,
    commit: bool,
  },
);

const l1Handler = strictObject(
  {
    contract_address: felt,
    entry_point_selector: felt,
    calldata: array(felt),
    paid_fee_on_l1: num,
  },
  { nonce: felt },
);

const step = strictObject(
  {},
  {
    name: text,
    tx: transaction,
    flags: strictObject(
      {},
      { validate: bool, charge_fee: bool, only_query: bool, strict_nonce: bool },
    ),
    l1_handler: l1Handler,
    call,
  },
);

const weights = strictObject(
  {},
  {
    l1_gas: num,
    message_segment_length: num,
    n_events: num,
    n_txs: num,
    state_diff_size: num,
    sierra_gas: num,
    proving_gas: num,
    receipt_l2_gas: num,
  },
);

const block = strictObject(
  {
    number: num,
    timestamp: num,
    gas_prices: strictObject({ l1_gas: price, l1_data_gas: price, l2_gas: price }),
  },
  {
    sequencer_address: felt,
    protocol_version: text,
    versioned_constants: text,
    use_kzg_da: bool,
    fee_tokens: strictObject({}, { strk: felt, eth: felt }),
    block_hashes: mapOf(felt),
    old_block: strictObject({ number: num, hash: felt }),
    concurrency: bool,
    bouncer: strictObject({}, { block_max_capacity: weights, builtin_instance_limits: mapOf(num) }),
  },
);

const contract = strictObject({}, { class_hash: felt, nonce: felt, storage: mapOf(felt) });
const balance = strictObject({ address: felt, token: text, amount: num });

/** Decoder of a scenario file, in the format of the reference engine's program. */
export const scenarioDecoder = strictObject(
  { block, steps: array(step) },
  {
    name: text,
    about: text,
    chain_id: text,
    classes: array(classPaths),
    state: strictObject({}, { contracts: mapOf(contract), balances: array(balance) }),
    output: strictObject({}, { calls: bool }),
  },
);

/** A scenario. */
export type Scenario = Decoded<typeof scenarioDecoder>;
/** Paths of the files of a class in a scenario. */
export type ClassPaths = Decoded<typeof classPaths>;
/** One step of a scenario. */
export type Step = Scenario["steps"][number];
/** A broadcasted transaction of a step. */
export type StepTransaction = Decoded<typeof transaction>;

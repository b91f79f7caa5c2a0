import {
  type Check,
  closed,
  integer,
  list,
  missable,
  oneOf,
  open,
  StrictReaderError,
  type Struct,
  text,
  word,
} from "./checks.ts";
import { anyFelt, felt, felt251, hex128, hex64 } from "./numbers.ts";

const signature = list(anyFelt);
const bound = open({ max_amount: hex64, max_price_per_unit: hex128 });
const mode = integer(0n, 1n);

const COMMON: Struct = { type: text, transaction_hash: felt };

const V3: Struct = {
  nonce: felt,
  nonce_data_availability_mode: mode,
  fee_data_availability_mode: mode,
  resource_bounds: open({ L1_GAS: bound, L2_GAS: bound, L1_DATA_GAS: missable(bound) }),
  tip: hex64,
  paymaster_data: list(felt),
};

const MAX_FEE: Struct = { max_fee: felt, signature };

const DEPLOYMENT: Struct = {
  contract_address_salt: felt,
  class_hash: felt251,
  constructor_calldata: list(anyFelt),
};

const declare = {
  ...COMMON,
  class_hash: felt251,
  nonce: felt,
  sender_address: felt251,
  signature: missable(signature),
};

/** The only type whose sender has two names. */
const invoke0: Check = (value, path) => {
  const sender = oneOf("sender_address", "contract_address", value, path);
  closed({
    ...COMMON,
    ...MAX_FEE,
    version: missable(felt),
    [sender]: felt251,
    calldata: list(anyFelt),
    entry_point_selector: felt,
  })(value, path);
};

const invoke1 = closed({
  ...COMMON,
  ...MAX_FEE,
  version: felt,
  nonce: felt,
  sender_address: felt251,
  calldata: list(anyFelt),
});

const invoke3 = closed({
  ...COMMON,
  ...V3,
  version: felt,
  sender_address: felt251,
  signature,
  calldata: list(anyFelt),
  account_deployment_data: list(felt),
  proof_facts: missable(list(felt)),
});

const declare01 = closed({ ...declare, version: missable(felt), max_fee: felt });

const declare2 = closed({
  ...declare,
  version: felt,
  max_fee: felt,
  compiled_class_hash: felt251,
});

const declare3 = closed({
  ...declare,
  ...V3,
  version: felt,
  compiled_class_hash: felt251,
  account_deployment_data: list(felt),
});

const deploy = closed({
  ...COMMON,
  ...DEPLOYMENT,
  contract_address: felt251,
  version: missable(word("0x0", "0x1")),
});

const deployAccount1 = closed({
  ...COMMON,
  ...MAX_FEE,
  ...DEPLOYMENT,
  version: felt,
  nonce: felt,
  contract_address: felt251,
});

const deployAccount3 = closed({
  ...COMMON,
  ...V3,
  ...DEPLOYMENT,
  version: felt,
  sender_address: felt251,
  signature,
});

const l1Handler = closed({
  ...COMMON,
  contract_address: felt251,
  entry_point_selector: felt,
  nonce: missable(felt),
  calldata: list(felt),
  version: felt,
});

const FORMS: Readonly<Record<string, Check>> = {
  "INVOKE_FUNCTION 0x0": invoke0,
  "INVOKE_FUNCTION 0x1": invoke1,
  "INVOKE_FUNCTION 0x3": invoke3,
  "DECLARE 0x0": declare01,
  "DECLARE 0x1": declare01,
  "DECLARE 0x2": declare2,
  "DECLARE 0x3": declare3,
  "DEPLOY 0x0": deploy,
  "DEPLOY 0x1": deploy,
  "DEPLOY_ACCOUNT 0x1": deployAccount1,
  "DEPLOY_ACCOUNT 0x3": deployAccount3,
  "L1_HANDLER 0x0": l1Handler,
};

/** Strict check of a transaction of a block. */
export const transaction: Check = (value, path) => {
  open({ type: text, version: missable(felt) })(value, path);
  const { type, version = "0x0" } = value as { readonly type: string; readonly version?: string };
  const form = FORMS[`${type} 0x${BigInt(version).toString(16)}`];
  if (form === undefined) throw new StrictReaderError(path, `unknown: ${type} ${version}`);
  form(value, path);
};

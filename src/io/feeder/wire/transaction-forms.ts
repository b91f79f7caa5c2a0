import { array, type Codec } from "#base/codec/index.ts";
import type { Transaction } from "#protocol/chain/index.ts";
import {
  constantField,
  type Field,
  field,
  type Fields,
  listField,
  members,
  untoldField,
} from "./members.ts";
import { felt, felts, u128 } from "./numbers.ts";
import { V3_FIELDS } from "./v3-fields.ts";

/** A transaction of one type and version. */
type Of<T extends Transaction["type"], V extends Transaction["version"]> = Extract<
  Transaction,
  { readonly type: T; readonly version: V }
>;

function kind<T extends Transaction["type"], V extends Transaction["version"]>(
  type: T,
  version: V,
  written: string = type,
): { readonly type: Field<T>; readonly version: Field<V> } {
  return {
    type: constantField("type", type, written),
    version: constantField("version", version, `0x${version}`),
  };
}

function form<T extends Transaction>(fields: Fields<T>): Codec<Transaction> {
  return members<T>("transaction", fields) as Codec<Transaction>;
}

const signature = field("signature", felts);
const nonce = field("nonce", felt);
const senderAddress = field("sender_address", felt);
const classHash = field("class_hash", felt);
const compiledClassHash = field("compiled_class_hash", felt);
const calldata = field("calldata", felts);
const accountDeploymentData = field("account_deployment_data", felts);
const MAX_FEE = { maxFee: field("max_fee", u128), signature };
const CALL = { entryPointSelector: field("entry_point_selector", felt), calldata };
const DEPLOYMENT = {
  classHash,
  contractAddressSalt: field("contract_address_salt", felt),
  constructorCalldata: field("constructor_calldata", felts),
};

/** Names of a deployed account's address: version 3 has `sender_address`, those before it the other. */
const ADDRESS_NAMES = ["sender_address", "contract_address"] as const;
const [SENDER, CONTRACT] = ADDRESS_NAMES;

/** Every type and version that a block can have, by both in words. */
export const TRANSACTION_FORMS = {
  "INVOKE 0": form<Of<"INVOKE", 0>>({
    ...kind("INVOKE", 0, "INVOKE_FUNCTION"),
    ...MAX_FEE,
    ...CALL,
    contractAddress: field(CONTRACT, felt, SENDER),
  }),
  "INVOKE 1": form<Of<"INVOKE", 1>>({
    ...kind("INVOKE", 1, "INVOKE_FUNCTION"),
    ...MAX_FEE,
    nonce,
    senderAddress: field(SENDER, felt, CONTRACT),
    calldata,
  }),
  "INVOKE 3": form<Of<"INVOKE", 3>>({
    ...kind("INVOKE", 3, "INVOKE_FUNCTION"),
    ...V3_FIELDS,
    signature,
    nonce,
    senderAddress,
    calldata,
    accountDeploymentData,
    proofFacts: listField("proof_facts", array(felt)),
  }),
  "DECLARE 0": form<Of<"DECLARE", 0>>({
    ...kind("DECLARE", 0),
    ...MAX_FEE,
    senderAddress,
    classHash,
  }),
  "DECLARE 1": form<Of<"DECLARE", 1>>({
    ...kind("DECLARE", 1),
    ...MAX_FEE,
    nonce,
    senderAddress,
    classHash,
  }),
  "DECLARE 2": form<Of<"DECLARE", 2>>({
    ...kind("DECLARE", 2),
    ...MAX_FEE,
    nonce,
    senderAddress,
    classHash,
    compiledClassHash,
  }),
  "DECLARE 3": form<Of<"DECLARE", 3>>({
    ...kind("DECLARE", 3),
    ...V3_FIELDS,
    signature,
    nonce,
    senderAddress,
    classHash,
    compiledClassHash,
    accountDeploymentData,
  }),
  "DEPLOY_ACCOUNT 1": form<Of<"DEPLOY_ACCOUNT", 1>>({
    ...kind("DEPLOY_ACCOUNT", 1),
    ...MAX_FEE,
    nonce,
    contractAddress: field(CONTRACT, felt, SENDER),
    ...DEPLOYMENT,
  }),
  "DEPLOY_ACCOUNT 3": form<Of<"DEPLOY_ACCOUNT", 3>>({
    ...kind("DEPLOY_ACCOUNT", 3),
    ...V3_FIELDS,
    signature,
    nonce,
    contractAddress: field(SENDER, felt, CONTRACT),
    ...DEPLOYMENT,
  }),
  "DEPLOY 0": deployForm(0),
  "DEPLOY 1": deployForm(1),
  "L1_HANDLER 0": form<Of<"L1_HANDLER", 0>>({
    ...kind("L1_HANDLER", 0),
    // The first messages were not numbered.
    nonce: { ...nonce, absent: { value: 0n, isLeftOut: () => false } },
    contractAddress: field(CONTRACT, felt),
    ...CALL,
    paidFeeOnL1: untoldField<bigint | null>(null),
  }),
} as const satisfies Readonly<Record<string, Codec<Transaction>>>;

type DeployLegacy = Extract<Transaction, { readonly type: "DEPLOY" }>;

function deployForm(version: 0 | 1): Codec<Transaction> {
  return form<DeployLegacy>({
    ...kind("DEPLOY", version),
    contractAddress: field(CONTRACT, felt),
    ...DEPLOYMENT,
  });
}

import type { Transaction } from "#protocol/chain/index.ts";
import { constantField, type Field, field, listField } from "./members.ts";
import { address, felt, felts, u128 } from "./numbers.ts";
import { V3_FIELDS } from "./v3-fields.ts";

/**
 * Returns the JSON fields for a transaction's type and version.
 *
 * @param written - wire name of the type
 */
export function kind<T extends Transaction["type"], V extends Transaction["version"]>(
  type: T,
  version: V,
  written: string = type,
): { readonly type: Field<T>; readonly version: Field<V> } {
  return {
    type: constantField("type", type, written),
    version: constantField("version", version, `0x${version}`),
  };
}

const nonce = field("nonce", felt);
const signature = field("signature", felts);

/**
 * JSON fields of transactions with a single maximum fee (versions 0 to 2): the maximum fee and the
 * signature.
 */
export const MAX_FEE = { maxFee: field("max_fee", u128), signature };

/** JSON fields that all transactions of versions 1 and 2 have: maximum fee, signature and nonce. */
export const SIGNED_V1 = { ...MAX_FEE, nonce };

/** JSON fields that all transactions of version 3 have, including signature and nonce. */
export const SIGNED_V3 = { ...V3_FIELDS, signature, nonce };

/**
 * JSON field of the nonce of a message from L1; the first messages had none, which is read as 0.
 */
export const MESSAGE_NONCE = {
  nonce: { ...nonce, absent: { value: 0n, isOmitted: () => false } },
};

/** JSON field of the account that sends a transaction; also read under its older name. */
export const SENDER = { senderAddress: field("sender_address", address, "contract_address") };

/** JSON field of the called or deployed contract; also read as `sender_address`. */
export const CONTRACT = { contractAddress: field("contract_address", address, "sender_address") };

/**
 * JSON field of the account that a version 3 transaction deploys; its address is written as
 * `sender_address`.
 */
export const DEPLOYED_SENDER = {
  contractAddress: field("sender_address", address, "contract_address"),
};

/** JSON field of the calldata of a call. */
export const CALLDATA = { calldata: field("calldata", felts) };

/** JSON fields of the entry point and the calldata of a call. */
export const CALL = { entryPointSelector: field("entry_point_selector", felt), ...CALLDATA };

/** JSON fields of an invoke of version 3, besides {@link SIGNED_V3}. */
export const INVOKE_V3 = {
  ...SENDER,
  ...CALLDATA,
  accountDeploymentData: field("account_deployment_data", felts),
  proofFacts: listField("proof_facts", felts),
};

/** JSON fields of a declaration of version 3, besides {@link SIGNED_V3}, without the class. */
export const DECLARE_V3 = {
  ...SENDER,
  compiledClassHash: field("compiled_class_hash", felt),
  accountDeploymentData: field("account_deployment_data", felts),
};

/**
 * JSON fields that determine the address of a deployed contract: class hash, salt, constructor
 * calldata.
 */
export const DEPLOYMENT = {
  classHash: field("class_hash", felt),
  contractAddressSalt: field("contract_address_salt", felt),
  constructorCalldata: field("constructor_calldata", felts),
};

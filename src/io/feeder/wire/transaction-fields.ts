import type { Transaction } from "#protocol/chain/index.ts";
import { constantField, type Field, field, listField } from "./members.ts";
import { address, felt, felts, u128 } from "./numbers.ts";
import { V3_FIELDS } from "./v3-fields.ts";

/**
 * Fields for type and version.
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

/** Members of versions with a single maximum fee. */
export const MAX_FEE = { maxFee: field("max_fee", u128), signature };

/** Members of versions 1 and 2. */
export const SIGNED_V1 = { ...MAX_FEE, nonce };

/** Members of version 3. */
export const SIGNED_V3 = { ...V3_FIELDS, signature, nonce };

/** Nonce of a message from L1; the first messages had none. */
export const MESSAGE_NONCE = {
  nonce: { ...nonce, absent: { value: 0n, isOmitted: () => false } },
};

/** Account that sends the transaction. */
export const SENDER = { senderAddress: field("sender_address", address, "contract_address") };

/** Called or deployed contract. */
export const CONTRACT = { contractAddress: field("contract_address", address, "sender_address") };

/** Account deployed by a transaction of version 3; its address is written as `sender_address`. */
export const DEPLOYED_SENDER = {
  contractAddress: field("sender_address", address, "contract_address"),
};

/** Calldata of a call. */
export const CALLDATA = { calldata: field("calldata", felts) };

/** Entry point and calldata of a call. */
export const CALL = { entryPointSelector: field("entry_point_selector", felt), ...CALLDATA };

/** Members of an invocation of version 3, besides {@link SIGNED_V3}. */
export const INVOKE_V3 = {
  ...SENDER,
  ...CALLDATA,
  accountDeploymentData: field("account_deployment_data", felts),
  proofFacts: listField("proof_facts", felts),
};

/** Members of a declaration of version 3, besides {@link SIGNED_V3}, without the class. */
export const DECLARE_V3 = {
  ...SENDER,
  compiledClassHash: field("compiled_class_hash", felt),
  accountDeploymentData: field("account_deployment_data", felts),
};

/** Members that determine a contract's address. */
export const DEPLOYMENT = {
  classHash: field("class_hash", felt),
  contractAddressSalt: field("contract_address_salt", felt),
  constructorCalldata: field("constructor_calldata", felts),
};

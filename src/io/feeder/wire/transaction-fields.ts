import type { Transaction } from "#protocol/chain/index.ts";
import { constantField, type Field, field, listField } from "./members.ts";
import { address, felt, felts, u128 } from "./numbers.ts";
import { V3_FIELDS } from "./v3-fields.ts";

/** Type and version, with the name that the type has in JSON. */
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

/** Members of all versions with one maximal fee. */
export const MAX_FEE = { maxFee: field("max_fee", u128), signature };

/** Members of version 1 and 2. */
export const SIGNED_V1 = { ...MAX_FEE, nonce };

/** Members of version 3. */
export const SIGNED_V3 = { ...V3_FIELDS, signature, nonce };

/** The nonce of a message from L1; the first messages were not numbered. */
export const MESSAGE_NONCE = {
  nonce: { ...nonce, absent: { value: 0n, isLeftOut: () => false } },
};

/** The account that acts. */
export const SENDER = { senderAddress: field("sender_address", address, "contract_address") };

/** A contract that is called or deployed. */
export const CONTRACT = { contractAddress: field("contract_address", address, "sender_address") };

/** The account that a deployment of version 3 makes: the same under the other name. */
export const DEPLOYED_SENDER = {
  contractAddress: field("sender_address", address, "contract_address"),
};

/** What a contract is called with. */
export const CALLDATA = { calldata: field("calldata", felts) };

/** What is called. */
export const CALL = { entryPointSelector: field("entry_point_selector", felt), ...CALLDATA };

/** Members of an invocation of version 3 beside {@link SIGNED_V3}. */
export const INVOKE_V3 = {
  ...SENDER,
  ...CALLDATA,
  accountDeploymentData: field("account_deployment_data", felts),
  proofFacts: listField("proof_facts", felts),
};

/** Members of a declaration of version 3 beside {@link SIGNED_V3}, without the class. */
export const DECLARE_V3 = {
  ...SENDER,
  compiledClassHash: field("compiled_class_hash", felt),
  accountDeploymentData: field("account_deployment_data", felts),
};

/** What makes the address of a contract. */
export const DEPLOYMENT = {
  classHash: field("class_hash", felt),
  contractAddressSalt: field("contract_address_salt", felt),
  constructorCalldata: field("constructor_calldata", felts),
};

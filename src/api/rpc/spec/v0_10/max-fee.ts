import { type DeployAccountV1, type InvokeV1, sierraClassCodec } from "#protocol/chain/index.ts";
import { address, array, type Decoder, felt, literal, object, u128Hex } from "#base/codec/index.ts";
import type { DeclareRequest } from "../version.ts";
import { legacyClass } from "./legacy-class.ts";
import { deploymentMembers, deploymentOf } from "./deployment-members.ts";

/** Members of transactions with a single max fee. */
const feeMembers = { max_fee: u128Hex, signature: array(felt), nonce: felt } as const;

const feeObject = object(feeMembers);

function feeFields(read: ReturnType<typeof feeObject.decode>) {
  return { maxFee: read.max_fee, signature: read.signature, nonce: read.nonce };
}

const invokeMembers = object({
  type: literal("INVOKE"),
  ...feeMembers,
  sender_address: address,
  calldata: array(felt),
});

/** Decoder of INVOKE_TXN_V1. */
export const invokeV1: Decoder<InvokeV1> = {
  describe: "invoke transaction of version 0x1",
  schema: invokeMembers.schema,
  decode(value, path) {
    const read = invokeMembers.decode(value, path);
    return {
      type: "INVOKE",
      version: 1,
      ...feeFields(read),
      senderAddress: read.sender_address,
      calldata: read.calldata,
    };
  },
};

const deployAccountMembers = object({ ...deploymentMembers, ...feeMembers });

/** Decoder of DEPLOY_ACCOUNT_TXN_V1; the address is derived. */
export const deployAccountV1: Decoder<DeployAccountV1> = {
  describe: "deploy-account transaction of version 0x1",
  schema: deployAccountMembers.schema,
  decode(value, path) {
    const read = deployAccountMembers.decode(value, path);
    return {
      type: "DEPLOY_ACCOUNT",
      version: 1,
      ...feeFields(read),
      ...deploymentOf(read),
    };
  },
};

const legacyDeclareMembers = object({
  type: literal("DECLARE"),
  ...feeMembers,
  sender_address: address,
  contract_class: legacyClass,
});

/** Decoder of BROADCASTED_DECLARE_TXN_V1, with a Cairo 0 class. */
export const declareV1: Decoder<DeclareRequest> = {
  describe: "declare transaction of version 0x1",
  schema: legacyDeclareMembers.schema,
  decode(value, path) {
    const read = legacyDeclareMembers.decode(value, path);
    return {
      type: "DECLARE",
      contractClass: read.contract_class,
      transaction: {
        type: "DECLARE",
        version: 1,
        ...feeFields(read),
        senderAddress: read.sender_address,
      },
    };
  },
};

const declareMembers = object({
  type: literal("DECLARE"),
  ...feeMembers,
  sender_address: address,
  compiled_class_hash: felt,
  contract_class: sierraClassCodec,
});

/** Decoder of BROADCASTED_DECLARE_TXN_V2. */
export const declareV2: Decoder<DeclareRequest> = {
  describe: "declare transaction of version 0x2",
  schema: declareMembers.schema,
  decode(value, path) {
    const read = declareMembers.decode(value, path);
    return {
      type: "DECLARE",
      contractClass: read.contract_class,
      transaction: {
        type: "DECLARE",
        version: 2,
        ...feeFields(read),
        senderAddress: read.sender_address,
        compiledClassHash: read.compiled_class_hash,
      },
    };
  },
};

import {
  array,
  type Decoder,
  felt,
  memberPath,
  mismatch,
  object,
  text,
  u128Hex,
} from "#base/codec/index.ts";
import { contractAddress, type Transaction } from "#protocol/chain/index.ts";
import { type ReadV3, V3_MEMBERS, v3FieldsOf } from "./v3-fields.ts";

const felts = array(felt);
const SENDER = { sender_address: felt, nonce: felt, signature: felts };
const MAX_FEE = { max_fee: u128Hex, signature: felts };
const CALL = { contract_address: felt, entry_point_selector: felt, calldata: felts };
const DEPLOYMENT = {
  class_hash: felt,
  contract_address_salt: felt,
  constructor_calldata: felts,
};

/** Members that determine the contract address. */
interface ReadDeployment {
  readonly class_hash: bigint;
  readonly contract_address_salt: bigint;
  readonly constructor_calldata: readonly bigint[];
}

function deploymentOf(read: ReadDeployment) {
  const classHash = read.class_hash;
  const contractAddressSalt = read.contract_address_salt;
  const constructorCalldata = read.constructor_calldata;
  const address = contractAddress(0n, contractAddressSalt, classHash, constructorCalldata);
  return { classHash, contractAddressSalt, constructorCalldata, contractAddress: address };
}

/** Combines a members decoder with a conversion to a transaction. */
function reading<R>(members: Decoder<R>, make: (read: R) => Transaction): Decoder<Transaction> {
  return {
    describe: members.describe,
    decode: (value, path) => make(members.decode(value, path)),
  };
}

/** Members common to all transactions of version 3. */
function signedV3(
  read: ReadV3 & { readonly signature: readonly bigint[]; readonly nonce: bigint },
) {
  return { ...v3FieldsOf(read), signature: read.signature, nonce: read.nonce };
}

const SHAPES: Readonly<Record<string, Decoder<Transaction>>> = {
  "INVOKE 0x0": reading(object({ ...MAX_FEE, ...CALL }), (read) => ({
    type: "INVOKE",
    version: 0,
    maxFee: read.max_fee,
    signature: read.signature,
    contractAddress: read.contract_address,
    entryPointSelector: read.entry_point_selector,
    calldata: read.calldata,
  })),
  "INVOKE 0x1": reading(object({ ...MAX_FEE, ...SENDER, calldata: felts }), (read) => ({
    type: "INVOKE",
    version: 1,
    maxFee: read.max_fee,
    signature: read.signature,
    nonce: read.nonce,
    senderAddress: read.sender_address,
    calldata: read.calldata,
  })),
  "INVOKE 0x3": reading(
    object(
      { ...SENDER, ...V3_MEMBERS, calldata: felts, account_deployment_data: felts },
      { proof_facts: felts },
    ),
    (read) => ({
      type: "INVOKE",
      version: 3,
      ...signedV3(read),
      senderAddress: read.sender_address,
      calldata: read.calldata,
      accountDeploymentData: read.account_deployment_data,
      proofFacts: read.proof_facts ?? [],
    }),
  ),
  "DECLARE 0x0": reading(
    object({ ...MAX_FEE, sender_address: felt, class_hash: felt }),
    (read) => ({
      type: "DECLARE",
      version: 0,
      maxFee: read.max_fee,
      signature: read.signature,
      senderAddress: read.sender_address,
      classHash: read.class_hash,
    }),
  ),
  "DECLARE 0x1": reading(object({ ...MAX_FEE, ...SENDER, class_hash: felt }), (read) => ({
    type: "DECLARE",
    version: 1,
    maxFee: read.max_fee,
    signature: read.signature,
    nonce: read.nonce,
    senderAddress: read.sender_address,
    classHash: read.class_hash,
  })),
  "DECLARE 0x2": reading(
    object({ ...MAX_FEE, ...SENDER, class_hash: felt, compiled_class_hash: felt }),
    (read) => ({
      type: "DECLARE",
      version: 2,
      maxFee: read.max_fee,
      signature: read.signature,
      nonce: read.nonce,
      senderAddress: read.sender_address,
      classHash: read.class_hash,
      compiledClassHash: read.compiled_class_hash,
    }),
  ),
  "DECLARE 0x3": reading(
    object({
      ...SENDER,
      ...V3_MEMBERS,
      class_hash: felt,
      compiled_class_hash: felt,
      account_deployment_data: felts,
    }),
    (read) => ({
      type: "DECLARE",
      version: 3,
      ...signedV3(read),
      senderAddress: read.sender_address,
      classHash: read.class_hash,
      compiledClassHash: read.compiled_class_hash,
      accountDeploymentData: read.account_deployment_data,
    }),
  ),
  "DEPLOY_ACCOUNT 0x1": reading(object({ ...MAX_FEE, ...DEPLOYMENT, nonce: felt }), (read) => ({
    type: "DEPLOY_ACCOUNT",
    version: 1,
    maxFee: read.max_fee,
    signature: read.signature,
    nonce: read.nonce,
    ...deploymentOf(read),
  })),
  "DEPLOY_ACCOUNT 0x3": reading(
    object({ ...DEPLOYMENT, ...V3_MEMBERS, signature: felts, nonce: felt }),
    (read) => ({ type: "DEPLOY_ACCOUNT", version: 3, ...signedV3(read), ...deploymentOf(read) }),
  ),
  "DEPLOY 0x0": reading(object(DEPLOYMENT), (read) => ({
    type: "DEPLOY",
    version: 0,
    ...deploymentOf(read),
  })),
  "DEPLOY 0x1": reading(object(DEPLOYMENT), (read) => ({
    type: "DEPLOY",
    version: 1,
    ...deploymentOf(read),
  })),
  "L1_HANDLER 0x0": reading(object({ ...CALL, nonce: felt }), (read) => ({
    type: "L1_HANDLER",
    version: 0,
    nonce: read.nonce,
    contractAddress: read.contract_address,
    entryPointSelector: read.entry_point_selector,
    calldata: read.calldata,
    paidFeeOnL1: null,
  })),
};

const head = object({ type: text, version: felt });

/**
 * Decodes TXN. The address of a deployed contract is computed; the fee paid on L1 for a message is not
 * reported.
 */
export const remoteTransaction: Decoder<Transaction> = {
  describe: "transaction",
  decode(value, path) {
    const { type, version } = head.decode(value, path);
    const shape = SHAPES[`${type} 0x${version.toString(16)}`];
    const known = "a type and version of a transaction that the network knows";
    return shape?.decode(value, path) ?? mismatch(memberPath(path, "version"), known, value);
  },
};

import type {
  DataAvailabilityMode,
  DeclareTransaction,
  DeployAccountTransaction,
  HashedTransaction,
  InvokeTransaction,
  ResourceBound,
  ResourceBounds,
  Transaction,
  V3Fields,
} from "#protocol/chain/index.ts";
import type { JsonObject } from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { TransactionOptions } from "../version.ts";

/** Encodes each value as hex text. */
export function hexList(values: readonly Felt[]): readonly string[] {
  return values.map(hexFromFelt);
}

/** Encodes a TXN without its hash. */
export type TransactionEncoder = (
  transaction: Transaction,
  options: TransactionOptions,
) => JsonObject;

/** Encodes RESOURCE_BOUNDS_MAPPING. */
type BoundsEncoder = (bounds: ResourceBounds) => JsonObject;

/** Encodes TXN_WITH_HASH of JSON-RPC 0.10. */
export function encodeHashed(
  encode: TransactionEncoder,
  { hash, transaction }: HashedTransaction,
  options: TransactionOptions,
): JsonObject {
  return { ...encode(transaction, options), transaction_hash: hexFromFelt(hash) };
}

/** Creates an encoder of TXN; `encodeBounds` writes its resource bounds. */
export function transactionEncoder(encodeBounds: BoundsEncoder): TransactionEncoder {
  return (transaction, options) => encodeWith(encodeBounds, transaction, options);
}

/** Encodes TXN of JSON-RPC 0.10: a transaction without its hash. */
export const encodeTransaction: TransactionEncoder = transactionEncoder(encodeThreeBounds);

function encodeWith(
  encodeBounds: BoundsEncoder,
  transaction: Transaction,
  options: TransactionOptions,
): JsonObject {
  const { type } = transaction;
  const head = { type, version: `0x${transaction.version}` };
  switch (transaction.type) {
    case "INVOKE":
      return { ...head, ...invokeMembers(encodeBounds, transaction, options) };
    case "DECLARE":
      return { ...head, ...declareMembers(encodeBounds, transaction) };
    case "DEPLOY_ACCOUNT":
      return { ...head, ...deployAccountMembers(encodeBounds, transaction) };
    case "DEPLOY":
      return { ...head, ...deploymentMembers(transaction) };
    case "L1_HANDLER":
      return {
        ...head,
        nonce: hexFromFelt(transaction.nonce),
        contract_address: hexFromFelt(transaction.contractAddress),
        entry_point_selector: hexFromFelt(transaction.entryPointSelector),
        calldata: hexList(transaction.calldata),
      };
  }
}

function invokeMembers(
  encodeBounds: BoundsEncoder,
  transaction: InvokeTransaction,
  options: TransactionOptions,
): JsonObject {
  const signature = hexList(transaction.signature);
  const calldata = hexList(transaction.calldata);
  switch (transaction.version) {
    case 0:
      return {
        max_fee: hexFromFelt(transaction.maxFee),
        signature,
        contract_address: hexFromFelt(transaction.contractAddress),
        entry_point_selector: hexFromFelt(transaction.entryPointSelector),
        calldata,
      };
    case 1:
      return {
        max_fee: hexFromFelt(transaction.maxFee),
        signature,
        nonce: hexFromFelt(transaction.nonce),
        sender_address: hexFromFelt(transaction.senderAddress),
        calldata,
      };
    case 3:
      return {
        signature,
        nonce: hexFromFelt(transaction.nonce),
        sender_address: hexFromFelt(transaction.senderAddress),
        calldata,
        ...v3Members(encodeBounds, transaction),
        account_deployment_data: hexList(transaction.accountDeploymentData),
        ...(options.proofFacts ? { proof_facts: hexList(transaction.proofFacts) } : {}),
      };
  }
}

function declareMembers(encodeBounds: BoundsEncoder, transaction: DeclareTransaction): JsonObject {
  const common = {
    signature: hexList(transaction.signature),
    sender_address: hexFromFelt(transaction.senderAddress),
    class_hash: hexFromFelt(transaction.classHash),
  };
  if (transaction.version === 0) return { ...common, max_fee: hexFromFelt(transaction.maxFee) };
  const nonce = hexFromFelt(transaction.nonce);
  switch (transaction.version) {
    case 1:
      return { ...common, max_fee: hexFromFelt(transaction.maxFee), nonce };
    case 2:
      return {
        ...common,
        max_fee: hexFromFelt(transaction.maxFee),
        nonce,
        compiled_class_hash: hexFromFelt(transaction.compiledClassHash),
      };
    case 3:
      return {
        ...common,
        nonce,
        compiled_class_hash: hexFromFelt(transaction.compiledClassHash),
        ...v3Members(encodeBounds, transaction),
        account_deployment_data: hexList(transaction.accountDeploymentData),
      };
  }
}

function deployAccountMembers(
  encodeBounds: BoundsEncoder,
  transaction: DeployAccountTransaction,
): JsonObject {
  return {
    signature: hexList(transaction.signature),
    nonce: hexFromFelt(transaction.nonce),
    ...deploymentMembers(transaction),
    ...(transaction.version === 1
      ? { max_fee: hexFromFelt(transaction.maxFee) }
      : v3Members(encodeBounds, transaction)),
  };
}

function deploymentMembers(transaction: {
  readonly classHash: Felt;
  readonly contractAddressSalt: Felt;
  readonly constructorCalldata: readonly Felt[];
}): JsonObject {
  return {
    class_hash: hexFromFelt(transaction.classHash),
    contract_address_salt: hexFromFelt(transaction.contractAddressSalt),
    constructor_calldata: hexList(transaction.constructorCalldata),
  };
}

function v3Members(encodeBounds: BoundsEncoder, fields: V3Fields): JsonObject {
  return {
    resource_bounds: encodeBounds(fields.resourceBounds),
    tip: hexFromFelt(fields.tip),
    paymaster_data: hexList(fields.paymasterData),
    nonce_data_availability_mode: encodeMode(fields.nonceDataAvailabilityMode),
    fee_data_availability_mode: encodeMode(fields.feeDataAvailabilityMode),
  };
}

const NO_BOUND: ResourceBound = { maxAmount: 0n, maxPricePerUnit: 0n };

/** The older form without L1 data gas gets a zero bound: the specification requires all three. */
function encodeThreeBounds(bounds: ResourceBounds): JsonObject {
  return {
    l1_gas: encodeBound(bounds.l1Gas),
    l1_data_gas: encodeBound(bounds.l1DataGas ?? NO_BOUND),
    l2_gas: encodeBound(bounds.l2Gas),
  };
}

/** Encodes RESOURCE_BOUNDS of JSON-RPC 0.10. */
export function encodeBound(bound: ResourceBound): JsonObject {
  return {
    max_amount: hexFromFelt(bound.maxAmount),
    max_price_per_unit: hexFromFelt(bound.maxPricePerUnit),
  };
}

function encodeMode(mode: DataAvailabilityMode): string {
  return mode === 0 ? "L1" : "L2";
}

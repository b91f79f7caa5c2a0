import {
  contractAddress,
  type DataAvailabilityMode,
  type DeployAccountV3,
  type InvokeV3,
  QUERY_VERSION_BASE,
  type ResourceBounds,
  sierraClassCodec,
} from "#protocol/chain/index.ts";
import {
  address,
  array,
  convert,
  type Decoder,
  elementPath,
  felt,
  isJsonObject,
  literal,
  memberPath,
  mismatch,
  object,
  textOf,
  u128Hex,
  u64Hex,
} from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { Broadcasted, BroadcastedAny, DeclareRequest } from "../version.ts";

const VERSION = 3n;

/**
 * Most calldata of any protocol version (`gateway.max_calldata_length`). Looked at here, because the
 * address is a Pedersen hash of all of it, made before anything else is known of the transaction.
 */
const MAX_CONSTRUCTOR_FELTS = 5_000;

const bound = object({ max_amount: u64Hex, max_price_per_unit: u128Hex });
const bounds = object({ l1_gas: bound, l1_data_gas: bound, l2_gas: bound });
type WireBound = ReturnType<typeof bound.decode>;

const daMode: Decoder<DataAvailabilityMode> = convert(
  literal("L1", "L2"),
  '"L1" or "L2"',
  (name): DataAvailabilityMode => (name === "L1" ? 0 : 1),
);

const v3Members = {
  signature: array(felt),
  nonce: felt,
  resource_bounds: bounds,
  tip: u64Hex,
  paymaster_data: array(felt),
  nonce_data_availability_mode: daMode,
  fee_data_availability_mode: daMode,
} as const;

const v3Object = object(v3Members);

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)?$/;
const proofText = textOf({ pattern: BASE64, describe: "base64 text" });

const invokeMembers = object(
  {
    type: literal("INVOKE"),
    ...v3Members,
    sender_address: address,
    calldata: array(felt),
    account_deployment_data: array(felt),
  },
  { proof_facts: array(felt), proof: proofText },
);

/** BROADCASTED_INVOKE_TXN. */
export const invoke: Decoder<Broadcasted<InvokeV3>> = {
  describe: "invoke transaction of version 0x3",
  decode(value, path) {
    const version = versionOf(value, path, invoke.describe);
    if (version.kind === "unsupported") return version;
    const read = invokeMembers.decode(value, path);
    const transaction: InvokeV3 = {
      type: "INVOKE",
      version: 3,
      ...v3Fields(read),
      senderAddress: read.sender_address,
      calldata: read.calldata,
      accountDeploymentData: read.account_deployment_data,
      proofFacts: read.proof_facts ?? [],
    };
    return { ...version, transaction, ...(read.proof === undefined ? {} : { proof: read.proof }) };
  },
};

const deployAccountMembers = object({
  type: literal("DEPLOY_ACCOUNT"),
  ...v3Members,
  class_hash: felt,
  contract_address_salt: felt,
  constructor_calldata: convert(
    array(felt),
    `array of at most ${MAX_CONSTRUCTOR_FELTS} felts`,
    (felts) => (felts.length > MAX_CONSTRUCTOR_FELTS ? undefined : felts),
  ),
});

/** BROADCASTED_DEPLOY_ACCOUNT_TXN; the address is derived. */
export const deployAccount: Decoder<Broadcasted<DeployAccountV3>> = {
  describe: "deploy-account transaction of version 0x3",
  decode(value, path) {
    const version = versionOf(value, path, deployAccount.describe);
    if (version.kind === "unsupported") return version;
    const read = deployAccountMembers.decode(value, path);
    const { class_hash: classHash, contract_address_salt: salt } = read;
    const transaction: DeployAccountV3 = {
      type: "DEPLOY_ACCOUNT",
      version: 3,
      ...v3Fields(read),
      classHash,
      contractAddressSalt: salt,
      constructorCalldata: read.constructor_calldata,
      contractAddress: contractAddress(0n, salt, classHash, read.constructor_calldata),
    };
    return { ...version, transaction };
  },
};

const anyDeclareMembers = {
  type: literal("DECLARE"),
  sender_address: address,
  compiled_class_hash: felt,
  contract_class: sierraClassCodec,
} as const;

const declareMembers = object({
  ...v3Members,
  ...anyDeclareMembers,
  account_deployment_data: array(felt),
});

const declareV2Members = object({
  ...anyDeclareMembers,
  max_fee: u128Hex,
  signature: array(felt),
  nonce: felt,
});

/**
 * BROADCASTED_DECLARE_TXN, and as a superset its version 2 of older specifications: it depends on the
 * chain's protocol version whether that is taken.
 */
export const declare: Decoder<Broadcasted<DeclareRequest>> = {
  describe: "declare transaction of version 0x3",
  decode(value, path) {
    const version = versionOf(value, path, declare.describe, [2n, VERSION]);
    if (version.kind === "unsupported") return version;
    if (version.version === 2n) return { ...version, transaction: declareV2(value, path) };
    const read = declareMembers.decode(value, path);
    const transaction: DeclareRequest = {
      type: "DECLARE",
      contractClass: read.contract_class,
      transaction: {
        type: "DECLARE",
        version: 3,
        ...v3Fields(read),
        senderAddress: read.sender_address,
        compiledClassHash: read.compiled_class_hash,
        accountDeploymentData: read.account_deployment_data,
      },
    };
    return { ...version, transaction };
  },
};

function declareV2(value: unknown, path: string): DeclareRequest {
  const read = declareV2Members.decode(value, path);
  return {
    type: "DECLARE",
    contractClass: read.contract_class,
    transaction: {
      type: "DECLARE",
      version: 2,
      maxFee: read.max_fee,
      signature: read.signature,
      nonce: read.nonce,
      senderAddress: read.sender_address,
      compiledClassHash: read.compiled_class_hash,
    },
  };
}

/** BROADCASTED_TXN. */
const anyTransaction: Decoder<BroadcastedAny> = {
  describe: 'transaction of type "INVOKE", "DECLARE" or "DEPLOY_ACCOUNT"',
  decode(value, path) {
    const type = isJsonObject(value) ? value["type"] : mismatch(path, "transaction", value);
    switch (type) {
      case "INVOKE":
        return invoke.decode(value, path);
      case "DECLARE":
        return declare.decode(value, path);
      case "DEPLOY_ACCOUNT":
        return deployAccount.decode(value, path);
      default:
        return mismatch(memberPath(path, "type"), '"INVOKE", "DECLARE" or "DEPLOY_ACCOUNT"', type);
    }
  },
};

/** Most transactions of one estimate or simulation. */
const MAX_TRANSACTIONS = 100;

/** A list of BROADCASTED_TXN. */
export const anyTransactions: Decoder<readonly BroadcastedAny[]> = {
  describe: `array of at most ${MAX_TRANSACTIONS} transactions`,
  decode(value, path) {
    if (!Array.isArray(value) || value.length > MAX_TRANSACTIONS) {
      return mismatch(path, anyTransactions.describe, value);
    }
    return value.map((member, i) => anyTransaction.decode(member, elementPath(path, i)));
  },
};

/** Reads the version first: members of other versions would only be reported as missing. */
function versionOf(
  value: unknown,
  path: string,
  describe: string,
  taken: readonly bigint[] = [VERSION],
):
  | { readonly kind: "unsupported"; readonly version: string }
  | { readonly kind: "transaction"; readonly onlyQuery: boolean; readonly version: bigint } {
  if (!isJsonObject(value)) return mismatch(path, describe, value);
  const version = felt.decode(value["version"], memberPath(path, "version"));
  const onlyQuery = version >= QUERY_VERSION_BASE;
  const number = onlyQuery ? version - QUERY_VERSION_BASE : version;
  if (taken.includes(number)) return { kind: "transaction", onlyQuery, version: number };
  return { kind: "unsupported", version: hexFromFelt(version) };
}

function v3Fields(read: ReturnType<typeof v3Object.decode>) {
  const { l1_gas: l1, l1_data_gas: data, l2_gas: l2 } = read.resource_bounds;
  const resourceBounds: ResourceBounds = {
    l1Gas: boundOf(l1),
    l1DataGas: boundOf(data),
    l2Gas: boundOf(l2),
  };
  return {
    signature: read.signature,
    nonce: read.nonce,
    resourceBounds,
    tip: read.tip,
    paymasterData: read.paymaster_data,
    nonceDataAvailabilityMode: read.nonce_data_availability_mode,
    feeDataAvailabilityMode: read.fee_data_availability_mode,
  };
}

function boundOf(wire: WireBound): { maxAmount: bigint; maxPricePerUnit: bigint } {
  return { maxAmount: wire.max_amount, maxPricePerUnit: wire.max_price_per_unit };
}

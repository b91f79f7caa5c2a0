import {
  type DeployAccountV1,
  type DeployAccountV3,
  type InvokeV1,
  type InvokeV3,
  QUERY_VERSION_BASE,
  type ResourceBounds,
  sierraClassCodec,
} from "#protocol/chain/index.ts";
import {
  address,
  array,
  type Decoder,
  elementPath,
  felt,
  isJsonObject,
  keywordsOf,
  literal,
  memberPath,
  mismatch,
  named,
  object,
  type Schema,
  type SchemaKeywords,
  textOf,
} from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { Broadcasted, BroadcastedAny, DeclareRequest, SpecVersion } from "../version.ts";
import { MAX_METHOD_LIMITS } from "../../limits/method-limits.ts";
import { deploymentMembers, deploymentOf } from "./deployment-members.ts";
import { declareV1, declareV2, deployAccountV1, invokeV1 } from "./max-fee.ts";
import { resourceBounds, v3Fields, v3Members } from "./v3-fields.ts";

/** Decoders of transactions as wallets send them. */
export type BroadcastedDecoders = Pick<
  SpecVersion,
  "invoke" | "deployAccount" | "declare" | "anyTransactions"
>;

/** Maximum transactions of one estimate or simulation, whatever the node's settings. */
const MAX_TRANSACTIONS = MAX_METHOD_LIMITS.maxTransactions;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)?$/;
const proofText = textOf({ pattern: BASE64, describe: "base64 text" });

/**
 * Creates decoders of BROADCASTED_TXN; `bounds` decodes RESOURCE_BOUNDS_MAPPING. Transaction versions with a
 * single max fee are decoded, too, although no current specification has them: the chain's protocol version
 * decides whether they are accepted.
 */
export function broadcastedDecoders(bounds: Decoder<ResourceBounds>): BroadcastedDecoders {
  const invoke = versioned<InvokeV1 | InvokeV3>("invoke", {
    1: plain(invokeV1),
    3: invokeV3(bounds),
  });
  const deployAccount = versioned<DeployAccountV1 | DeployAccountV3>("deploy-account", {
    1: plain(deployAccountV1),
    3: plain(deployAccountV3(bounds)),
  });
  const declare = versioned("declare", {
    1: plain(declareV1),
    2: plain(declareV2),
    3: plain(declareV3(bounds)),
  });
  const anyTransaction = byType({
    INVOKE: invoke,
    DECLARE: declare,
    DEPLOY_ACCOUNT: deployAccount,
  });
  return { invoke, deployAccount, declare, anyTransactions: listOf(anyTransaction) };
}

/** Decoders of transactions as wallets send them in JSON-RPC 0.10. */
export const BROADCASTED_DECODERS: BroadcastedDecoders = broadcastedDecoders(resourceBounds);

/** Decoded content of a transaction version. */
type Sent<T> = Pick<Extract<Broadcasted<T>, { kind: "transaction" }>, "transaction" | "proof">;

function plain<T>({ describe, schema, decode }: Decoder<T>): Decoder<Sent<T>> {
  return { describe, schema, decode: (value, path) => ({ transaction: decode(value, path) }) };
}

function invokeV3(bounds: Decoder<ResourceBounds>): Decoder<Sent<InvokeV3>> {
  const members = object(
    {
      type: literal("INVOKE"),
      ...v3Members(bounds),
      sender_address: address,
      calldata: array(felt),
      account_deployment_data: array(felt),
    },
    { proof_facts: array(felt), proof: proofText },
  );
  return {
    describe: members.describe,
    schema: members.schema,
    decode(value, path) {
      const read = members.decode(value, path);
      const transaction: InvokeV3 = {
        type: "INVOKE",
        version: 3,
        ...v3Fields(read),
        senderAddress: read.sender_address,
        calldata: read.calldata,
        accountDeploymentData: read.account_deployment_data,
        proofFacts: read.proof_facts ?? [],
      };
      return { transaction, ...(read.proof === undefined ? {} : { proof: read.proof }) };
    },
  };
}

function deployAccountV3(bounds: Decoder<ResourceBounds>): Decoder<DeployAccountV3> {
  const members = object({ ...deploymentMembers, ...v3Members(bounds) });
  return {
    describe: members.describe,
    schema: members.schema,
    decode(value, path) {
      const read = members.decode(value, path);
      return { type: "DEPLOY_ACCOUNT", version: 3, ...v3Fields(read), ...deploymentOf(read) };
    },
  };
}

function declareV3(bounds: Decoder<ResourceBounds>): Decoder<DeclareRequest> {
  const members = object({
    ...v3Members(bounds),
    type: literal("DECLARE"),
    sender_address: address,
    compiled_class_hash: felt,
    contract_class: sierraClassCodec,
    account_deployment_data: array(felt),
  });
  return {
    describe: members.describe,
    schema: members.schema,
    decode(value, path) {
      const read = members.decode(value, path);
      return {
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
    },
  };
}

/** Decodes the version first: otherwise members of other versions would be reported as missing. */
function versioned<T>(
  name: string,
  byVersion: Readonly<Record<number, Decoder<Sent<T>>>>,
): Decoder<Broadcasted<T>> {
  const describe = `${name} transaction of version 0x3`;
  return {
    describe,
    schema: named(`BROADCASTED_${name.toUpperCase().replace("-", "_")}_TXN`, {
      oneOf: Object.entries(byVersion).map(([version, { schema }]) =>
        withVersion(version, keywordsOf(schema)),
      ),
    }),
    decode(value, path) {
      if (!isJsonObject(value)) return mismatch(path, describe, value);
      const version = felt.decode(value["version"], memberPath(path, "version"));
      const onlyQuery = version >= QUERY_VERSION_BASE;
      const number = onlyQuery ? version - QUERY_VERSION_BASE : version;
      const decoder = number <= 3n ? byVersion[Number(number)] : undefined;
      return decoder === undefined
        ? { kind: "unsupported", version: hexFromFelt(version) }
        : { kind: "transaction", onlyQuery, ...decoder.decode(value, path) };
    },
  };
}

/** Schema of a transaction version, with or without the query bit. */
function withVersion(version: string, { properties, required, ...rest }: SchemaKeywords): Schema {
  const pattern = `^0x0*(?:10{31})?${version}$`;
  return {
    ...rest,
    properties: { version: { type: "string", pattern }, ...properties },
    required: ["version", ...(required ?? [])],
  };
}

type Types = "INVOKE" | "DECLARE" | "DEPLOY_ACCOUNT";

/** BROADCASTED_TXN. */
function byType(
  decoders: Readonly<Record<Types, Decoder<BroadcastedAny>>>,
): Decoder<BroadcastedAny> {
  const describe = '"INVOKE", "DECLARE" or "DEPLOY_ACCOUNT"';
  return {
    describe: `transaction of type ${describe}`,
    schema: {
      oneOf: Object.values(decoders).map(({ schema = {} }) => schema),
    },
    decode(value, path) {
      const type = isJsonObject(value) ? value["type"] : mismatch(path, "transaction", value);
      switch (type) {
        case "INVOKE":
        case "DECLARE":
        case "DEPLOY_ACCOUNT":
          return decoders[type].decode(value, path);
        default:
          return mismatch(memberPath(path, "type"), describe, type);
      }
    },
  };
}

/** A list of BROADCASTED_TXN. */
function listOf(transaction: Decoder<BroadcastedAny>): Decoder<readonly BroadcastedAny[]> {
  const describe = `array of at most ${MAX_TRANSACTIONS} transactions`;
  return {
    describe,
    schema: { type: "array", items: transaction.schema ?? {}, maxItems: MAX_TRANSACTIONS },
    decode(value, path) {
      if (!Array.isArray(value) || value.length > MAX_TRANSACTIONS) {
        return mismatch(path, describe, value);
      }
      return value.map((member, i) => transaction.decode(member, elementPath(path, i)));
    },
  };
}

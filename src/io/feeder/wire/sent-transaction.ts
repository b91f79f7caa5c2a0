import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  mismatch,
  textOf,
} from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import {
  contractAddress,
  type DeclareV1,
  type DeclareV2,
  type DeclareV3,
  type DeployAccountV1,
  type DeployAccountV3,
  type InvokeV1,
  type InvokeV3,
  type PackedLegacyClass,
  packedLegacyClass,
  type PackedSierraClass,
  packedSierraClass,
  QUERY_VERSION_BASE,
} from "#protocol/chain/index.ts";
import { felt } from "./numbers.ts";
import { readTransactionFields } from "./transaction.ts";

/** Transaction as sent to add_transaction. */
export type SentTransaction =
  | {
      readonly kind: "transaction";
      /** The address of a deployment is derived from its members. */
      readonly transaction: InvokeV1 | InvokeV3 | DeployAccountV1 | DeployAccountV3;
    }
  | {
      readonly kind: "declaration";
      /** Without the class hash, which derives from the class. */
      readonly transaction: Unnamed<DeclareV1> | Unnamed<DeclareV2> | Unnamed<DeclareV3>;
      /** Cairo 0 class for transaction version 1, Sierra class for later transaction versions. */
      readonly contractClass: PackedLegacyClass | PackedSierraClass;
    }
  /** A type or version that users cannot send. */
  | { readonly kind: "unsupported"; readonly reason: string }
  /** No contract can have the sender's address. */
  | { readonly kind: "address out of range"; readonly address: Felt }
  /** Has a proof, or proof facts. */
  | { readonly kind: "proof" };

type Unnamed<T> = Omit<T, "classHash">;

const base64 = textOf({ pattern: /^[A-Za-z0-9+/]*={0,2}$/, describe: "base64 text" });
const legacyClass = packedLegacyClass(base64);
const sierraClass = packedSierraClass(base64);

/**
 * Maximum calldata length of any protocol version (`gateway.max_calldata_length`). Checked here because
 * computing the address hashes all calldata with Pedersen.
 */
const MAX_CONSTRUCTOR_FELTS = 5_000;

/** Placeholder for members that derive from others. */
const PLACEHOLDER = "0x0";

/**
 * Decodes the body of add_transaction. Unknown members are ignored; classes stay compressed.
 *
 * @throws {DecodeError} naming the first invalid place
 */
export function readGatewayTransaction(value: JsonValue): SentTransaction {
  if (!isJsonObject(value)) return mismatch("", "transaction", value);
  const { type } = value;
  switch (type) {
    case "INVOKE":
    case "INVOKE_FUNCTION":
      return unsupported(value) ?? outOfRange(value) ?? invoke(value);
    case "DECLARE":
      return unsupported(value) ?? outOfRange(value) ?? declaration(value);
    case "DEPLOY_ACCOUNT":
      return unsupported(value) ?? deployment(value);
    case "DEPLOY":
    case "L1_HANDLER":
      return { kind: "unsupported", reason: `a transaction of type ${type} cannot be sent` };
    default:
      return mismatch("type", '"INVOKE_FUNCTION", "DECLARE" or "DEPLOY_ACCOUNT"', type);
  }
}

/** Versions that accounts can send, by type. */
const VERSIONS = { INVOKE: [1n, 3n], DECLARE: [1n, 2n, 3n], DEPLOY_ACCOUNT: [1n, 3n] } as const;

function unsupported(value: JsonObject): SentTransaction | undefined {
  const version = felt.decode(value["version"], "version");
  if (version >= QUERY_VERSION_BASE) {
    const reason = "a query version can only be estimated or simulated";
    return { kind: "unsupported", reason };
  }
  const type = value["type"] === "INVOKE_FUNCTION" ? "INVOKE" : (value["type"] as "INVOKE");
  const versions: readonly bigint[] = VERSIONS[type];
  if (versions.includes(version)) return undefined;
  return { kind: "unsupported", reason: `version ${hexFromFelt(version)}; expected 0x3` };
}

function invoke(value: JsonObject): SentTransaction {
  const read = readTransactionFields(value, "");
  if (read.type !== "INVOKE" || read.version === 0) return wrongType(value);
  const { proof, proof_facts: facts } = value;
  const hasProof = proof !== undefined && proof !== null && proof !== "";
  const hasFacts = Array.isArray(facts) && facts.length > 0;
  return hasProof || hasFacts ? { kind: "proof" } : { kind: "transaction", transaction: read };
}

function deployment(value: JsonObject): SentTransaction {
  const { constructor_calldata: calldata } = value;
  if (!Array.isArray(calldata) || calldata.length > MAX_CONSTRUCTOR_FELTS) {
    const describe = `array of at most ${MAX_CONSTRUCTOR_FELTS} felts`;
    return mismatch("constructor_calldata", describe, calldata);
  }
  const padded = { ...value, sender_address: PLACEHOLDER, contract_address: PLACEHOLDER };
  const read = readTransactionFields(padded, "");
  if (read.type !== "DEPLOY_ACCOUNT") return wrongType(value);
  const { classHash, contractAddressSalt, constructorCalldata } = read;
  const address = contractAddress(0n, contractAddressSalt, classHash, constructorCalldata);
  return { kind: "transaction", transaction: { ...read, contractAddress: address } };
}

function declaration(value: JsonObject): SentTransaction {
  const read = readTransactionFields({ ...value, class_hash: PLACEHOLDER }, "");
  if (read.type !== "DECLARE" || read.version === 0) return wrongType(value);
  const contractClass = (read.version === 1 ? legacyClass : sierraClass).decode(
    value["contract_class"],
    "contract_class",
  );
  const { classHash: _placeholder, ...transaction } = read;
  return { kind: "declaration", transaction, contractClass };
}

function outOfRange(value: JsonObject): SentTransaction | undefined {
  const address = felt.decode(value["sender_address"], "sender_address");
  return address < ADDRESS_LIMIT ? undefined : { kind: "address out of range", address };
}

/** Number of leaves of the state trie. */
const ADDRESS_LIMIT = 1n << 251n;

function wrongType(value: JsonObject): never {
  return mismatch("type", "type of a transaction that accounts send", value["type"]);
}

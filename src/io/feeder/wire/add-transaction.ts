import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { type JsonObject, parseJson, stringifyJson } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import {
  type DeclareV1,
  type DeclareV2,
  type DeclareV3,
  type DeployAccountTransaction,
  type InvokeTransaction,
  type PackedLegacyClass,
  type PackedSierraClass,
  type SierraClass,
  sierraClassCodec,
} from "#protocol/chain/index.ts";
import { writeTransactionFields } from "./transaction.ts";

type Unnamed<T> = Omit<T, "classHash">;

/** Declaration with its class, as a client sent it. */
export interface OutgoingDeclaration {
  readonly transaction: Unnamed<DeclareV1> | Unnamed<DeclareV2> | Unnamed<DeclareV3>;
  readonly contractClass: SierraClass | PackedSierraClass | PackedLegacyClass;
}

/** Transaction to forward to a sequencer's gateway. */
export type OutgoingTransaction =
  | {
      readonly kind: "transaction";
      readonly transaction: InvokeTransaction | DeployAccountTransaction;
    }
  | { readonly kind: "declaration"; readonly declaration: OutgoingDeclaration };

/** Members that derive from others and are not sent. */
const DERIVED_ADDRESS = { sender_address: undefined, contract_address: undefined };

const compressed = promisify(gzip);

/**
 * Encodes the body of add_transaction. A Sierra program is compressed off the calling thread.
 *
 * @throws {DecodeError} when the tables or the ABI of a Cairo 0 class are not JSON
 */
export async function writeAddTransaction(sent: OutgoingTransaction): Promise<JsonObject> {
  if (sent.kind === "declaration") return await writeDeclaration(sent.declaration);
  const { transaction } = sent;
  const written = writeTransactionFields(transaction);
  return transaction.type === "DEPLOY_ACCOUNT" ? { ...written, ...DERIVED_ADDRESS } : written;
}

async function writeDeclaration({
  transaction,
  contractClass,
}: OutgoingDeclaration): Promise<JsonObject> {
  return {
    ...writeTransactionFields({ ...transaction, classHash: 0n }),
    class_hash: undefined,
    contract_class: await writeSentClass(contractClass),
  };
}

async function writeSentClass(
  contractClass: OutgoingDeclaration["contractClass"],
): Promise<JsonObject> {
  if (contractClass.kind === "packed") {
    const { program, entryPoints, abi } = contractClass;
    return {
      program,
      entry_points_by_type: parseJson(entryPoints),
      abi: abi === "" ? undefined : parseJson(abi),
    };
  }
  const program =
    contractClass.kind === "sierra" ? await packed(contractClass) : contractClass.program;
  const unpacked: SierraClass = { ...contractClass, kind: "sierra", sierraProgram: [] };
  return { ...(sierraClassCodec.encode(unpacked) as JsonObject), sierra_program: program };
}

/** Base64 of gzip of the program's JSON text. */
async function packed({ sierraProgram }: SierraClass): Promise<string> {
  const text = stringifyJson(sierraProgram.map(hexFromFelt));
  return (await compressed(text)).toString("base64");
}

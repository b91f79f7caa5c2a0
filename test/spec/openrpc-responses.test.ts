import { describe, expect } from "bun:test";
import type { HashedTransaction, Receipt } from "#protocol/chain/index.ts";
import type { JsonObject } from "#test/helpers/json-schema.ts";
import { fakeDiff, fakeHeader, fakeReceipt } from "#test/helpers/fake-chain.ts";
import { foreignEvent, type ForeignJson, foreignTransaction } from "#test/helpers/foreign-json.ts";
import { openRpcOf } from "#test/helpers/rpc.ts";
import { readAnswer as read, RECORDED } from "#test/helpers/recorded-answers.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import type { BlockHead, Finality } from "#api/rpc/spec/version.ts";

const felt = (value: unknown): bigint => BigInt(value as string);
const sub = (json: ForeignJson, name: string): ForeignJson => json[name] as unknown as ForeignJson;
const rows = (value: unknown): readonly ForeignJson[] => value as readonly ForeignJson[];

function price(json: ForeignJson): { wei: bigint; fri: bigint } {
  return { wei: felt(json["price_in_wei"]), fri: felt(json["price_in_fri"]) };
}

function headOf(block: ForeignJson): BlockHead {
  const info = {
    number: Number(block["block_number"] ?? 0),
    timestamp: Number(block["timestamp"]),
    sequencerAddress: felt(block["sequencer_address"]),
    gasPrices: {
      l1Gas: price(sub(block, "l1_gas_price")),
      l1DataGas: price(sub(block, "l1_data_gas_price")),
      l2Gas: price(sub(block, "l2_gas_price")),
    },
    l1DaMode: block["l1_da_mode"] as unknown as "BLOB" | "CALLDATA",
    protocolVersion: String(block["starknet_version"]),
  };
  if (block["block_hash"] === undefined) {
    // Only pending blocks, before 0.9, have a parent hash.
    return { kind: "building", info, parentHash: feltOr0(block["parent_hash"]) };
  }
  return {
    kind: "sealed",
    finality: block["status"] as unknown as "ACCEPTED_ON_L2",
    header: fakeHeader({
      ...info,
      hash: felt(block["block_hash"]),
      parentHash: felt(block["parent_hash"]),
      newRoot: felt(block["new_root"]),
      transactionCommitment: feltOr0(block["transaction_commitment"]),
      eventCommitment: feltOr0(block["event_commitment"]),
      receiptCommitment: feltOr0(block["receipt_commitment"]),
      stateDiffCommitment: feltOr0(block["state_diff_commitment"]),
      transactionCount: Number(block["transaction_count"] ?? 0),
      eventCount: Number(block["event_count"] ?? 0),
      stateDiffLength: Number(block["state_diff_length"] ?? 0),
    }),
  };
}

/** A member that some versions lack; 0 if missing. */
function feltOr0(value: unknown): bigint {
  return value === undefined ? 0n : felt(value);
}

function pick(json: ForeignJson, name: string): ForeignJson {
  return json[name] === undefined ? {} : { [name]: json[name] };
}

function transactionOf(json: ForeignJson, hash: unknown): HashedTransaction {
  const type = String(json["type"]);
  return { hash: felt(hash), transaction: foreignTransaction(type, Number(json["version"]), json) };
}

function receiptOf(json: ForeignJson): Receipt {
  const resources = sub(json, "execution_resources");
  const fee = sub(json, "actual_fee");
  return fakeReceipt({
    transactionHash: felt(json["transaction_hash"]),
    actualFee: felt(fee["amount"]),
    feeUnit: String(fee["unit"]) as "WEI" | "FRI",
    events: rows(json["events"]).map(foreignEvent),
    messages: rows(json["messages_sent"]).map((message) => ({
      fromAddress: felt(message["from_address"]),
      toAddress: felt(message["to_address"]),
      payload: (message["payload"] as unknown as string[]).map(felt),
    })),
    status:
      String(json["execution_status"]) === "REVERTED"
        ? { kind: "reverted", reason: String(json["revert_reason"]) }
        : { kind: "succeeded" },
    gas: {
      l1Gas: BigInt(resources["l1_gas"] as unknown as number),
      l1DataGas: BigInt(resources["l1_data_gas"] as unknown as number),
      l2Gas: BigInt(resources["l2_gas"] as unknown as number),
    },
  });
}

/** Encoded value as a client receives it. */
const wire = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;

for (const { folder, spec, files } of RECORDED) {
  describe(`blocks of another node's ${folder} responses round-trip unchanged`, () => {
    for (const file of files.blockHashes) {
      sharedTest(file, () => {
        const block = read(folder, "blocks", file);
        const hashes = (block["transactions"] as unknown as string[]).map(felt);
        const written = spec.blockWithHashes({ head: headOf(block), hashes });
        expect(wire(written)).toEqual(wire(block));
      });
    }

    for (const [file, proofFacts] of files.blockTransactions) {
      sharedTest(file, () => {
        const block = read(folder, "blocks", file);
        const transactions = rows(block["transactions"]).map((json) =>
          transactionOf(json, json["transaction_hash"]),
        );
        const written = spec.blockWithTransactions({
          head: headOf(block),
          transactions,
          options: { proofFacts },
        });
        expect(wire(written)).toEqual(wire(block));
      });
    }

    for (const file of files.blockReceipts) {
      sharedTest(file, () => {
        const block = read(folder, "blocks", file);
        const entries = rows(block["transactions"]);
        const receipts = entries.map((entry) => receiptOf(sub(entry, "receipt")));
        const written = spec.blockWithReceipts({
          head: headOf(block),
          transactions: entries.map((entry, i) =>
            transactionOf(
              // Only receipts contain the address of a deployed contract; in these fixtures it is
              // made up.
              { ...sub(entry, "transaction"), ...pick(sub(entry, "receipt"), "contract_address") },
              receipts[i]?.transactionHash,
            ),
          ),
          receipts,
          options: { proofFacts: false },
        });
        expect(wire(written)).toEqual(wire(block));
      });
    }
  });

  describe(`receipts of another node's ${folder} responses round-trip unchanged`, () => {
    for (const file of files.receipts) {
      sharedTest(file, () => {
        const json = read(folder, "transactions", file);
        const receipt = receiptOf(json);
        const answer = {
          transaction: { hash: receipt.transactionHash, transaction: INVOKE_V0 },
          receipt,
          finality: String(json["finality_status"]) as Finality,
          blockNumber: Number(json["block_number"]),
        };
        const written = spec.receipt(
          json["block_hash"] === undefined
            ? answer
            : { ...answer, blockHash: felt(json["block_hash"]) },
        );
        expect(wire(written)).toEqual(wire(json));
      });
    }
  });

  describe(`state updates of another node's ${folder} responses round-trip unchanged`, () => {
    for (const file of files.stateUpdates) {
      sharedTest(file, () => {
        const json = read(folder, "state_updates", file);
        const diff = sub(json, "state_diff");
        const pairs = (name: string, key: string, value: string): Map<bigint, bigint> =>
          new Map(rows(diff[name] ?? []).map((row) => [felt(row[key]), felt(row[value])]));
        const written = spec.stateUpdate({
          ...(json["block_hash"] === undefined
            ? {}
            : {
                blockHash: felt(json["block_hash"]),
                newRoot: felt(json["new_root"]),
              }),
          ...(json["old_root"] === undefined ? {} : { oldRoot: felt(json["old_root"]) }),
          stateDiff: fakeDiff({
            storageDiffs: new Map(
              rows(diff["storage_diffs"]).map((row) => [
                felt(row["address"]),
                new Map(
                  rows(row["storage_entries"]).map((entry) => [
                    felt(entry["key"]),
                    felt(entry["value"]),
                  ]),
                ),
              ]),
            ),
            deprecatedDeclaredClasses: new Set(
              (diff["deprecated_declared_classes"] as unknown as string[]).map(felt),
            ),
            declaredClasses: pairs("declared_classes", "class_hash", "compiled_class_hash"),
            migratedCompiledClasses: pairs(
              "migrated_compiled_classes",
              "class_hash",
              "compiled_class_hash",
            ),
            deployedContracts: pairs("deployed_contracts", "address", "class_hash"),
            replacedClasses: pairs("replaced_classes", "contract_address", "class_hash"),
            nonces: pairs("nonces", "contract_address", "nonce"),
          }),
        });
        expect(wire(written)).toEqual(wire(json));
      });
    }
  });

  sharedTest(
    `Cairo 0 class of another node's ${folder} response matches the schema when encoded here`,
    () => {
      const json = wire(read(folder, "class_at", "cairo0.json"));
      const program = new TextDecoder().decode(
        Bun.gunzipSync(Uint8Array.fromBase64(json["program"] as string)),
      );
      const declared = `{"abi":${JSON.stringify(json["abi"])},"entry_points_by_type":${JSON.stringify(json["entry_points_by_type"])},"program":${program}}`;
      const written = wire(spec.contractClass({ kind: "legacy", json: declared }));
      expect(openRpcOf(spec.version).resultFindings("getClass", written)).toEqual([]);
      expect({ ...written, program: "" }).toEqual({ ...json, program: "" });
    },
  );
}

const INVOKE_V0 = {
  type: "INVOKE",
  version: 0,
  maxFee: 0n,
  signature: [],
  contractAddress: 0n,
  entryPointSelector: 0n,
  calldata: [],
} as const;

import { describe, expect } from "bun:test";
import { readdirSync } from "node:fs";
import {
  blockEvents,
  blockHash,
  type BlockHeader,
  blockSignatureMessage,
  computeCommitments,
  earlyTransactionHashes,
  EMPTY_STATE_DIFF,
  eventLeaves,
  firstEraBlockHash,
  receiptLeaves,
  stateDiffCommitment,
  stateDiffLength,
  transactionHash,
  transactionLeaves,
  verifyBlockSignature,
} from "#protocol/chain/index.ts";
import { feltFromShortString } from "#base/primitives/index.ts";
import {
  type ForeignJson,
  gatewayReceipts,
  gatewayStateDiff,
  gatewayTransactions,
} from "#test/helpers/foreign-json.ts";
import { expectSuite } from "#test/helpers/conformance/check.ts";
import { indexTreeRoot } from "#test/helpers/index-tree-root.ts";
import { fixturePath, readFixtureJson, sharedTest } from "#test/helpers/shared.ts";

const MAINNET = feltFromShortString("SN_MAIN");
const SEPOLIA_INTEGRATION = feltFromShortString("SN_INTEGRATION_SEPOLIA");

/** Public keys of the networks' sequencers, from their feeder gateways' `get_public_key`. */
const MAINNET_KEY = 0x48253ff2c3bed7af18bde0b611b083b39445959102d4947c51c4db6aa4f4e58n;
const INTEGRATION_KEY = 0x4e4856eb36dbd5f4a7dca29f7bb5232974ef1fb7eb5b597c58077174c294da1n;

/** Fixture files that the tests have read, to find unused ones. */
const filesRead = new Set<string>();

function read(path: string): ForeignJson {
  filesRead.add(path);
  return readFixtureJson("gateway-blocks", ...path.split("/")) as ForeignJson;
}

const record = (value: unknown): ForeignJson => (value ?? {}) as ForeignJson;

const text = (value: unknown): string => (typeof value === "string" ? value : "");

const felt = (value: unknown): bigint => BigInt(value as string);

/** Sequencer of mainnet blocks that omit it (pathfinder, block hash verification). */
const EARLY_SEQUENCER = 0x21f4b90b0377c82bf330b7b5295820769e72d79d8acd0effa0ebde6e9988bc5n;

/** Header in the gateway's response; missing members of early blocks are 0. */
function header(block: ForeignJson): BlockHeader {
  const price = (name: string) => ({
    wei: felt(record(block[name])["price_in_wei"] ?? "0"),
    fri: felt(record(block[name])["price_in_fri"] ?? "0"),
  });
  return {
    hash: felt(block["block_hash"]),
    parentHash: felt(block["parent_block_hash"]),
    number: Number(block["block_number"]),
    timestamp: Number(block["timestamp"]),
    newRoot: felt(block["state_root"]),
    sequencerAddress: felt(block["sequencer_address"] ?? EARLY_SEQUENCER),
    gasPrices: {
      l1Gas: price("l1_gas_price"),
      l1DataGas: price("l1_data_gas_price"),
      l2Gas: price("l2_gas_price"),
    },
    l1DaMode: text(block["l1_da_mode"]) === "BLOB" ? "BLOB" : "CALLDATA",
    protocolVersion: text(block["starknet_version"]),
    transactionCommitment: felt(block["transaction_commitment"] ?? "0"),
    eventCommitment: felt(block["event_commitment"] ?? "0"),
    receiptCommitment: felt(block["receipt_commitment"] ?? "0"),
    stateDiffCommitment: felt(block["state_diff_commitment"] ?? "0"),
    transactionCount: gatewayTransactions(block).length,
    eventCount: blockEvents(gatewayReceipts(block)).length,
    stateDiffLength: Number(block["state_diff_length"] ?? 0),
  };
}

for (const [name, blockPath, updatePath] of [
  [
    "integration 35748 (0.13.2)",
    "0.13.2/block/sepolia_integration_35748.json",
    "0.13.2/state_update/sepolia_integration_35748.json",
  ],
  [
    "integration 63881 (0.13.4)",
    "0.13.4/block/sepolia_integration_63881.json",
    "0.13.4/state_update/sepolia_integration_63881.json",
  ],
] as const) {
  describe(name, () => {
    sharedTest(`${name}: transaction hashes match`, () => {
      const transactions = gatewayTransactions(read(blockPath));
      expect(transactions.map((t) => transactionHash(t.transaction, SEPOLIA_INTEGRATION))).toEqual(
        transactions.map((t) => t.hash),
      );
    });
    sharedTest(`${name}: transaction commitment matches`, () => {
      const block = read(blockPath);
      const expected = header(block);
      expect(
        indexTreeRoot(transactionLeaves(gatewayTransactions(block), expected.protocolVersion)),
      ).toBe(expected.transactionCommitment);
    });
    sharedTest(`${name}: event commitment matches`, () => {
      const block = read(blockPath);
      const expected = header(block);
      const events = blockEvents(gatewayReceipts(block));
      expect(indexTreeRoot(eventLeaves(events, expected.protocolVersion))).toBe(
        expected.eventCommitment,
      );
    });
    sharedTest(`${name}: receipt commitment matches`, () => {
      const block = read(blockPath);
      expect(indexTreeRoot(receiptLeaves(gatewayReceipts(block)))).toBe(
        header(block).receiptCommitment,
      );
    });
    sharedTest(`${name}: state diff commitment matches`, () => {
      const diff = gatewayStateDiff(read(updatePath));
      expect(stateDiffCommitment(diff)).toBe(header(read(blockPath)).stateDiffCommitment);
    });
    sharedTest(`${name}: state diff length matches`, () => {
      const diff = gatewayStateDiff(read(updatePath));
      expect(stateDiffLength(diff)).toBe(header(read(blockPath)).stateDiffLength);
    });
    sharedTest(`${name}: block hash from computed commitments matches`, () => {
      const block = read(blockPath);
      const expected = header(block);
      const body = {
        transactions: gatewayTransactions(block),
        receipts: gatewayReceipts(block),
        stateDiff: gatewayStateDiff(read(updatePath)),
      };
      const commitments = computeCommitments(body, expected.protocolVersion);
      expect(blockHash({ ...expected, ...commitments })).toBe(expected.hash);
    });
  });
}

describe("blocks before 0.13.2", () => {
  for (const [name, path, chainId, early] of [
    ["mainnet 0", "pre_0.7.0/block/mainnet_genesis.json", MAINNET, true],
    ["mainnet 2240", "0.7.0/block/mainnet_2240.json", MAINNET, false],
    ["mainnet 2500", "0.8.0/block/mainnet_2500.json", MAINNET, false],
    ["mainnet 2800", "0.9.0/block/mainnet_2800.json", MAINNET, false],
    ["mainnet 65000", "0.11.1/block/mainnet_65000.json", MAINNET, false],
    [
      "integration 9703",
      "0.13.1/state_update_with_block/sepolia_integration_9703.json",
      SEPOLIA_INTEGRATION,
      false,
    ],
  ] as const) {
    const block = () => {
      const file = read(path);
      return (file["block"] as ForeignJson | undefined) ?? file;
    };
    sharedTest(`${name}: transaction hashes match`, () => {
      for (const { hash, transaction } of gatewayTransactions(block())) {
        const accepted = [transactionHash(transaction, chainId)];
        if (early) accepted.push(...earlyTransactionHashes(transaction, chainId));
        expect(accepted).toContain(hash);
      }
    });
    sharedTest(`${name}: block hash from computed commitments matches`, () => {
      const source = block();
      const expected = header(source);
      const body = {
        transactions: gatewayTransactions(source),
        receipts: gatewayReceipts(source),
        stateDiff: EMPTY_STATE_DIFF,
      };
      const full = { ...expected, ...computeCommitments(body, expected.protocolVersion) };
      expect(early ? firstEraBlockHash(full, chainId) : blockHash(full)).toBe(expected.hash);
    });
  }
});

describe("block signatures", () => {
  const signatureOf = (file: ForeignJson) => {
    const [r = "0", s = "0"] = file["signature"] as readonly string[];
    return { r: BigInt(r), s: BigInt(s) };
  };
  sharedTest("of 0.13.2 sign the block hash", () => {
    const file = read("0.13.2/signature/sepolia_integration_35748.json");
    const block = header(read("0.13.2/block/sepolia_integration_35748.json"));
    expect(verifyBlockSignature(INTEGRATION_KEY, block, signatureOf(file))).toBe(true);
  });
  sharedTest("of another key are rejected", () => {
    const file = read("0.13.2/signature/sepolia_integration_35748.json");
    const block = header(read("0.13.2/block/sepolia_integration_35748.json"));
    expect(verifyBlockSignature(MAINNET_KEY, block, signatureOf(file))).toBe(false);
  });
  sharedTest("of 0.12.2 sign the block hash and the state diff commitment", () => {
    const file = read("0.12.2/signature/350000.json");
    const input = record(file["signature_input"]);
    const block = {
      hash: felt(input["block_hash"]),
      stateDiffCommitment: felt(input["state_diff_commitment"]),
      protocolVersion: "0.12.2",
    };
    expect(blockSignatureMessage(block)).not.toBe(block.hash);
    expect(verifyBlockSignature(MAINNET_KEY, block, signatureOf(file))).toBe(true);
  });
});

/** Headers with their hash, and whether they belong to the first era. */
const HEADER_FILES = [
  ["deprecated_block_hash_v0.json", true],
  ["deprecated_block_hash_v1_no_events.json", false],
  ["deprecated_block_hash_v1.json", false],
  ["deprecated_block_hash_v2.json", false],
  ["block_hash.json", false],
] as const;

describe("block hashes of old eras (papyrus_common)", () => {
  for (const [file, firstEra] of HEADER_FILES) {
    sharedTest(`${file}: block hash from the stored commitments matches`, () => {
      const data = readFixtureJson("hashes", "papyrus_common", "resources", file) as ForeignJson;
      const json = record(data["header"]);
      const full: BlockHeader = {
        ...header({ ...json, parent_block_hash: json["parent_hash"] }),
        sequencerAddress: felt(json["sequencer"]),
        transactionCount: Number(json["n_transactions"]),
        eventCount: Number(json["n_events"]),
      };
      const hashes = [full.sequencerAddress, EARLY_SEQUENCER].map((sequencerAddress) =>
        firstEra
          ? firstEraBlockHash({ ...full, sequencerAddress }, MAINNET)
          : blockHash({ ...full, sequencerAddress }),
      );
      expect(hashes).toContain(full.hash);
    });
  }
});

sharedTest("conformance table counts every gateway file", () => {
  const all = readdirSync(fixturePath("gateway-blocks"), { recursive: true, encoding: "utf8" });
  const leftOut = all.filter((path) => path.endsWith(".json") && !filesRead.has(path));
  expectSuite("blocks", { compared: filesRead.size + HEADER_FILES.length, leftOut });
});

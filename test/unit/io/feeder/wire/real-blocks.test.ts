import { describe, expect } from "bun:test";
import { readFileSync } from "node:fs";
import { type JsonObject, type JsonValue, parseJson } from "#base/codec/index.ts";
import {
  readGatewayBlock,
  readGatewaySignature,
  readGatewayStateUpdate,
  readGatewayWholeBlock,
  writeGatewayBlock,
  writeGatewaySignature,
  writeGatewayStateUpdate,
  writeGatewayWholeBlock,
} from "#io/feeder/index.ts";
import type { Receipt } from "#protocol/chain/index.ts";
import {
  gatewayReceipts,
  gatewayStateDiff,
  gatewayTransactions,
} from "#test/helpers/foreign-json.ts";
import { fixturePath, fixtureTest } from "#test/helpers/shared.ts";

const gatewayTest = fixtureTest("gateway-blocks");

function read(path: string): JsonObject {
  const text = readFileSync(fixturePath("gateway-blocks", ...path.split("/")), "utf8");
  return parseJson(text) as JsonObject;
}

/** JSON value after serialization: members of value `undefined` are gone. */
function serialized(value: JsonValue): JsonValue {
  return parseJson(JSON.stringify(value));
}

/** Members of a receipt that the test helper reads too. */
function shown({ gas, status, events, messages, actualFee }: Receipt): unknown {
  return { gas, status, events: [...events], messages: [...messages], actualFee };
}

describe("blocks of public networks", () => {
  for (const path of [
    "pre_0.7.0/block/mainnet_genesis.json",
    "0.7.0/block/mainnet_2240.json",
    "0.8.0/block/mainnet_2500.json",
    "0.9.0/block/mainnet_2800.json",
    "0.11.1/block/mainnet_65000.json",
    "0.13.2/block/sepolia_integration_35748.json",
    "0.13.4/block/sepolia_integration_63881.json",
  ]) {
    gatewayTest(`the block ${path} is read and written unchanged`, () => {
      const json = read(path);
      const block = readGatewayBlock(json);
      expect(serialized(writeGatewayBlock(block))).toEqual(json);
      expect([...block.transactions]).toEqual(gatewayTransactions(json));
      expect(block.header.hash).toBe(BigInt(json["block_hash"] as string));
      expect(block.receipts.map(shown)).toEqual(gatewayReceipts(json).map(shown));
    });
  }

  gatewayTest("a state update with its block is read and written unchanged", () => {
    const json = read("0.13.1/state_update_with_block/sepolia_integration_9703.json");
    const whole = readGatewayWholeBlock(json);
    expect(whole.signature).toBeUndefined();
    expect(serialized(writeGatewayWholeBlock(whole))).toEqual(json);
    const signed = { ...json, signature: ["0x1", "0x2"] };
    const read2 = readGatewayWholeBlock(signed);
    expect(read2.signature).toEqual({ r: 1n, s: 2n });
    expect(serialized(writeGatewayWholeBlock(read2))).toEqual(signed);
  });

  for (const [path, version] of [
    ["0.12.2/state-update/350000.json", "0.12.2"],
    ["0.13.2/state_update/sepolia_integration_35748.json", "0.13.2"],
    ["0.13.4/state_update/sepolia_integration_63881.json", "0.13.4"],
  ] as const) {
    gatewayTest(`the state update ${path} is read and written unchanged`, () => {
      const json = read(path);
      const update = readGatewayStateUpdate(json);
      expect(serialized(writeGatewayStateUpdate(update, version))).toEqual(json);
      expect(update.stateDiff).toEqual(gatewayStateDiff(json));
    });
  }

  gatewayTest("a pending block is rejected", () => {
    const json = read("0.13.1/state_update_with_block/sepolia_integration_pending.json");
    expect(() => readGatewayWholeBlock(json)).toThrow("block.block_hash: expected");
  });

  gatewayTest("both signature formats are read, and the current one is written", () => {
    const current = read("0.13.2/signature/sepolia_integration_35748.json");
    const signature = readGatewaySignature(current);
    expect(serialized(writeGatewaySignature(signature.blockHash, signature))).toEqual(current);
    const former = read("0.12.2/signature/350000.json");
    const input = former["signature_input"] as JsonObject;
    expect(serialized(writeGatewaySignature(0n, readGatewaySignature(former)))).toEqual({
      block_hash: "0x0",
      signature: former["signature"],
    });
    expect(readGatewaySignature(former).blockHash).toBe(BigInt(input["block_hash"] as string));
  });
});

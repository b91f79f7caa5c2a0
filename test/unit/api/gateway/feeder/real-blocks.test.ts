import { describe, expect } from "bun:test";
import type { JsonObject, JsonValue } from "#base/codec/index.ts";
import {
  type GatewayBlock,
  type GatewayStateUpdate,
  readGatewayBlock,
  readGatewayStateUpdate,
} from "#io/feeder/index.ts";
import type { BlockHeader } from "#protocol/chain/index.ts";
import { fakeHeader } from "#test/helpers/fake-chain.ts";
import { feederOf } from "#test/helpers/feeder.ts";
import { SAMPLE_CHAIN, sampleContext } from "#test/helpers/sample-chain.ts";
import { fixtureTest, readFixtureJson } from "#test/helpers/shared.ts";
import { readStrictly } from "#test/helpers/strict-gateway/index.ts";

const gatewayTest = fixtureTest("gateway-blocks");

/** Feeder of a chain whose newest block is `block`. */
function serving(block: GatewayBlock, update: GatewayStateUpdate | undefined) {
  const { status, ...fields } = block.header;
  const { number } = fields;
  const missing = fakeHeader({ number });
  // A node stores these values once computed, even where gateways omit them for older blocks.
  const header: BlockHeader = {
    ...fields,
    transactionCommitment: fields.transactionCommitment ?? missing.transactionCommitment,
    eventCommitment: fields.eventCommitment ?? missing.eventCommitment,
    receiptCommitment: fields.receiptCommitment ?? missing.receiptCommitment,
    stateDiffCommitment: fields.stateDiffCommitment ?? missing.stateDiffCommitment,
    stateDiffLength: fields.stateDiffLength ?? 0,
    transactionCount: block.transactions.length,
    eventCount: 0,
  };
  const parent = fakeHeader({ number: number - 1, newRoot: update?.oldRoot ?? 0n });
  const at =
    <T>(value: T) =>
    (blockNumber: number) =>
      blockNumber === number ? value : undefined;
  return feederOf({
    context: sampleContext({
      pending: () => undefined,
      chain: {
        ...SAMPLE_CHAIN,
        latestNumber: () => number,
        l1AcceptedNumber: () => (status === "ACCEPTED_ON_L1" ? number : undefined),
        numberByHash: (hash) => (hash === header.hash ? number : undefined),
        header: at(header),
        ancestorHeader: (blockNumber) =>
          blockNumber === number - 1 ? parent : at(header)(blockNumber),
        transactions: (blockNumber) => [...(at(block.transactions)(blockNumber) ?? [])],
        receipts: (blockNumber) => [...(at(block.receipts)(blockNumber) ?? [])],
        stateDiff: at(update?.stateDiff),
      },
    }),
  });
}

const read = (path: string) => readFixtureJson("gateway-blocks", path) as JsonObject;

describe("gateway feeder reproduces blocks of the public networks", () => {
  for (const path of [
    "pre_0.7.0/block/mainnet_genesis.json",
    "0.7.0/block/mainnet_2240.json",
    "0.8.0/block/mainnet_2500.json",
    "0.9.0/block/mainnet_2800.json",
    "0.11.1/block/mainnet_65000.json",
    "0.13.2/block/sepolia_integration_35748.json",
    "0.13.4/block/sepolia_integration_63881.json",
  ]) {
    gatewayTest(path, async () => {
      const json = read(path);
      const block = readGatewayBlock(json);
      const { ask } = serving(block, undefined);
      const { number, hash } = block.header;
      for (const query of [`blockNumber=${number}`, `blockHash=0x${hash.toString(16)}`]) {
        const answer = await ask(`get_block?${query}`);
        expect(answer.json).toEqual(json);
        readStrictly("block", answer.text);
      }
    });
  }

  for (const version of ["0.13.2", "0.13.4"]) {
    gatewayTest(`returns the state update of a block of ${version} unchanged`, async () => {
      const number = version === "0.13.2" ? "35748" : "63881";
      const block = readGatewayBlock(read(`${version}/block/sepolia_integration_${number}.json`));
      const json = read(`${version}/state_update/sepolia_integration_${number}.json`);
      const update = readGatewayStateUpdate(json);
      const { ask } = serving(block, update);
      const answer = await ask("get_state_update");
      expect(answer.json).toEqual(json);
      readStrictly("stateUpdate", answer.text);
    });
  }

  gatewayTest("returns a state update with its block unchanged", async () => {
    const json = read("0.13.1/state_update_with_block/sepolia_integration_9703.json");
    const update = readGatewayStateUpdate(json["state_update"] as JsonValue);
    const { ask } = serving(readGatewayBlock(json["block"] as JsonValue), update);
    const answer = await ask("get_state_update?includeBlock=true");
    expect(answer.json).toEqual(json);
    readStrictly("wholeBlock", answer.text);
  });
});

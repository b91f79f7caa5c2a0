import { describe, expect } from "bun:test";
import { keccak256, toHex } from "viem";
import {
  NO_BLOCK,
  postUpdate,
  TEST_PROGRAM_HASH,
  type TestUpdate,
  updateFact,
  updateOutput,
  words,
} from "#test/helpers/l1-core.ts";
import { l1Address } from "#test/helpers/l1-contract.ts";
import { type CoreWorld, useCore } from "#test/helpers/use-core.ts";

const PRIME = 0x800000000000011000000000000000000000000000000000000000000000001n;
const NONE = { root: 0n, number: -1n, hash: 0n };
const FIRST = { root: 11n, number: 0n, hash: 21n };
const PLAIN: TestUpdate = { previous: NONE, next: FIRST, toL1: [], toL2: [] };
const SENDER = BigInt(l1Address(1));

/** Positions in the header of an output. */
const AT = { prevNumber: 2, nextNumber: 3, osProgram: 6, config: 7, kzg: 8, full: 9, toL1: 10 };

const onL1 = useCore();

/** Copy of an output with the word at a position replaced. */
function withWord(output: readonly bigint[], at: number, value: bigint): bigint[] {
  return output.with(at, value);
}

/** Registers the fact of an output and returns its refusal. */
async function refusal({ core, verifier }: CoreWorld, output: readonly bigint[]): Promise<string> {
  await verifier.send("registerFact", [updateFact(output)]);
  return core.refusal("updateState", [output, 0n, 0n]);
}

function stateOf({ core }: CoreWorld): Promise<unknown[]> {
  const names = ["stateRoot", "stateBlockNumber", "stateBlockHash"];
  return Promise.all(names.map((name) => core.read(name)));
}

describe("updateState", () => {
  onL1("advances the state from no block to the first and then over several", async (world) => {
    expect(await stateOf(world)).toEqual([0n, -1n, 0n]);
    await postUpdate(world.anvil, world.deployed, PLAIN);
    expect(await stateOf(world)).toEqual([11n, 0n, 21n]);
    const next = { root: 12n, number: 5n, hash: 22n };
    const output = updateOutput({ ...PLAIN, previous: FIRST, next });
    await world.verifier.send("registerFact", [updateFact(output)]);
    const events = await world.core.send("updateState", [output, 0n, 0n]);
    const root = keccak256(words([BigInt(keccak256(words(output))), 12n, 0n, 12n]));
    expect(events).toEqual([
      {
        eventName: "LogStateTransitionFact",
        args: { stateTransitionFact: toHex(BigInt(root) + 1n, { size: 32 }) },
      },
      {
        eventName: "LogStateUpdate",
        args: { globalRoot: 12n, blockNumber: 5n, blockHash: 22n },
      },
    ]);
    expect(await stateOf(world)).toEqual([12n, 5n, 22n]);
  });

  onL1("logs messages in order and pays their fees to the operator", async (world) => {
    const { core, verifier, anvil } = world;
    const args = [7n, 8n, [9n]];
    await core.send("sendMessageToL2", args, { from: 1, value: 1_000n });
    await core.send("sendMessageToL2", args, { from: 1, value: 30n });
    const toL2 = [SENDER, 7n, 1n, 8n, 1n, 9n, SENDER, 7n, 0n, 8n, 1n, 9n];
    const output = updateOutput({ ...PLAIN, toL1: [5n, 6n, 2n, 3n, 4n, 5n, 6n, 0n], toL2 });
    await verifier.send("registerFact", [updateFact(output)]);
    await core.send("registerOperator", [l1Address(2)]);
    await anvil.client.setBalance({ address: l1Address(2), value: 10n ** 18n });
    const events = await core.send("updateState", [output, 0n, 0n], { from: 2 });
    const toAddress = toHex(6n, { size: 20 });
    const fromAddress = l1Address(1);
    expect(events.slice(1, -1)).toEqual([
      { eventName: "LogMessageToL1", args: { fromAddress: 5n, toAddress, payload: [3n, 4n] } },
      { eventName: "LogMessageToL1", args: { fromAddress: 5n, toAddress, payload: [] } },
      ...[1n, 0n].map((nonce) => ({
        eventName: "ConsumedMessageToL2",
        args: { fromAddress, toAddress: 7n, selector: 8n, payload: [9n], nonce },
      })),
    ]);
    expect(await anvil.client.getBalance({ address: core.address })).toBe(0n);
  });

  onL1("pays fees to the fee collector if there is one", async (world) => {
    const { core, anvil } = world;
    const collector = toHex(0xc011ec7n, { size: 20 });
    await core.send("setFeeCollectionAddress", [collector]);
    await core.send("sendMessageToL2", [7n, 8n, []], { from: 1, value: 1_000n });
    await postUpdate(anvil, world.deployed, { ...PLAIN, toL2: [SENDER, 7n, 0n, 8n, 0n] });
    expect(await anvil.client.getBalance({ address: collector })).toBe(1_000n);
  });

  onL1(
    "requires the fact of exactly these L1 data and this program",
    async ({ core, verifier }) => {
      const output = updateOutput(PLAIN);
      await verifier.send("registerFact", [updateFact(output)]);
      expect(await core.refusal("updateState", [output, 0n, 0n])).toBe("no refusal");
      expect(await core.refusal("updateState", [output, 1n, 0n])).toBe("NO_STATE_TRANSITION_PROOF");
      expect(await core.refusal("updateState", [output, 0n, 1n])).toBe("NO_STATE_TRANSITION_PROOF");
      await core.send("setProgramHash", [TEST_PROGRAM_HASH + 1n]);
      expect(await core.refusal("updateState", [output, 0n, 0n])).toBe("NO_STATE_TRANSITION_PROOF");
    },
  );

  onL1("accepts an aggregator that names the aggregated program", async (world) => {
    const { core, verifier } = world;
    await core.send("setAggregatorProgramHash", [77n]);
    const output = withWord(updateOutput(PLAIN), AT.osProgram, TEST_PROGRAM_HASH);
    const length = BigInt(output.length);
    const root = keccak256(words([BigInt(keccak256(words(output))), length, 0n, length]));
    expect(await refusal(world, output)).toBe("NO_STATE_TRANSITION_PROOF");
    await verifier.send("registerFact", [keccak256(words([77n, BigInt(root) + 1n]))]);
    expect(await core.refusal("updateState", [output, 0n, 0n])).toBe("no refusal");
    expect(await refusal(world, withWord(output, AT.osProgram, 5n))).toBe(
      "AGGREGATOR_MODE_INVALID_OS_PROGRAM_HASH",
    );
  });
});

describe("updateState rejects", () => {
  onL1("callers that are not operators, also former ones", async ({ core, verifier }) => {
    const output = updateOutput(PLAIN);
    await verifier.send("registerFact", [updateFact(output)]);
    for (const [name, args] of [
      ["updateState", [output, 0n, 0n]],
      ["updateStateKzgDA", [output, []]],
    ] as const) {
      expect(await core.refusal(name, args, { from: 1 })).toBe("ONLY_OPERATOR");
    }
    await core.send("unregisterOperator", [l1Address(0)]);
    expect(await core.refusal("updateState", [output, 0n, 0n])).toBe("ONLY_OPERATOR");
  });

  onL1("an update that was posted before", async (world) => {
    await postUpdate(world.anvil, world.deployed, PLAIN);
    expect(await refusal(world, updateOutput(PLAIN))).toBe("INVALID_PREV_BLOCK_NUMBER");
  });

  onL1("an update that does not continue the state", async (world) => {
    const first = { root: 11n, number: 3n, hash: 21n };
    await postUpdate(world.anvil, world.deployed, { ...PLAIN, next: first });
    const good = updateOutput({
      ...PLAIN,
      previous: first,
      next: { root: 12n, number: 4n, hash: 22n },
    });
    const wrong: readonly (readonly [number, bigint, string])[] = [
      [0, 12n, "INVALID_PREVIOUS_ROOT"],
      [AT.prevNumber, 2n, "INVALID_PREV_BLOCK_NUMBER"],
      [AT.prevNumber, 4n, "INVALID_PREV_BLOCK_NUMBER"],
      [AT.prevNumber, NO_BLOCK, "INVALID_PREV_BLOCK_NUMBER"],
      [AT.nextNumber, 3n, "INVALID_NEW_BLOCK_NUMBER"],
      [AT.nextNumber, 0n, "INVALID_NEW_BLOCK_NUMBER"],
      [AT.nextNumber, PRIME, "PROGRAM_OUTPUT_VALUE_OUT_OF_RANGE"],
      [AT.nextNumber, 2n ** 256n - 1n, "PROGRAM_OUTPUT_VALUE_OUT_OF_RANGE"],
      [4, 22n, "INVALID_PREV_BLOCK_HASH"],
      [5, PRIME, "PROGRAM_OUTPUT_VALUE_OUT_OF_RANGE"],
      [AT.config, 1n, "INVALID_CONFIG_HASH"],
      [AT.kzg, 1n, "UNEXPECTED_KZG_DA_FLAG"],
      [AT.kzg, 2n, "UNEXPECTED_KZG_DA_FLAG"],
      [AT.full, 1n, "FULL_OUTPUT_NOT_SUPPORTED"],
    ];
    for (const [at, value, text] of wrong) {
      expect([at, value, await refusal(world, withWord(good, at, value))]).toEqual([
        at,
        value,
        text,
      ]);
    }
    expect(await refusal(world, good)).toBe("no refusal");
  });

  onL1("inconsistent lengths", async (world) => {
    const good = updateOutput(PLAIN);
    const head = good.slice(0, AT.toL1);
    const cases: readonly (readonly [readonly bigint[], string])[] = [
      [[], "STARKNET_OUTPUT_TOO_SHORT"],
      [head, "STARKNET_OUTPUT_TOO_SHORT"],
      [[...head, 0n], "STARKNET_OUTPUT_TOO_SHORT"],
      [[...head, 0n, 0n, 0n], "STARKNET_OUTPUT_TOO_LONG"],
      [[...head, 2n ** 30n, 0n], "INVALID_MESSAGE_SEGMENT_SIZE"],
      [[...head, PRIME - 1n, 0n], "INVALID_MESSAGE_SEGMENT_SIZE"],
      [[...head, 2n ** 30n - 1n, 0n], "MESSAGE_TOO_SHORT"],
      [[...head, 1n, 0n], "MESSAGE_TOO_SHORT"],
      [[...head, 3n, 1n, 2n], "MESSAGE_TOO_SHORT"],
      [[...head, 3n, 1n, 2n, 1n], "TRUNCATED_MESSAGE_PAYLOAD"],
      [[...head, 3n, 1n, 2n, 2n ** 30n, 0n], "INVALID_PAYLOAD_LENGTH"],
      [[...head, 3n, 1n, 2n, PRIME - 1n, 0n], "INVALID_PAYLOAD_LENGTH"],
      // The message reaches beyond its segment, into the next one.
      [[...head, 3n, 1n, 2n, 1n, 0n], "INVALID_MESSAGE_SEGMENT_SIZE"],
      [[...head, 2n, 1n, 2n, 0n, 0n], "INVALID_MESSAGE_SEGMENT_SIZE"],
      [[...head, 3n, 1n, 2n, 0n], "STARKNET_OUTPUT_TOO_SHORT"],
      [[...head, 0n, 4n, 1n, 2n, 3n, 4n], "MESSAGE_TOO_SHORT"],
      [[...head, 0n, 5n, 1n, 2n, 3n, 4n, 1n], "TRUNCATED_MESSAGE_PAYLOAD"],
      [[...head, 0n, 2n ** 30n, 1n], "INVALID_MESSAGE_SEGMENT_SIZE"],
      [[...head, 0n, 5n, 1n, 2n, 3n, 4n, 0n], "INVALID_MESSAGE_TO_CONSUME"],
    ];
    for (const [output, text] of cases) {
      const tail = output.slice(AT.toL1);
      expect([tail, await refusal(world, output)]).toEqual([tail, text]);
    }
  });

  onL1("messages to consume that were not sent, or duplicates", async (world) => {
    await world.core.send("sendMessageToL2", [7n, 8n, [9n]], { from: 1, value: 1n });
    const message = [SENDER, 7n, 0n, 8n, 1n, 9n];
    for (const toL2 of [
      withWord(message, 0, SENDER + 1n),
      // An address of more than 160 bits changes the hash.
      withWord(message, 0, SENDER + 2n ** 160n),
      withWord(message, 2, 1n),
      withWord(message, 5, 8n),
      [...message, ...message],
    ]) {
      expect(await refusal(world, updateOutput({ ...PLAIN, toL2 }))).toBe(
        "INVALID_MESSAGE_TO_CONSUME",
      );
    }
    expect(await refusal(world, updateOutput({ ...PLAIN, toL2: message }))).toBe("no refusal");
  });
});

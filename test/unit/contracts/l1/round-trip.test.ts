import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { stringifyJson } from "#base/codec/index.ts";
import { l1MessageHash, l2MessageHash } from "#protocol/chain/index.ts";
import { type RunningAnvil, startAnvil } from "#test/helpers/anvil.ts";
import { PROTOCOL_VERSIONS, SCENARIO_FOLDER } from "#test/helpers/contract-scenarios/index.ts";
import {
  BOB,
  call,
  entry,
  type Json,
  scenario,
  slot,
  type Step,
} from "#test/helpers/contract-scenarios/kit.ts";
import {
  deployTokenBridge,
  FEE,
  halves,
  L1World,
  L2_BRIDGE,
  type LoggedMessage,
  testToken,
  USER,
} from "#test/helpers/l1-bridges.ts";
import { CORE_ABI } from "#test/helpers/l1-core-abi.ts";
import { scenarioDecoder } from "#test/helpers/scenario/input.ts";
import { runScenario } from "#test/helpers/scenario/run.ts";
import { callsOf, type ScenarioResult } from "../scenario-result.ts";

const AMOUNT = 2n ** 200n + 5n;
const hex = (value: bigint): string => `0x${value.toString(16)}`;

let anvil: RunningAnvil;

beforeAll(async () => {
  anvil = await startAnvil();
});

afterAll(async () => {
  await anvil.stop();
});

/** The L1-handler transaction of a message. */
function handlerOf({ fromAddress, toAddress, selector, payload, nonce }: LoggedMessage) {
  return {
    contractAddress: toAddress,
    entryPointSelector: selector,
    calldata: [BigInt(fromAddress), ...payload],
    nonce,
  };
}

function handlerStep(message: LoggedMessage): Step {
  const { contractAddress, entryPointSelector, calldata, nonce } = handlerOf(message);
  return {
    name: "a message of L1",
    l1_handler: {
      contract_address: hex(contractAddress),
      entry_point_selector: hex(entryPointSelector),
      calldata: calldata.map(hex),
      nonce: hex(nonce),
      paid_fee_on_l1: "0x38d7ea4c68000",
    },
  };
}

/** Runs steps on a chain with the L2 bridge, on this project's engine. */
function run(version: string, l1Bridge: string, steps: readonly Step[]): ScenarioResult {
  const { classHash } = entry("token_bridge");
  const storage = {
    [slot("l1_bridge")]: l1Bridge,
    [slot("erc20_class_hash")]: entry("erc20").classHash,
  };
  const world = scenario(
    "round trip",
    "",
    version,
    {
      [hex(L2_BRIDGE)]: { class_hash: classHash, storage },
    },
    steps,
  );
  const bridgeClass = {
    class_hash: classHash,
    sierra: "../../../contracts/l2/token_bridge.sierra.json",
    casm: "../../../contracts/l2/build/token_bridge.casm.json",
  };
  const classes = [...(world.classes as readonly Json[]), bridgeClass];
  const input = scenarioDecoder.decode(JSON.parse(JSON.stringify({ ...world, classes })), "");
  return JSON.parse(
    stringifyJson(runScenario(input, SCENARIO_FOLDER, "round trip")),
  ) as ScenarioResult;
}

describe.each([...PROTOCOL_VERSIONS])("at protocol %s", (version) => {
  test("L2 accepts the messages of L1, and L1 pays out the withdrawals of L2", async () => {
    const world = await L1World.deploy(anvil);
    const { manager, bridge } = await deployTokenBridge(world, L2_BRIDGE);
    const token = await testToken(world, bridge, AMOUNT);
    const receipts = [
      await world.send(manager, "enrollTokenBridge", [token.address], { value: FEE }),
      await world.send(bridge, "deposit", [token.address, AMOUNT, BigInt(BOB)], {
        by: USER,
        value: FEE,
      }),
    ];
    const messages = receipts.flatMap((receipt) => world.messagesToL2(receipt));
    expect(messages.map(({ nonce }) => nonce)).toEqual([0n, 1n]);
    for (const message of messages) {
      // The core contract stores a message under the hash that this project computes for it.
      const key = hex(l1MessageHash(handlerOf(message)))
        .slice(2)
        .padStart(64, "0");
      expect(
        await anvil.client.readContract({
          address: world.core.address,
          abi: CORE_ABI,
          functionName: "l1ToL2Messages",
          args: [`0x${key}`],
        }),
      ).toBe(FEE + 1n);
    }
    const withdrawal = [token.address, USER.address, ...halves(AMOUNT).map(hex)];
    const result = run(version, bridge.address.toLowerCase(), [
      ...messages.map(handlerStep),
      call("withdraw", hex(L2_BRIDGE), "initiate_token_withdraw", withdrawal, BOB),
    ]);
    expect(result.steps.map(({ outcome }) => outcome)).toEqual([
      "succeeded",
      "succeeded",
      "succeeded",
    ]);
    const [sent, ...more] = result.steps.flatMap((step) =>
      callsOf(step).flatMap((inner) => inner.messages),
    );
    if (sent === undefined) throw new TypeError("no message");
    expect(more).toEqual([]);
    expect(BigInt(sent.to_address)).toBe(BigInt(bridge.address));
    const payload = sent.payload.map(BigInt);
    await world.update(bridge.address, [payload], messages);
    expect(await Promise.all(messages.map((message) => world.messageValue(message)))).toEqual([
      0n,
      0n,
    ]);
    const key = l2MessageHash({
      fromAddress: L2_BRIDGE,
      toAddress: BigInt(bridge.address),
      payload,
    });
    const waiting = () =>
      anvil.client.readContract({
        address: world.core.address,
        abi: CORE_ABI,
        functionName: "l2ToL1Messages",
        args: [`0x${key.toString(16).padStart(64, "0")}`],
      });
    expect(await waiting()).toBe(1n);
    await world.send(bridge, "withdraw", [token.address, AMOUNT, USER.address]);
    expect(await waiting()).toBe(0n);
    expect(await world.read<bigint>(token, "balanceOf", USER.address)).toBe(AMOUNT);
  });
});

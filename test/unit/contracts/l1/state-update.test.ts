import { afterAll, beforeAll, expect, test } from "bun:test";
import { parseEventLogs } from "viem";
import { type RunningAnvil, startAnvil } from "#test/helpers/anvil.ts";
import { CORE_ABI } from "#test/helpers/l1-core-abi.ts";
import { deployCore, type DeployedCore, postUpdate } from "#test/helpers/l1-core.ts";

let anvil: RunningAnvil;
let core: DeployedCore;

beforeAll(async () => {
  anvil = await startAnvil();
  core = await deployCore(anvil);
}, 60_000);

afterAll(async () => {
  await anvil.stop();
});

function read(functionName: "stateRoot" | "stateBlockNumber" | "stateBlockHash") {
  return anvil.client.readContract({ address: core.address, abi: CORE_ABI, functionName });
}

test("a core contract begins without a block, and takes updates in order", async () => {
  expect(await read("stateBlockNumber")).toBe(-1n);
  const first = { root: 11n, number: 0n, hash: 21n };
  const none = { root: 0n, number: -1n, hash: 0n };
  const receipt = await postUpdate(anvil, core, {
    previous: none,
    next: first,
    toL1: [],
    toL2: [],
  });
  expect(receipt.status).toBe("success");
  expect(
    parseEventLogs({ abi: CORE_ABI, logs: receipt.logs }).map(({ eventName }) => eventName),
  ).toEqual(["LogStateTransitionFact", "LogStateUpdate"]);
  expect(
    await Promise.all([read("stateRoot"), read("stateBlockNumber"), read("stateBlockHash")]),
  ).toEqual([11n, 0n, 21n]);
});

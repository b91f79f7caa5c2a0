import { afterAll, beforeAll, expect, test } from "bun:test";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import {
  createL1Source,
  L1_LIMITS,
  type MessageLog,
  messageToL2Hash,
  type StartableL1Source,
} from "#io/l1/index.ts";
import { type RunningAnvil, startAnvil } from "#test/helpers/anvil.ts";
import { deployCore, type DeployedCore, postUpdate } from "#test/helpers/l1-core.ts";
import { CORE_ABI } from "#test/helpers/l1-core-abi.ts";
import { L1_FAULTS, type L1Proxy, startL1Proxy } from "#test/helpers/l1-proxy.ts";

let anvil: RunningAnvil;
let core: DeployedCore;
let proxy: L1Proxy;
let source: StartableL1Source;
const stopping = new AbortController();

beforeAll(async () => {
  anvil = await startAnvil();
  core = await deployCore(anvil);
  proxy = await startL1Proxy(anvil.url);
  source = createL1Source({
    endpoints: [proxy.url],
    coreContractAddress: BigInt(core.address),
    chainId: undefined,
    limits: L1_LIMITS,
    timer: SYSTEM_TIMER,
    signal: stopping.signal,
    onNoFeeHistory: () => undefined,
    onEndpoint: () => undefined,
  });
}, 60_000);

afterAll(async () => {
  stopping.abort();
  await proxy[Symbol.asyncDispose]();
  await anvil.stop();
});

async function send(payload: readonly bigint[], feeWei = 5n): Promise<void> {
  const hash = await anvil.client.writeContract({
    address: core.address,
    abi: CORE_ABI,
    functionName: "sendMessageToL2",
    args: [0x123n, 0x456n, payload],
    value: feeWei,
  });
  await anvil.client.waitForTransactionReceipt({ hash });
}

async function messages(): Promise<readonly MessageLog[]> {
  const logs = await source.view(0, (view) => view.logs(0, view.block.number));
  return logs.filter((log) => log.kind === "message_to_l2");
}

test("a view reads messages with their hashes and their state in the core contract", async () => {
  expect(await source.chainId()).toBe(31_337);
  expect(await source.hasCoreContract()).toBe(true);
  await send([1n, 2n]);
  await send([]);
  await send([2n ** 256n - 1n], 7n);
  const cancellation = await anvil.client.writeContract({
    address: core.address,
    abi: CORE_ABI,
    functionName: "startL1ToL2MessageCancellation",
    args: [0x123n, 0x456n, [], 1n],
  });
  await anvil.client.waitForTransactionReceipt({ hash: cancellation });
  const found = await messages();
  expect(found.map(({ payload, nonce, feeWei }) => [payload, nonce, feeWei])).toEqual([
    [[1n, 2n], 0n, 5n],
    [[], 1n, 5n],
    [[2n ** 256n - 1n], 2n, 7n],
  ]);
  expect(found[0]).toMatchObject({
    fromAddress: BigInt(anvil.client.account.address),
    toAddress: 0x123n,
    selector: 0x456n,
  });
  const { timestamp } = await anvil.client.getBlock();
  const hashes = found.map(messageToL2Hash);
  expect(await source.view(0, (view) => view.messages(hashes))).toEqual([
    { feePlusOne: 6n, cancellationStarted: 0n },
    { feePlusOne: 6n, cancellationStarted: timestamp },
    { feePlusOne: 8n, cancellationStarted: 0n },
  ]);
  expect(await source.view(0, (view) => view.nextMessageNonce())).toBe(3n);
});

test("many messages are read in few calls", async () => {
  const known = (await messages()).map(messageToL2Hash);
  const hashes = Array.from({ length: 600 }, (_, i) => known[i % 7] ?? BigInt(i));
  proxy.call.length = 0;
  const states = await source.view(0, (view) => view.messages(hashes));
  expect(states).toHaveLength(600);
  states.forEach(({ feePlusOne }, i) => {
    expect(feePlusOne).toBe([6n, 6n, 8n][i % 7] ?? 0n);
  });
  expect(proxy.call.filter(({ method }) => method === "eth_call")).toHaveLength(3);
});

test("an endpoint that rejects the batch code is queried message by message", async () => {
  const known = (await messages()).map(messageToL2Hash);
  const whole = await source.view(0, (view) => view.messages(known));
  const rule = proxy.add({
    methods: ["eth_call"],
    lie: ({ call, honest }) => {
      const [{ to }] = call.params as readonly [{ readonly to?: string }];
      return to === undefined ? { status: 200, headers: {}, text: REFUSED } : honest();
    },
  });
  expect(await source.view(0, (view) => view.messages(known))).toEqual(whole);
  rule.end();
});

const REFUSED = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  error: { code: -32_000, message: "no such" },
});

test("logs that an index omits are found in the receipts of that endpoint", async () => {
  const lacking = await startL1Proxy(anvil.url);
  lacking.add(L1_FAULTS.omitLogs((_, index) => index !== 1));
  const told: string[] = [];
  const two = createL1Source({
    endpoints: [lacking.url, proxy.url],
    coreContractAddress: BigInt(core.address),
    chainId: undefined,
    limits: L1_LIMITS,
    timer: SYSTEM_TIMER,
    signal: stopping.signal,
    onNoFeeHistory: () => undefined,
    onEndpoint: (name, state) => told.push(`${name} ${state}`),
  });
  const logs = await two.view(0, (view) => view.logs(0, view.block.number));
  await lacking[Symbol.asyncDispose]();
  expect(logs).toEqual(await messages());
  expect(told).toContain(`${lacking.url} left`);
});

test("a view reads state updates and the core state at its block", async () => {
  const before = await anvil.client.getBlockNumber({ cacheTime: 0 });
  const none = { root: 0n, number: -1n, hash: 0n };
  const next = { root: 11n, number: 4n, hash: 21n };
  await postUpdate(anvil, core, { previous: none, next, toL1: [], toL2: [] });
  await anvil.client.mine({ blocks: 5 });
  const [logs, state] = await source.view(0, async (view) => [
    await view.logs(Number(before), view.block.number),
    await view.coreState(),
  ]);
  expect(logs).toMatchObject([
    { kind: "state_update", stateRoot: 11n, blockNumber: 4n, blockHash: 21n },
  ]);
  expect(state).toEqual({ stateRoot: 11n, blockNumber: 4n, blockHash: 21n });
  const older = await source.view(6, (view) => view.coreState());
  expect(older.blockNumber).toBe(-1n);
  await anvil.client.mine({ blocks: 1 });
  expect((await source.view("finalized", ({ block }) => Promise.resolve(block))).number).toBe(
    Number((await anvil.client.getBlock({ blockTag: "finalized" })).number),
  );
});

test("a block before the deployment has the state before the first update", async () => {
  const head = Number(await anvil.client.getBlockNumber({ cacheTime: 0 }));
  const [state, nonce, states] = await source.view(head, (view) =>
    Promise.all([view.coreState(), view.nextMessageNonce(), view.messages([1n])]),
  );
  expect(state).toEqual({ stateRoot: 0n, blockNumber: -1n, blockHash: 0n });
  expect([nonce, states]).toEqual([0n, [{ feePlusOne: 0n, cancellationStarted: 0n }]]);
});

test("fee quotes follow the prices of L1", async () => {
  const block = await anvil.client.getBlock();
  const { l1GasWei, l1DataGasWei } = await source.feeQuote();
  expect(l1GasWei).toBeGreaterThan(0n);
  expect(l1GasWei).toBeLessThanOrEqual(block.baseFeePerGas ?? 0n);
  expect(l1DataGasWei).toBe(1n);
});

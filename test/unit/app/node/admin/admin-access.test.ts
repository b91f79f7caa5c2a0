import { expect, test } from "bun:test";
import type { L1Options } from "#app/node/setup/l1-options.ts";
import { adminAccess, SHUTDOWN_DELAY_MS } from "#app/node/admin/admin-access.ts";
import type { LogLevel } from "#base/telemetry/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { l1Options } from "#test/helpers/node-options.ts";

const MESSAGE = {
  l1ContractAddress: 0x11n,
  l2ContractAddress: 0x22n,
  entryPointSelector: 3n,
  payload: [],
  nonce: 5n,
  paidFeeOnL1: 6n,
  l1TransactionHash: null,
};

function world({ l1 = null as L1Options | null, isInterrupted = false, devnet = {} } = {}) {
  const lines: unknown[][] = [];
  const line =
    (level: LogLevel) =>
    (...told: unknown[]): number =>
      lines.push([level, ...told]);
  const timer = new FakeTimer();
  const threshold = { level: "info" as LogLevel };
  let stops = 0;
  const reverted: unknown[] = [];
  const access = adminAccess({
    options: {
      role: "sequencer",
      name: "node",
      version: "1.2.3",
      chain: { latestProtocolVersion: "0.14.0" } as never,
      l1,
    },
    context: { ...sampleContext(), ...devnet },
    admission: {
      list: () => Promise.resolve({ waiting: 5, ahead: 0, inFlight: 6, transactions: [] }),
      drop: () => Promise.resolve("dropped"),
      flush: () => Promise.resolve(isInterrupted ? undefined : { dropped: 3, inFlight: 1 }),
    },
    orders: {
      close: () => Promise.resolve({ number: 7, hash: 0x77n }),
      addMessage: () =>
        Promise.resolve({ transactionHash: 0x99n, block: { number: 8, hash: 0x88n } }),
    },
    revert: {
      to: (...back) => {
        reverted.push(back);
        return Promise.resolve([0x6n, 0x5n]);
      },
    },
    threshold,
    log: {
      debug: line("debug"),
      info: line("info"),
      warn: line("warn"),
      error: line("error"),
    } as never,
    timer,
    connections: () => 4,
    stop: () => void stops++,
  });
  return { access, lines, reverted, timer, threshold, stops: () => stops };
}

test("logs each use with its parameters and result", async () => {
  const { access, lines } = world();
  await access.mempool(1, 2, { sender: 0x5n });
  await access.dropTransaction(0x6n);
  await access.flushMempool({ hashes: [1n, 2n], nonceAfter: 3n, nonceBefore: 4n });
  await access.closeBlock();
  await access.addL1HandlerMessage?.(MESSAGE);
  access.note("getBlockBouncerWeights", { block: 9 });
  access.note("ping", {});
  await access.status();
  expect(lines).toEqual([
    ["info", "admin: getMempool", { offset: 1, limit: 2, contract_address: "0x5" }],
    ["warn", "admin: dropTransaction", { hash: "0x6", outcome: "dropped" }],
    [
      "warn",
      "admin: flushMempool",
      { transactions: 2, nonce_after: "0x3", nonce_before: "0x4", dropped: 3, in_flight: 1 },
    ],
    ["warn", "admin: closeBlock", { block: 7 }],
    ["warn", "admin: addL1HandlerMessage", { hash: "0x99", block: 8 }],
    ["info", "admin: getBlockBouncerWeights", { block: 9 }],
    ["debug", "admin: ping", {}],
    ["debug", "admin: status", {}],
  ]);
});

test("reports an interrupted flush", () => {
  const { access, lines } = world({ isInterrupted: true });
  expect(access.flushMempool({})).rejects.toThrow("some transactions may be left");
  return Bun.sleep(0).then(() => expect(lines).toHaveLength(1));
});

test("closes blocks of a development chain with the transactions received so far", async () => {
  const made: boolean[] = [];
  const createBlock = (fresh: boolean) => {
    made.push(fresh);
    return Promise.resolve({ number: 1, hash: 2n });
  };
  const { access } = world({ devnet: { devnet: { createBlock } as never } });
  expect(await access.closeBlock()).toEqual({ number: 1, hash: 2n });
  expect(made).toEqual([false]);
});

test("rejects operator messages on a chain that follows L1", () => {
  const { access } = world({ l1: l1Options("http://localhost:8545") });
  expect(access.addL1HandlerMessage).toBeNull();
});

test("stops the node after a delay that lets the response out", () => {
  const { access, lines, timer, stops } = world();
  access.shutdown();
  expect([lines, stops()]).toEqual([[["warn", "admin: shutdown"]], 0]);
  timer.advance(SHUTDOWN_DELAY_MS - 1);
  expect(stops()).toBe(0);
  timer.advance(1);
  expect(stops()).toBe(1);
});

test("returns the previous log level and logs the change before it takes effect", () => {
  const { access, lines, threshold } = world();
  expect(access.setLogLevel("error")).toBe("info");
  expect(threshold.level).toBe("error");
  expect(lines).toEqual([["warn", "admin: setLogLevel", { level: "error", previous: "info" }]]);
});

test("reports status that the chain does not contain", async () => {
  const { access } = world();
  expect(await access.status()).toMatchObject({
    role: "sequencer",
    version: "1.2.3",
    protocolVersion: "0.14.0",
    mempool: { waiting: 5, inFlight: 6 },
    connections: 4,
    memoryBytes: expect.any(Number),
    uptimeSeconds: expect.any(Number),
  });
});

test("keeps the mempool on a revert, and logs the revert before it starts", async () => {
  const { access, lines, reverted } = world();
  const check = (): void => undefined;
  expect(await access.revertTo(4, check)).toBe(2);
  expect(reverted).toEqual([[{ blockNumber: 4, keepReceived: true, keepL1Accepted: true, check }]]);
  expect(lines).toEqual([["warn", "admin: revertTo", { block: 4, newest: 1 }]]);
});

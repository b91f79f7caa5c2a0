import { describe, expect, test } from "bun:test";
import { Follower } from "#app/node/sync/follower.ts";
import { L1_NOT_FOLLOWED } from "#app/node/threads/roles/followed-l1.ts";
import { SyncLog } from "#app/node/sync/reports/sync-log.ts";
import { TerminalLine } from "#app/node/sync/reports/terminal-line.ts";
import { createNodeMetrics } from "#base/metrics/index.ts";
import { createLogger } from "#base/telemetry/index.ts";
import type { FromSync, SyncRevert, ToSync } from "#services/sync/index.ts";
import { settle } from "#test/helpers/admission-world.ts";
import { COMPILED, compilerWorld } from "#test/helpers/fake-compiler.ts";
import { fakePort } from "#test/helpers/fake-port.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { standInServices } from "#test/helpers/stand-in-services.ts";
import { importedBlock, refusalOf, progressMessage } from "#test/helpers/sync-messages.ts";

const HANDED_ON = [{ hash: 1n, bytes: new Uint8Array(), bodyJson: undefined }];

const GRACE_MS = 60_000;

/** A follower whose collaborators are fakes. */
function world() {
  const timer = new FakeTimer();
  const port = fakePort<FromSync, ToSync>();
  const metrics = createNodeMetrics();
  const lines: string[] = [];
  const seen: unknown[] = [];
  const { submit, mempool } = standInServices();
  const nowMs = () => timer.nowMs();
  const log = createLogger({ level: "info", format: "text", write: (line) => lines.push(line) });
  const line = new TerminalLine({ write: () => undefined }, nowMs);
  const compiler = compilerWorld(1);
  const follower = new Follower({
    sync: { port },
    compiler,
    forwarded: {
      submit,
      mempool,
      forwardedSubmissions: () => HANDED_ON,
      stop: (isChange) => seen.push(`forwarding stopped${isChange ? " for a change" : ""}`),
    },
    reorg: {
      to(order: SyncRevert) {
        seen.push(order);
        return Promise.resolve();
      },
    },
    log: new SyncLog({ log, line, sourceName: "the gateway", nowMs }),
    metrics,
    stopAt: null,
    sourceName: "the gateway",
    graceMs: GRACE_MS,
    followL1: () => L1_NOT_FOLLOWED,
    accepted: ({ blockNumber }) => seen.push(`counted ${blockNumber}`),
    refused: (refusal) => seen.push(refusal),
    onOtherChain: (message) => seen.push(message),
    timer,
  });
  follower.growth.deltas.listen((message) => seen.push(message));
  follower.growth.accepted.listen((block) => {
    seen.push(block);
    follower.accepted(block);
  });
  const metric = async (name: string) =>
    (await metrics.registry.getSingleMetric(name)?.get())?.values;
  return { follower, port, timer, lines, seen, metric, compiler, submit, mempool };
}

describe("the follower", () => {
  test("forwards growth of the chain in order", () => {
    const { port, seen } = world();
    const delta = { kind: "delta", blockNumber: 5, sequence: 0, bytes: new Uint8Array() } as const;
    port.tell(delta);
    port.tell(importedBlock(5));
    port.tell({ kind: "pendingDropped" });
    expect(seen).toEqual([delta, importedBlock(5), "counted 5", { kind: "pendingDropped" }]);
  });

  test("derives `syncing` and readiness from the sync thread's messages", () => {
    const { port, follower } = world();
    port.tell(progressMessage(3, 6));
    expect(follower.syncStatus()).toMatchObject({ currentBlock: { number: 3 } });
    port.tell(progressMessage(6, 6));
    expect(follower.syncStatus()).toBe(false);
    port.tell({ kind: "refused", refusal: refusalOf(7) });
    expect(follower.following()).toMatchObject({ highestBlock: 6, isInSync: true });
    expect(follower.following().reason).toContain("block 7 is refused");
  });

  test("logs each block once it has caught up", () => {
    const { port, lines } = world();
    port.tell(progressMessage(3, 5));
    port.tell(importedBlock(4));
    expect(lines).toEqual([]);
    port.tell(importedBlock(5));
    port.tell(progressMessage(5, 5));
    port.tell(importedBlock(6));
    expect(lines.map((line) => /caught up|block \d+ imported/.exec(line)?.[0])).toEqual([
      "caught up",
      "block 6 imported",
    ]);
  });

  test("counts requests, stages, blocks and refusals", async () => {
    const { port, metric } = world();
    const asked = {
      kind: "gatewayRequestEnded",
      url: "http://g",
      route: "get_block",
      seconds: 1,
    } as const;
    port.tell({ ...asked, outcome: "answered", failure: undefined });
    port.tell({ ...asked, outcome: "failed", failure: "broken" });
    port.tell({ kind: "stage", stage: "apply", seconds: 0.5 });
    port.tell(progressMessage(3, 5));
    port.tell(importedBlock(4));
    port.tell({ kind: "refused", refusal: refusalOf(5) });
    expect(await metric("appchain_sync_gateway_requests")).toMatchObject([
      { labels: { route: "get_block", outcome: "answered" }, value: 1 },
      { labels: { route: "get_block", outcome: "failed" }, value: 1 },
    ]);
    expect(await metric("appchain_sync_imported_blocks")).toMatchObject([{ value: 1 }]);
    expect(await metric("appchain_sync_highest_block")).toMatchObject([{ value: 5 }]);
    expect(await metric("appchain_sync_lag_blocks")).toMatchObject([{ value: 2 }]);
    expect(await metric("appchain_sync_refused")).toMatchObject([
      { labels: { check: "state_root" }, value: 1 },
    ]);
    port.tell({ kind: "refused", refusal: null });
    expect(await metric("appchain_sync_refused")).toEqual([]);
  });

  test("compiles classes and reverts the chain for the sync thread", async () => {
    const { port, seen, compiler } = world();
    port.tell({ kind: "compile", id: 1, classHash: 5n, classBytes: new Uint8Array([1]) });
    await settle();
    expect(compiler.compilers[0]?.received).toHaveLength(1);
    const revert = { kind: "revert", blockNumber: 5, blockHash: 0x55n } as const;
    port.tell(revert);
    expect(seen).toEqual([revert]);
  });

  test("stops the node if the gateway serves another chain", () => {
    const { port, seen } = world();
    port.tell({ kind: "otherChain", message: "another chain" });
    expect(seen).toEqual(["another chain"]);
  });

  test("takes only a reported newest block as a sign of life from the source", () => {
    const { port, timer, follower, lines } = world();
    const asked = { kind: "gatewayRequestEnded", url: "http://g", seconds: 1 } as const;
    port.tell(progressMessage(5, 5));
    timer.advance(GRACE_MS + 1000);
    const failed = { ...asked, outcome: "failed", failure: "broken" } as const;
    port.tell({ ...failed, route: "get_block" });
    const pending = { ...asked, route: "get_preconfirmed_block" };
    port.tell({ ...pending, outcome: "answered", failure: undefined });
    expect(follower.following().reason).toContain("no gateway has reported its newest block");
    expect(lines.at(-1)).toContain("reason=broken");
    port.tell({ kind: "sourceHead", blockNumber: 5 });
    expect(follower.following().reason).toBeUndefined();
  });

  test("counts and logs a wrong pre-confirmed block, without effect on readiness", async () => {
    const { port, follower, lines, metric } = world();
    port.tell(progressMessage(5, 5));
    for (let i = 0; i < 3; i++) port.tell({ kind: "preConfirmedDropped", refusal: refusalOf(6) });
    expect(follower.following()).toMatchObject({ isInSync: true, reason: undefined });
    expect(lines.filter((line) => line.includes("wrong pre-confirmed block"))).toHaveLength(1);
    expect(await metric("appchain_sync_preconfirmed_dropped")).toMatchObject([
      { labels: { check: "state_root" }, value: 3 },
    ]);
  });

  test("drops replies to threads that are gone", async () => {
    const { port, follower, compiler } = world();
    port.tell({ kind: "compile", id: 1, classHash: 5n, classBytes: new Uint8Array([1]) });
    await settle();
    follower.interrupt();
    compiler.compilers[0]?.answer(COMPILED);
    await settle();
    expect(port.sent).toEqual([]);
  });

  test("logs the pinned public key", () => {
    const { port, lines } = world();
    port.tell({ kind: "keyPinned", publicKey: 0xabcn });
    expect(lines.join("")).toContain("0xabc");
  });
});

test("forwards submissions until the role is closed", () => {
  const { follower, seen, submit, mempool } = world();
  expect([follower.submit, follower.mempool]).toEqual([submit, mempool]);
  follower.hold();
  follower.interrupt();
  follower.release();
  expect(seen).toEqual([]);
  follower.close();
  expect(seen).toEqual(["forwarding stopped for a change"]);
  follower.stop();
  expect(seen.at(-1)).toBe("forwarding stopped");
  expect(follower.forwardedSubmissions()).toBe(HANDED_ON);
});

test("resolves a settlement on L1 with the sync thread's reply, or `false` on interrupt", async () => {
  const { port, follower } = world();
  const settled = follower.settleOnL1(7, 0x77n);
  expect(port.sent).toEqual([{ kind: "settleOnL1", id: 0, blockNumber: 7, blockHash: 0x77n }]);
  port.tell({ kind: "settledOnL1", id: 0, isDone: true });
  expect(await settled).toBe(true);
  const lost = follower.settleOnL1(8, 0x88n);
  follower.interrupt();
  expect(await lost).toBe(false);
});

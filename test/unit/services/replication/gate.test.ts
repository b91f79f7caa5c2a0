import { describe, expect, test } from "bun:test";
import { blockKey, BundleStore, SLOW_MS, storeGate } from "#services/replication/index.ts";
import type { Predecessor } from "#services/sequencer/index.ts";
import { settle } from "#test/helpers/admission-world.ts";
import { blockCommit } from "#test/helpers/blocks.ts";
import { encodeBundle } from "#test/helpers/bundle.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { MemoryObjectStore } from "#test/helpers/memory-object-store.ts";

function world() {
  const objects = new MemoryObjectStore();
  const timer = new FakeTimer();
  let isOfChain = true;
  const bundles = new BundleStore(objects, timer);
  const gate = storeGate({ bundles, isOfChain: () => isOfChain, timer });
  const reasons: string[] = [];
  const end = new AbortController();
  const ask = (bytes: Uint8Array, predecessor: Predecessor | null = null) =>
    gate({
      blockNumber: 1,
      predecessor,
      bundle: () => bytes,
      onWaiting: (reason) => void reasons.push(reason),
      signal: end.signal,
    });
  const forge = (): void => void (isOfChain = false);
  return { objects, timer, ask, reasons, end, forge };
}

const ours = encodeBundle(blockCommit(1));
const theirs = encodeBundle({ ...blockCommit(1, { fork: 1 }), epoch: 4 });

describe("the store gate", () => {
  test("accepts a stored block, also when published twice", async () => {
    const { ask, timer } = world();
    expect(await ask(ours)).toEqual({ kind: "published" });
    expect(await ask(ours)).toEqual({ kind: "published" });
    expect(timer.alarms).toBe(0);
  });

  test("refuses a block if another one has its number", async () => {
    const { ask } = world();
    await ask(theirs);
    expect(await ask(ours)).toEqual({ kind: "refused", epoch: 4 });
  });

  test("reports a slow store before the attempt ends", async () => {
    const { objects, ask, timer, reasons } = world();
    const put = Promise.withResolvers<"none">();
    objects.fault = () => put.promise;
    const asked = ask(ours);
    timer.advance(SLOW_MS - 1);
    expect(reasons).toEqual([]);
    timer.advance(1);
    expect(reasons).toEqual(["no answer yet"]);
    put.resolve("none");
    expect(await asked).toEqual({ kind: "published" });
  });

  test("settles on abort", async () => {
    const { objects, ask, end } = world();
    objects.fault = () => new Promise(() => undefined);
    const asked = ask(ours);
    end.abort();
    expect(await asked).toEqual({ kind: "unanswered" });
  });
});

describe("a block whose predecessor is published", () => {
  const before = blockCommit(0);
  const { hash } = before.block.header;
  const own = { blockNumber: 0, hash, epoch: 4 };
  const older = { ...own, epoch: null };
  const key = blockKey(0);
  const stored = (parts: Parameters<typeof blockCommit>[1] = {}, epoch = 4) =>
    encodeBundle({ ...blockCommit(0, parts), epoch });

  test.each<[string, Predecessor]>([
    ["of the same epoch", own],
    ["of an earlier epoch, signed by the chain's key", older],
  ])("passes if the store has the predecessor, %s", async (_, predecessor) => {
    const { objects, ask, reasons } = world();
    objects.objects.set(key, stored());
    expect(await ask(ours, predecessor)).toEqual({ kind: "published" });
    expect(objects.questions.map(({ method }) => method)).toEqual(["get", "putIfAbsent"]);
    expect(reasons).toEqual([]);
  });

  test.each<[string, Predecessor, Uint8Array<ArrayBuffer>]>([
    ["another block", own, stored({ fork: 1 }, 9)],
    ["the same block of another epoch", own, stored({}, 9)],
    ["a different block from the previous epoch's", older, stored({ fork: 1 }, 9)],
  ])("is refused if another sequencer has published %s", async (_, predecessor, there) => {
    const { objects, ask } = world();
    objects.objects.set(key, there);
    expect(await ask(ours, predecessor)).toEqual({ kind: "refused", epoch: 9 });
    expect(objects.objects.has(blockKey(1))).toBe(false);
  });

  test.each<[string, Predecessor, Uint8Array<ArrayBuffer> | undefined, string]>([
    ["has nothing", own, undefined, "does not have it"],
    ["has nothing of an earlier epoch", older, undefined, "does not have it"],
    ["has no bundle", own, new Uint8Array(3), "has something else in its place"],
    ["has a bundle of another number", own, encodeBundle(blockCommit(7)), "has something else"],
    ["has a forged block", own, stored({ fork: 1 }, 9), "has not signed"],
    ["has a forged epoch", own, stored({}, 9), "has not signed"],
    ["has a forged signature", older, stored(), "has not signed"],
  ])("waits while the store %s, then passes", async (_, predecessor, there, why) => {
    const { objects, timer, ask, reasons, forge } = world();
    if (there !== undefined) objects.objects.set(key, there);
    forge();
    const asked = ask(ours, predecessor);
    await settle();
    expect(reasons.join()).toContain(why);
    expect(reasons.join()).toContain("block 0 is published, and the store");
    expect(objects.objects.has(blockKey(1))).toBe(false);
    if (predecessor === older) return;
    objects.objects.set(key, stored());
    timer.advance(2_000);
    expect(await asked).toEqual({ kind: "published" });
  });

  test("is abandoned by a node that stops", async () => {
    const { ask, end } = world();
    const asked = ask(ours, own);
    await settle();
    end.abort();
    expect(await asked).toEqual({ kind: "unanswered" });
  });
});

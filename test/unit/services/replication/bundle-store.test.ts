import { describe, expect, test } from "bun:test";
import { UNANSWERED_MS } from "#io/objects/index.ts";
import { BundleStore } from "#services/replication/index.ts";
import { blockCommit } from "#test/helpers/blocks.ts";
import { encodeBundle } from "#test/helpers/bundle.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { MemoryObjectStore, type StoreFault } from "#test/helpers/memory-object-store.ts";

const bundleOf = (number: number, parts: Parameters<typeof blockCommit>[1] = {}, epoch = 0) =>
  encodeBundle({ ...blockCommit(number, parts), epoch });

/** A store without pauses, and the reasons that waiters receive. */
function world(faults: readonly StoreFault[] = []) {
  const objects = new MemoryObjectStore();
  const left = [...faults];
  // The result of a put can be read.
  objects.fault = ({ method }) => (method === "get" ? "none" : (left.shift() ?? "none"));
  const pauses: number[] = [];
  const bundles = new BundleStore(objects, {
    nowMs: () => 0,
    after(delayMs, callback) {
      if (delayMs === UNANSWERED_MS) return () => undefined;
      pauses.push(delayMs);
      queueMicrotask(callback);
      return () => undefined;
    },
  });
  const reasons: string[] = [];
  const end = new AbortController();
  const waiter = { onWaiting: (reason: string) => void reasons.push(reason), signal: end.signal };
  return { objects, bundles, pauses, reasons, waiter, end };
}

describe("a published block", () => {
  test("is stored under its number", async () => {
    const { objects, bundles, waiter, reasons } = world();
    const bytes = bundleOf(42);
    expect(await bundles.publish(42, bytes, waiter)).toEqual({ kind: "published" });
    expect([...objects.objects]).toEqual([["blocks/000000000042", bytes]]);
    expect(await bundles.read(42)).toEqual(bytes);
    expect(await bundles.read(43)).toBeUndefined();
    expect(reasons).toEqual([]);
  });

  test("counts as published if only the response was lost", async () => {
    const { bundles, waiter, reasons } = world(["lost"]);
    expect(await bundles.publish(0, bundleOf(0), waiter)).toEqual({ kind: "published" });
    expect(reasons).toEqual([]);
  });

  test("gives way to another one of its number, whose epoch is returned", async () => {
    const { objects, bundles, waiter } = world();
    const theirs = bundleOf(7, { fork: 1 }, 5);
    await bundles.publish(7, theirs, waiter);
    expect(await bundles.publish(7, bundleOf(7), waiter)).toEqual({ kind: "taken", epoch: 5 });
    expect(objects.objects.get("blocks/000000000007")).toEqual(theirs);
  });

  test("differs from one of another epoch with the same hash, but not from a re-encoding", async () => {
    const { bundles, waiter } = world();
    await bundles.publish(7, bundleOf(7, {}, 1), waiter);
    expect(await bundles.publish(7, bundleOf(7, {}, 0), waiter)).toEqual({
      kind: "taken",
      epoch: 1,
    });
    const message = {
      transactionHash: 1n,
      nonce: 2n,
      messageHash: 3n,
      l1TransactionHash: 4n,
      l1BlockNumber: 5,
    };
    const otherwise = bundleOf(7, { inputs: { l1Messages: [message] } }, 1);
    expect(await bundles.publish(7, otherwise, waiter)).toEqual({ kind: "published" });
  });

  test("gives way to bytes that are not a bundle", async () => {
    const { objects, bundles, waiter } = world();
    objects.objects.set("blocks/000000000007", new TextEncoder().encode("not a bundle"));
    expect(await bundles.publish(7, bundleOf(7), waiter)).toEqual({ kind: "taken", epoch: null });
  });

  test("is retried with doubling pauses until the result is known", async () => {
    const faults: StoreFault[] = ["down", "conflict", "denied", "down", "down", "down", "down"];
    const { objects, bundles, waiter, pauses, reasons } = world(faults);
    expect(await bundles.publish(3, bundleOf(3), waiter)).toEqual({ kind: "published" });
    expect(pauses).toEqual([50, 100, 200, 400, 800, 1600, 2000]);
    expect(reasons.slice(0, 4)).toEqual([
      "no answer",
      expect.stringContaining("another put"),
      "status 403",
      "no answer",
    ]);
    expect(objects.objects.size).toBe(1);
  });

  test("is abandoned when the waiter stops: during an attempt, in a pause, and before", async () => {
    const attempt = world();
    attempt.objects.fault = () => new Promise(() => undefined);
    const hanging = attempt.bundles.publish(0, bundleOf(0), attempt.waiter);
    attempt.end.abort();
    expect(await hanging).toEqual({ kind: "stopped" });

    const pause = world();
    pause.objects.fault = () => "down";
    const bundles = new BundleStore(pause.objects, new FakeTimer());
    const pausing = bundles.publish(0, bundleOf(0), pause.waiter);
    while (pause.reasons.length === 0) await Bun.sleep(1);
    pause.end.abort();
    expect(await pausing).toEqual({ kind: "stopped" });
    expect(await bundles.publish(0, bundleOf(0), pause.waiter)).toEqual({ kind: "stopped" });
  });

  test("rethrows a bug", async () => {
    const { objects, bundles, waiter } = world();
    objects.fault = () => {
      throw new RangeError("a bug");
    };
    expect(bundles.publish(0, bundleOf(0), waiter)).rejects.toThrow("a bug");
  });
});

describe("the newest published block", () => {
  const filled = (numbers: Iterable<number>) => {
    const made = world();
    for (const number of numbers) {
      made.objects.objects.set(`blocks/${String(number).padStart(12, "0")}`, Uint8Array.of(1));
    }
    return made;
  };

  test("is found from any lower block, across gaps, in few requests", async () => {
    const numbers = [...Array(5_000).keys()].filter((number) => number < 100 || number > 1_400);
    const { objects, bundles } = filled(numbers);
    objects.objects.set("blocks/000000000099.tmp", Uint8Array.of(1));
    objects.objects.set("leader", Uint8Array.of(1));
    for (const from of [-1, 0, 50, 700, 4_998]) expect(await bundles.newest(from)).toBe(4_999);
    expect(objects.questions.length).toBeLessThan(60);
    expect(await bundles.newest(4_999)).toBe(4_999);
    expect(await bundles.newest(6_000)).toBe(6_000);
  });

  test("is absent in an empty store", async () => {
    const { bundles } = filled([]);
    expect(await bundles.newest(-1)).toBe(-1);
    expect(await bundles.numbersAfter(-1)).toEqual([]);
  });

  test("is block 0 after the first", async () => {
    const { bundles } = filled([0]);
    expect(await bundles.newest(-1)).toBe(0);
    expect(await bundles.numbersAfter(-1)).toEqual([0]);
    expect(await bundles.numbersAfter(0)).toEqual([]);
  });
});

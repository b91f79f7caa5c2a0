import { describe, expect, test } from "bun:test";
import { BundleStore, SLOW_MS, storeGate } from "#services/replication/index.ts";
import { blockCommit } from "#test/helpers/blocks.ts";
import { encodeBundle } from "#test/helpers/bundle.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { MemoryObjectStore } from "#test/helpers/memory-object-store.ts";

function world() {
  const objects = new MemoryObjectStore();
  const timer = new FakeTimer();
  const gate = storeGate(new BundleStore(objects, timer), timer);
  const reasons: string[] = [];
  const end = new AbortController();
  const ask = (bytes: Uint8Array) =>
    gate({
      blockNumber: 1,
      bundle: () => bytes,
      onWaiting: (reason) => void reasons.push(reason),
      signal: end.signal,
    });
  return { objects, timer, ask, reasons, end };
}

const ours = encodeBundle(blockCommit(1));
const theirs = encodeBundle({ ...blockCommit(1, { fork: 1 }), epoch: 4 });

describe("the gate before a store", () => {
  test("lets a block pass that it has stored, and that one again", async () => {
    const { ask, timer } = world();
    expect(await ask(ours)).toEqual({ kind: "published" });
    expect(await ask(ours)).toEqual({ kind: "published" });
    expect(timer.alarms).toBe(0);
  });

  test("refuses a block in whose place there is another one", async () => {
    const { ask } = world();
    await ask(theirs);
    expect(await ask(ours)).toEqual({ kind: "refused", epoch: 4 });
  });

  test("tells of a store that is slow before an attempt is over", async () => {
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

  test("answers whoever waits no longer", async () => {
    const { objects, ask, end } = world();
    objects.fault = () => new Promise(() => undefined);
    const asked = ask(ours);
    end.abort();
    expect(await asked).toEqual({ kind: "unanswered" });
  });
});

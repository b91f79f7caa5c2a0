import { describe, expect, test } from "bun:test";
import type { AppError } from "#base/errors/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import {
  type ObjectStore,
  openObjectStore,
  probeStore,
  type StoreWaiting,
} from "#io/objects/index.ts";
import { MemoryObjectStore } from "#test/helpers/memory-object-store.ts";
import { STORE_KEYS, type StoreFaults, startStoreServer } from "#test/helpers/store-server.ts";

/** Timer whose pauses take a hundredth of their time. */
const timer = {
  ...SYSTEM_TIMER,
  after: (delayMs: number, ring: () => void) => SYSTEM_TIMER.after(delayMs / 100, ring),
};

/** Probes a store; returns code and message of the error, if any. */
function probed(
  store: ObjectStore,
  onWaiting: (waiting: StoreWaiting) => void = () => undefined,
  signal = new AbortController().signal,
): Promise<string | undefined> {
  return probeStore(store, { timer, signal, onWaiting }).then(
    () => undefined,
    (error: AppError) => `${error.code} ${error.message}`,
  );
}

/** Probes a server with faults; also returns the keys that remain in it. */
async function probedServer(
  faults: StoreFaults,
): Promise<{ readonly ended: string | undefined; readonly left: readonly string[] }> {
  await using server = await startStoreServer();
  await server.setFaults(faults);
  const { signal } = new AbortController();
  const ended = await probed(openObjectStore(server.options(), STORE_KEYS, signal));
  return { ended, left: server.bucket.keys("") };
}

describe("probeStore", () => {
  test("accepts a store that honours conditions, and leaves nothing in it", async () => {
    expect(await probedServer({})).toEqual({ ended: undefined, left: [] });
  });

  test("rejects a store that ignores conditions, with its response", async () => {
    const { ended, left } = await probedServer({ conditions: "ignored" });
    expect(ended).toStartWith("OBJECT_STORE_UNFIT s3://chain/test at http://127.0.0.1:");
    expect(ended).toEndWith(
      "a second put of an object with If-None-Match: * was answered with 200",
    );
    expect(left).toEqual([]);
  });

  test("rejects a store that checks conditions non-atomically", async () => {
    const { ended, left } = await probedServer({ conditions: "twoSteps" });
    expect(ended).toMatch(
      /OBJECT_STORE_UNFIT .*: \d+ of 16 parallel puts of one object succeeded$/,
    );
    expect(left).toEqual([]);
  });

  test("tolerates a store that fails a fifth of all requests", async () => {
    const faults = [409, 412, 500, 403, 507, "lost", "down"] as const;
    for (let seed = 1; seed <= 5; seed++) {
      const rules = faults.map((fault) => ({ fault, rate: 0.2 / faults.length }));
      expect((await probedServer({ seed, rules })).ended).toBeUndefined();
      expect((await probedServer({ seed, rules, conditions: "twoSteps" })).ended).toContain(
        "UNFIT",
      );
      expect((await probedServer({ seed, rules, conditions: "ignored" })).ended).toContain("UNFIT");
    }
  });

  test("waits while the store is down, and only briefly while it refuses", async () => {
    const store = new MemoryObjectStore();
    // Each attempt is a put and, as that has no response, a get.
    let left = 20;
    store.fault = () => (left-- > 0 ? "down" : "none");
    const waitings: StoreWaiting[] = [];
    expect(await probed(store, (each) => waitings.push(each))).toBeUndefined();
    expect(waitings.at(-1)).toEqual({ attempts: 10, why: "no answer", isRetryable: true });
    let refused = 0;
    store.fault = () => (++refused > 7 ? "none" : "denied");
    expect(await probed(store)).toBeUndefined();
    store.fault = () => "denied";
    const refusals: StoreWaiting[] = [];
    expect(await probed(store, (each) => refusals.push(each))).toBe(
      "OBJECT_STORE_FAILED status 403",
    );
    expect(refusals).toHaveLength(7);
  });

  test("stops when its signal is aborted", async () => {
    const store = new MemoryObjectStore();
    store.fault = () => "down";
    const stop = new AbortController();
    const ended = await probed(store, () => stop.abort(), stop.signal);
    expect(ended).toStartWith("OBJECT_STORE_STOPPED");
  });

  type Lie = readonly [RegExp, (store: MemoryObjectStore) => Partial<ObjectStore>];
  const lies: readonly Lie[] = [
    [
      /a put with another If-Match was answered with 200/,
      (store) => ({
        putIfMatch: async (key, bytes) => {
          await store.put(key, bytes);
          return { kind: "stored", etag: "1" };
        },
      }),
    ],
    [
      /a put with the right If-Match is rejected/,
      () => ({
        putIfMatch: () => Promise.resolve({ kind: "unmet" }),
      }),
    ],
    [
      /a rejected put has changed an object/,
      (store) => ({
        putIfAbsent: async (key, bytes) => {
          const outcome = await store.putIfAbsent(key, bytes);
          await store.put(key, bytes);
          return outcome;
        },
      }),
    ],
    [
      /an object does not have the content of the put that succeeded/,
      (store) => ({
        get: async (key, maxBytes) =>
          key.includes("at-once")
            ? { bytes: new Uint8Array([1]), etag: "1" }
            : store.get(key, maxBytes),
      }),
    ],
    [
      /an object that was put has no strong ETag/,
      (store) => ({
        get: async (key, maxBytes) => {
          const object = await store.get(key, maxBytes);
          return object && { ...object, etag: undefined };
        },
      }),
    ],
    [/the listed objects are not the stored ones/, () => ({ list: () => Promise.resolve([]) })],
  ];
  test.each(lies)("rejects a faulty store: %p", async (expected, lie) => {
    const store = new MemoryObjectStore();
    const honest = Object.assign(new MemoryObjectStore(), { objects: store.objects });
    expect(await probed(Object.assign(store, lie(honest)))).toMatch(expected);
    expect(store.objects.size).toBe(0);
  });
});

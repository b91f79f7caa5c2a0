import { describe, expect, test } from "bun:test";
import { OriginError } from "#base/errors/index.ts";
import { createOriginSource, ForkCache, type OriginQuery } from "#io/origin/index.ts";
import type { ForkStore, ForkStoreEntry } from "#io/storage/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { countingObserver } from "#test/helpers/origin-server.ts";

const LIMITS = { flushMs: 50, flushCount: 100, retryMs: 1000, memoryBytes: 1 << 20 };

/** A store in memory; `failure` is thrown by its methods while it is set. */
class MemoryStore implements ForkStore {
  readonly values = new Map<string, Uint8Array | null>();
  readonly kept = new Set<string>();
  used: readonly string[] = [];
  full = false;
  failure: Error | undefined;
  writes = 0;
  isClosed = false;

  get(key: string): Omit<ForkStoreEntry, "key"> | undefined {
    if (this.failure !== undefined) throw this.failure;
    const value = this.values.get(key);
    return value === undefined ? undefined : { value, isLimited: !this.kept.has(key) };
  }

  isFull(): boolean {
    return this.full;
  }

  use(keys: Iterable<string>): void {
    this.used = [...keys];
  }

  putAll(entries: Iterable<ForkStoreEntry>): void {
    if (this.failure !== undefined) throw this.failure;
    this.writes++;
    for (const { key, value, isLimited } of entries) {
      this.values.set(key, value);
      if (!isLimited) this.kept.add(key);
    }
  }

  close(): void {
    this.isClosed = true;
  }
}

function worldOf(limits: Partial<typeof LIMITS> = {}) {
  const store = new MemoryStore();
  const timer = new FakeTimer();
  const { observer, counts } = countingObserver();
  const cache = new ForkCache({ ...LIMITS, ...limits, store, timer, observer });
  return { store, timer, cache, observer, counts };
}

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

describe("ForkCache", () => {
  test("writes values together after the delay", () => {
    const { store, timer, cache } = worldOf();
    cache.put("a", bytes(1), false);
    timer.advance(30);
    cache.put("b", null, false);
    expect(store.writes).toBe(0);
    timer.advance(20);
    expect([store.writes, store.values.get("b")]).toEqual([1, null]);
    expect(timer.alarms).toBe(0);
  });

  test("writes immediately when enough values wait", () => {
    const { store, timer, cache } = worldOf({ flushCount: 3 });
    for (const key of ["a", "b", "c"]) cache.put(key, bytes(1), false);
    expect([store.writes, store.values.size, timer.alarms]).toEqual([1, 3, 0]);
  });

  test("returns values of the store, and absent ones as null", () => {
    const { store, cache } = worldOf();
    store.values.set("a", bytes(1)).set("b", null);
    expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([bytes(1), null, undefined]);
  });

  test("continues in memory while the store fails, warns once, and stores later", () => {
    const { store, timer, cache, counts } = worldOf({ flushCount: 2 });
    const full = new TypeError("the disk is full");
    store.failure = full;
    for (const key of ["a", "b", "c", "d"]) cache.put(key, bytes(1), false);
    timer.advance(5000);
    expect(cache.get("a")).toEqual(bytes(1));
    expect(counts.storeFailures).toEqual([full]);
    store.failure = undefined;
    timer.advance(1000);
    expect([...store.values.keys()]).toEqual(["a", "b", "c", "d"]);
    expect(counts.storeRecoveries).toBe(1);
  });

  test("holds no more than its memory while the store fails", () => {
    const { store, timer, cache } = worldOf({ memoryBytes: 20_000 });
    store.failure = new TypeError("the disk is full");
    for (let i = 0; i < 100; i++) cache.put(`key ${i}`, new Uint8Array(1000), false);
    store.failure = undefined;
    timer.advance(2000);
    expect(store.values.size).toBeLessThan(20);
    expect(store.values.has("key 99")).toBe(true);
  });

  test("says before values are deleted which ones were used, the last one last", () => {
    const { store, cache } = worldOf();
    for (const key of ["a", "b", "c"]) store.values.set(key, bytes(1));
    for (const key of ["c", "a", "b", "a"]) cache.get(key);
    cache.put("d", bytes(1), true);
    cache.flush();
    expect(store.used).toEqual([]);
    store.full = true;
    cache.put("e", bytes(1), true);
    cache.flush();
    expect(store.used).toEqual(["c", "b", "a"]);
  });

  test("says when it is closed which values were used", () => {
    const { store, cache } = worldOf();
    store.values.set("a", bytes(1));
    cache.get("a");
    cache.close();
    expect(store.used).toEqual(["a"]);
  });

  test("writes a value that is kept from now on once more", () => {
    const { store, cache } = worldOf();
    cache.put("a", bytes(1), true);
    cache.flush();
    for (let times = 0; times < 2; times++) {
      for (const key of ["a", "unknown"]) cache.keep(key);
      cache.flush();
    }
    expect([...store.kept]).toEqual(["a"]);
    expect(store.writes).toBe(2);
  });

  test("writes all values when it is closed", () => {
    const { store, timer, cache } = worldOf();
    cache.put("a", bytes(1), false);
    cache.close();
    expect([store.values.size, store.isClosed, timer.alarms]).toEqual([1, true, 0]);
  });
});

/** A remote whose responses the test gives. */
function scriptedRemote(answer: (what: string) => Promise<Uint8Array | null>) {
  const asked: string[] = [];
  return {
    asked,
    task: (what: string) => ({ what, endsAtMs: 1000, servers: new Map<string, boolean>() }),
    fetch(_: OriginQuery, { what }: { readonly what: string }) {
      asked.push(what);
      return answer(what);
    },
  };
}

const NONCE = { kind: "nonce", block: 5, address: 7n } as const;

describe("createOriginSource", () => {
  test("fetches a value once, also when it is absent", async () => {
    const { cache, timer, observer, counts } = worldOf();
    const remote = scriptedRemote((what) =>
      Promise.resolve(what.startsWith("nonce") ? bytes(1) : null),
    );
    const source = createOriginSource({ remote, cache, timer, observer });
    const trace = { kind: "trace", transactionHash: 9n } as const;
    for (let i = 0; i < 3; i++) {
      expect(await source.answer(NONCE)).toEqual(bytes(1));
      expect(await source.answer(trace)).toBeNull();
    }
    expect(remote.asked).toEqual(["nonce 5 0x7", "trace 0x9"]);
    expect([counts.fromOrigin, counts.fromCache]).toEqual([2, 4]);
  });

  test("takes a value that the chain depends on out of the limit", async () => {
    const { cache, timer, observer, store } = worldOf();
    const remote = scriptedRemote(() => Promise.resolve(bytes(1)));
    const source = createOriginSource({ remote, cache, timer, observer });
    await source.answer({ ...NONCE, address: 8n });
    expect(await source.keep(NONCE)).toEqual(bytes(1));
    cache.flush();
    expect([store.values.size, ...store.kept]).toEqual([2, "nonce 5 0x7"]);
  });

  test("does not keep that a node did not know a continuation token", async () => {
    const { cache, timer, observer } = worldOf();
    const answers = [null, bytes(1)];
    const remote = scriptedRemote(() => Promise.resolve(answers.shift() ?? null));
    const source = createOriginSource({ remote, cache, timer, observer });
    const page = { fromBlock: 0, toBlock: 5, addresses: [], keys: [], token: "7-1", chunkSize: 10 };
    expect(await source.answer({ kind: "events", ...page })).toBeNull();
    expect(await source.answer({ kind: "events", ...page })).toEqual(bytes(1));
  });

  test("shares the request of concurrent queries for one value", async () => {
    const { cache, timer, observer } = worldOf();
    const remote = scriptedRemote(async () => {
      await Bun.sleep(5);
      return bytes(1);
    });
    const source = createOriginSource({ remote, cache, timer, observer });
    const values = await Promise.all([1, 2, 3].map(() => source.answer(NONCE)));
    expect(values).toEqual([bytes(1), bytes(1), bytes(1)]);
    expect(remote.asked.length).toBe(1);
  });

  test("keeps no failure", async () => {
    const { cache, timer, observer, store } = worldOf();
    const lost = new OriginError("ORIGIN_UNAVAILABLE", "it does not respond", true);
    let isLost = true;
    const remote = scriptedRemote(() =>
      isLost ? Promise.reject(lost) : Promise.resolve(bytes(2)),
    );
    const source = createOriginSource({ remote, cache, timer, observer });
    expect(await source.answer(NONCE).catch((error: unknown) => error)).toBe(lost);
    isLost = false;
    expect(await source.answer(NONCE)).toEqual(bytes(2));
    cache.flush();
    expect(store.values.get("nonce 5 0x7")).toEqual(bytes(2));
  });

  test("requests the newest block that L1 accepted again each time", async () => {
    const { cache, timer, observer } = worldOf();
    const answers = [bytes(1), bytes(2)];
    const remote = scriptedRemote(() => Promise.resolve(answers.shift() ?? null));
    const source = createOriginSource({ remote, cache, timer, observer });
    expect(await source.answer({ kind: "l1Accepted" })).toEqual(bytes(1));
    expect(await source.answer({ kind: "l1Accepted" })).toEqual(bytes(2));
  });

  test("returns the last known block that L1 accepted while the origin is lost", async () => {
    const { cache, timer, observer } = worldOf();
    cache.put("l1Accepted", bytes(1), false);
    const remote = scriptedRemote(() =>
      Promise.reject(new OriginError("ORIGIN_UNAVAILABLE", "", true)),
    );
    const source = createOriginSource({ remote, cache, timer, observer });
    expect(await source.answer({ kind: "l1Accepted" })).toEqual(bytes(1));
  });

  test("returns the last known block that L1 accepted while the origin hangs", async () => {
    const { cache, timer, observer } = worldOf();
    cache.put("l1Accepted", bytes(1), false);
    const remote = scriptedRemote(() => Promise.withResolvers<Uint8Array>().promise);
    const source = createOriginSource({ remote, cache, timer, observer });
    const first = source.answer({ kind: "l1Accepted" });
    expect(await source.answer({ kind: "l1Accepted" })).toEqual(bytes(1));
    timer.advance(1_000);
    expect(await first).toEqual(bytes(1));
  });
});

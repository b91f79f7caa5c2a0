import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import {
  openObjectStore,
  putOnce,
  type PutOnceOutcome,
  type StoreWaiting,
  UNANSWERED_MS,
} from "#io/objects/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { MemoryObjectStore, type StoreFault } from "#test/helpers/memory-object-store.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { STORE_KEYS, startStoreServer } from "#test/helpers/store-server.ts";

const KEY = "blocks/000000000007";
const OURS = new TextEncoder().encode("ours");
const THEIRS = new TextEncoder().encode("theirs");

/** Puts with a clock that advances whenever the put waits. */
async function put(
  store: MemoryObjectStore,
  onWaiting: (waiting: StoreWaiting) => void = () => undefined,
  stop = new AbortController(),
): Promise<{ readonly outcome: PutOnceOutcome; readonly tookMs: number }> {
  const timer = new FakeTimer();
  const moving = setInterval(() => timer.advance(50), 0);
  try {
    const outcome = await putOnce(store, KEY, OURS, { timer, signal: stop.signal, onWaiting });
    return { outcome, tookMs: timer.nowMs() };
  } finally {
    clearInterval(moving);
  }
}

/** Applies the faults to consecutive puts, then none. */
function faults(store: MemoryObjectStore, list: readonly StoreFault[]): void {
  const left = [...list];
  store.fault = ({ method }) => (method === "putIfAbsent" ? (left.shift() ?? "none") : "none");
}

describe("putOnce", () => {
  test("is ours when the store accepts it", async () => {
    const store = new MemoryObjectStore();
    expect((await put(store)).outcome).toEqual({ kind: "ours" });
    expect(store.questions).toHaveLength(1);
  });

  test("is of others, with their bytes, when an object existed", async () => {
    const store = new MemoryObjectStore();
    await store.put(KEY, THEIRS);
    expect((await put(store)).outcome).toEqual({ kind: "others", bytes: THEIRS });
  });

  test("is ours when only the response was lost", async () => {
    const store = new MemoryObjectStore();
    faults(store, ["lost"]);
    const waitings: StoreWaiting[] = [];
    expect((await put(store, (each) => waitings.push(each))).outcome).toEqual({ kind: "ours" });
    expect(waitings).toEqual([]);
    expect(store.questions.map(({ method }) => method)).toEqual(["putIfAbsent", "get"]);
  });

  test.each<[string, Uint8Array<ArrayBuffer>, PutOnceOutcome]>([
    ["ours when ours was stored", OURS, { kind: "ours" }],
    ["of others when theirs was stored", THEIRS, { kind: "others", bytes: THEIRS }],
  ])("is %s while the response to the put never arrives", async (_, stored, expected) => {
    const store = new MemoryObjectStore();
    await store.put(KEY, stored);
    store.fault = ({ method }) =>
      method === "get" ? "none" : new Promise<StoreFault>(() => undefined);
    const { outcome, tookMs } = await put(store);
    expect(outcome).toEqual(expected);
    expect(tookMs).toBeGreaterThanOrEqual(UNANSWERED_MS);
    expect(store.questions.map(({ method }) => method)).toEqual(["put", "putIfAbsent", "get"]);
  });

  test.each<StoreFault>(["none", "down"])(
    "waits for a late put while a get finds nothing (%s)",
    async (fault) => {
      const store = new MemoryObjectStore();
      const late = Promise.withResolvers<StoreFault>();
      store.fault = ({ method }) => {
        if (method !== "get") return late.promise;
        setTimeout(() => late.resolve("none"), 5);
        return fault;
      };
      expect((await put(store)).outcome).toEqual({ kind: "ours" });
      expect(store.objects.get(KEY)).toEqual(OURS);
    },
  );

  test("retries when put and get fail, and reports the failure of the put", async () => {
    const store = new MemoryObjectStore();
    let failures = 2;
    store.fault = ({ method }) => {
      if (failures-- <= 0) return "none";
      return method === "get" ? "denied" : "down";
    };
    const waitings: StoreWaiting[] = [];
    expect((await put(store, (each) => waitings.push(each))).outcome).toEqual({ kind: "ours" });
    expect(waitings).toEqual([{ attempts: 1, why: "no answer", isRetryable: true }]);
  });

  test("retries after a conflict, a failure and a refusal, and reports them", async () => {
    const store = new MemoryObjectStore();
    faults(store, ["conflict", "down", "denied"]);
    const waitings: StoreWaiting[] = [];
    expect((await put(store, (each) => waitings.push(each))).outcome).toEqual({ kind: "ours" });
    expect(waitings).toEqual([
      {
        attempts: 1,
        why: `a store in memory: another put of ${KEY} is in progress`,
        isRetryable: true,
      },
      { attempts: 2, why: "no answer", isRetryable: true },
      { attempts: 3, why: "status 403", isRetryable: false },
    ]);
  });

  test("retries when the existing object is gone or cannot be read", async () => {
    const store = new MemoryObjectStore();
    await store.put(KEY, OURS);
    store.fault = ({ method }) => {
      if (method === "get") store.fault = () => "none";
      return method === "get" ? "down" : "none";
    };
    expect((await put(store)).outcome).toEqual({ kind: "ours" });
    await store.delete(KEY);
    const honest = store.putIfAbsent.bind(store);
    store.putIfAbsent = () => {
      store.putIfAbsent = honest;
      return Promise.resolve({ kind: "unmet" });
    };
    expect((await put(store)).outcome).toEqual({ kind: "ours" });
    expect(store.objects.get(KEY)).toEqual(OURS);
  });

  test("doubles its pauses up to two seconds", async () => {
    const store = new MemoryObjectStore();
    faults(
      store,
      Array.from({ length: 10 }, () => "down"),
    );
    const { tookMs } = await put(store);
    expect(tookMs).toBeGreaterThanOrEqual(50 + 100 + 200 + 400 + 800 + 1600 + 4 * 2000);
    expect(tookMs).toBeLessThan(13_000);
  });

  test("stops immediately when its signal is aborted, in an attempt or in a pause", async () => {
    for (const fault of ["down", "never"] as const) {
      const store = new MemoryObjectStore();
      const stop = new AbortController();
      const never = Promise.withResolvers<StoreFault>();
      store.fault = () => (fault === "never" ? never.promise : fault);
      const waiting = putOnce(store, KEY, OURS, {
        timer: new FakeTimer(),
        signal: stop.signal,
        onWaiting: () => undefined,
      });
      setTimeout(() => stop.abort(), 5);
      const cause = await waiting.catch((error: unknown) => error);
      expect(cause).toMatchObject({ code: "OBJECT_STORE_STOPPED" });
      never.resolve("none");
    }
  });

  test("has exactly one owner, who knows it, however often the store fails", async () => {
    const fault = fc.constantFrom<StoreFault>("none", "down", "lost", "conflict", "denied");
    await assertProperty(
      fc.asyncProperty(
        fc.array(fault, { maxLength: 30 }),
        fc.integer({ min: 2, max: 5 }),
        async (list, many) => {
          const store = new MemoryObjectStore();
          const left = [...list];
          store.fault = () => left.shift() ?? "none";
          const timer = new FakeTimer();
          const moving = setInterval(() => timer.advance(2_000), 0);
          const options = {
            timer,
            signal: new AbortController().signal,
            onWaiting: () => undefined,
          };
          const outcomes = await Promise.all(
            Array.from({ length: many }, (_, index) =>
              putOnce(store, KEY, new Uint8Array([index]), options),
            ),
          );
          clearInterval(moving);
          const owners = outcomes.flatMap(({ kind }, index) => (kind === "ours" ? [index] : []));
          expect(owners).toHaveLength(1);
          expect([...(store.objects.get(KEY) ?? [])]).toEqual(owners);
          for (const each of outcomes) {
            if (each.kind === "others") expect([...each.bytes]).toEqual(owners);
          }
        },
      ),
    );
  });

  test("writes once to a store that fails a fifth of all requests", async () => {
    await using server = await startStoreServer();
    const fifth = { rate: 0.2 };
    await server.setFaults({
      seed: 7,
      rules: ([409, 412, 500, 403, 507, "lost", "down"] as const).map((each) => ({
        ...fifth,
        fault: each,
      })),
    });
    const signal = new AbortController().signal;
    const store = openObjectStore(server.options(), STORE_KEYS, signal);
    // Time runs a hundred times as fast.
    const timer = {
      ...SYSTEM_TIMER,
      after: (ms: number, ring: () => void) => SYSTEM_TIMER.after(ms / 100, ring),
    };
    for (let number = 0; number < 10; number++) {
      const key = `blocks/${number}`;
      const sent = [OURS, THEIRS].map((bytes) =>
        putOnce(store, key, bytes, { timer, signal, onWaiting: () => undefined }),
      );
      const kinds = (await Promise.all(sent)).map(({ kind }) => kind);
      expect(kinds.toSorted()).toEqual(["others", "ours"]);
      expect((await server.writes()).get(`test/${key}`)).toBe(1);
    }
  });
});

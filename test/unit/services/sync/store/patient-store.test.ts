import { beforeEach, describe, expect, test } from "bun:test";
import { NodeError, ObjectStoreError } from "#base/errors/index.ts";
import { BLOCKS } from "#services/replication/index.ts";
import type { GatewayRequestEnded } from "#services/sync/index.ts";
import { PatientStore } from "#services/sync/store/patient-store.ts";
import { settle } from "#test/helpers/admission-world.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { MemoryObjectStore } from "#test/helpers/memory-object-store.ts";

let store: MemoryObjectStore;
let timer: FakeTimer;
let asked: GatewayRequestEnded[];
let abort: AbortController;

beforeEach(() => {
  store = new MemoryObjectStore();
  timer = new FakeTimer();
  asked = [];
  abort = new AbortController();
});

function open(): PatientStore {
  const { signal } = abort;
  return new PatientStore({ store, timer, onRequestEnded: (each) => asked.push(each), signal });
}

const get = (source: PatientStore) => source.get("blocks/1", 9, "block", 1);

const count = (method: string): number =>
  store.questions.filter((each) => each.method === method).length;

/** Error that a request ends with. */
const errorOf = (question: Promise<unknown>): Promise<unknown> =>
  question.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Advances the clock until a request is settled. */
async function answered<T>(question: Promise<T>, mostMs = 60_000): Promise<T> {
  let isDone = false;
  const done = question.finally(() => {
    isDone = true;
  });
  done.catch(() => undefined);
  await settle();
  for (let ms = 0; !isDone && ms < mostMs; ms += 250) {
    timer.advance(250);
    await settle();
  }
  return done;
}

describe("an unavailable store", () => {
  for (const fault of ["down", "denied", "lost"] as const) {
    test(`is retried until it responds, and each attempt is reported: ${fault}`, async () => {
      let left = 5;
      store.fault = () => (left-- > 0 ? fault : "none");
      expect(await answered(open().list(BLOCKS, undefined, 1))).toEqual([]);
      expect(asked.filter(({ outcome }) => outcome === "failed")).toHaveLength(5);
      expect(asked.at(-1)).toMatchObject({ outcome: "answered", url: "a store in memory" });
    });
  }

  test("is retried with growing delays of at most four seconds", async () => {
    store.fault = () => "down";
    const list = open().list(BLOCKS, undefined, 1);
    list.catch(() => undefined);
    await settle();
    for (let ms = 0; ms < 60_000; ms += 250) {
      timer.advance(250);
      await settle();
    }
    // 0.25, 0.5, 1, 2, then 4 s each.
    expect(count("list")).toBe(19);
    abort.abort();
    expect(await errorOf(list)).toMatchObject({ code: "NODE_STOPPED" });
  });

  test("is abandoned once the node stops", async () => {
    store.fault = () => "down";
    const source = open();
    const questions = [
      source.list(BLOCKS, undefined, 1),
      get(source),
      source.missing("chain", "there is none"),
    ];
    for (const question of questions) question.catch(() => undefined);
    await settle();
    abort.abort();
    await settle();
    for (const question of questions) expect(await errorOf(question)).toBeInstanceOf(NodeError);
    const { length } = store.questions;
    expect(await errorOf(source.list(BLOCKS, undefined, 1))).toBeInstanceOf(NodeError);
    await settle();
    expect(store.questions.length).toBe(length);
  });
});

describe("a large object", () => {
  const LARGE = 5 * 2 ** 20;

  test("is fetched one at a time, and small ones meanwhile", async () => {
    for (let i = 0; i < 4; i++) store.objects.set(`blocks/${i}`, new Uint8Array(LARGE));
    store.objects.set("blocks/small", new Uint8Array(9));
    const bounds: number[] = [];
    let open_ = 0;
    let most = 0;
    const whole = store.get.bind(store);
    store.get = async (key, maxBytes) => {
      bounds.push(maxBytes);
      if (maxBytes <= LARGE) return whole(key, maxBytes);
      most = Math.max(most, ++open_);
      await settle();
      open_--;
      return whole(key, maxBytes);
    };
    const source = open();
    const large = Array.from({ length: 4 }, (_, i) =>
      source.get(`blocks/${i}`, 99 * 2 ** 20, "block", i),
    );
    expect((await source.get("blocks/small", 99 * 2 ** 20, "block", 9))?.bytes.length).toBe(9);
    for (const each of await Promise.all(large)) expect(each?.bytes.length).toBe(LARGE);
    expect(most).toBe(1);
    expect(bounds.filter((bound) => bound > LARGE)).toHaveLength(4);
    expect(Math.min(...bounds)).toBe(4 * 2 ** 20);
  });

  test("that fails does not block others", async () => {
    for (const key of ["blocks/1", "blocks/2"]) store.objects.set(key, new Uint8Array(LARGE));
    const whole = store.get.bind(store);
    let failed = 0;
    store.get = (key, maxBytes) => {
      if (maxBytes <= LARGE || key === "blocks/2") return whole(key, maxBytes);
      failed++;
      return Promise.reject(new ObjectStoreError("OBJECT_STORE_FAILED", "no answer", true));
    };
    const source = open();
    const lost = errorOf(source.get("blocks/1", 99 * 2 ** 20, "block", 1));
    const found = await answered(source.get("blocks/2", 99 * 2 ** 20, "block", 2));
    expect(found?.bytes.length).toBe(LARGE);
    expect(failed).toBeGreaterThan(0);
    abort.abort();
    expect(await lost).toMatchObject({ code: "NODE_STOPPED" });
  });
});

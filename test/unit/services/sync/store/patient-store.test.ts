import { beforeEach, describe, expect, test } from "bun:test";
import { NodeError } from "#base/errors/index.ts";
import { BLOCKS } from "#services/replication/index.ts";
import type { GatewayAsked } from "#services/sync/index.ts";
import { PatientStore } from "#services/sync/store/patient-store.ts";
import { settle } from "#test/helpers/admission-world.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { MemoryObjectStore } from "#test/helpers/memory-object-store.ts";

let store: MemoryObjectStore;
let timer: FakeTimer;
let asked: GatewayAsked[];
let abort: AbortController;

beforeEach(() => {
  store = new MemoryObjectStore();
  timer = new FakeTimer();
  asked = [];
  abort = new AbortController();
});

function open(): PatientStore {
  const { signal } = abort;
  return new PatientStore({ store, timer, onAsked: (each) => asked.push(each), signal });
}

const get = (source: PatientStore) => source.get("blocks/1", 9, "block", 1);

const count = (method: string): number =>
  store.questions.filter((each) => each.method === method).length;

/** What a question ends with. */
const errorOf = (question: Promise<unknown>): Promise<unknown> =>
  question.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Has the clock go on until something is answered. */
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

describe("a store that does not answer", () => {
  for (const fault of ["down", "denied", "lost"] as const) {
    test(`is asked again until it does, and each time is told: ${fault}`, async () => {
      let left = 5;
      store.fault = () => (left-- > 0 ? fault : "none");
      expect(await answered(open().list(BLOCKS, undefined, 1))).toEqual([]);
      expect(asked.filter(({ outcome }) => outcome === "failed")).toHaveLength(5);
      expect(asked.at(-1)).toMatchObject({ outcome: "answered", url: "a store in memory" });
    });
  }

  test("is asked less and less often, at most every four seconds", async () => {
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

  test("is not waited for once the node stops", async () => {
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

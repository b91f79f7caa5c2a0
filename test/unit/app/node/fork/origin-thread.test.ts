import { describe, expect, test } from "bun:test";
import { MainCompiler } from "#app/node/fork/main-compiler.ts";
import { type OpenedOrigin, OriginThread } from "#app/node/fork/origin-thread.ts";
import type { FromFork, ToFork } from "#app/node/threads/fork-messages.ts";
import { OriginError } from "#base/errors/index.ts";
import {
  encodeFailure,
  type OriginQuery,
  originQueryText,
  type OriginRequest,
  OriginTally,
} from "#io/origin/index.ts";
import { createWaitPage, WaitPage } from "#io/origin/waiting/wait-page.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

const BEGIN = { kind: "begin", urls: ["http://origin:1"], headers: [] } as const;
const QUERY: OriginQuery = { kind: "nonce", block: 3, address: 7n };

function openWorld(open: () => OpenedOrigin, usual: readonly OriginQuery[] = []) {
  const sent: FromFork[] = [];
  let fromMain: (message: ToFork) => void = () => undefined;
  let ask: (message: OriginRequest) => void = () => undefined;
  let askAsExecutor: (message: OriginRequest) => void = () => undefined;
  const timer = new FakeTimer();
  const tally = new OriginTally({ kind: "up", sinceUnixMs: 0 });
  const compiler = new MainCompiler(
    () => undefined,
    (message) => void sent.push(message),
  );
  const thread = new OriginThread({
    main: {
      send: (message) => void sent.push(message),
      listen: (heard) => void (fromMain = heard),
    },
    executor: { listen: (heard) => void (askAsExecutor = heard), send: () => undefined },
    waiting: [{ listen: (heard) => void (ask = heard), send: () => undefined }],
    compiler,
    tally,
    timer,
    open,
    usual,
  });
  thread.start();
  return {
    thread,
    sent,
    timer,
    tally,
    compiler,
    fromMain: (message: ToFork) => fromMain(message),
    ask: (message: OriginRequest) => ask(message),
    askAsExecutor: (message: OriginRequest) => askAsExecutor(message),
  };
}

function sourceOf(answered: string[]): OpenedOrigin {
  return {
    source: {
      async answer(query) {
        answered.push(originQueryText(query));
        return Buffer.from("value");
      },
      async keep(query) {
        answered.push(`kept ${originQueryText(query)}`);
        return Buffer.from("value");
      },
      knows: () => false,
    },
    repinned: Promise.resolve(true),
  };
}

describe("OriginThread", () => {
  test("asks for the addresses, then answers the threads that wait", async () => {
    const answered: string[] = [];
    const { sent, fromMain, ask } = openWorld(() => sourceOf(answered));
    expect(sent).toEqual([{ kind: "addressesNeeded" }]);
    const memory = createWaitPage(64);
    const page = new WaitPage(memory);
    ask({ kind: "page", page: memory });
    page.expect(1);
    ask({ kind: "ask", id: 1, query: QUERY, companions: [] });
    await Bun.sleep(0);
    expect(answered).toEqual([]);
    fromMain(BEGIN);
    await Bun.sleep(0);
    expect(answered).toEqual([originQueryText(QUERY)]);
    expect(Buffer.from(page.take(0)?.bytes ?? []).toString()).toBe("value");
  });

  test("keeps usual values as soon as it knows the addresses", async () => {
    const answered: string[] = [];
    const { fromMain } = openWorld(() => sourceOf(answered), [QUERY]);
    fromMain(BEGIN);
    await Bun.sleep(0);
    expect(answered).toEqual([`kept ${originQueryText(QUERY)}`]);
  });

  test("keeps what the executor waits for", async () => {
    const answered: string[] = [];
    const { fromMain, askAsExecutor } = openWorld(() => sourceOf(answered));
    fromMain(BEGIN);
    askAsExecutor({ kind: "ask", id: 1, query: QUERY, companions: [] });
    await Bun.sleep(0);
    expect(answered).toEqual([`kept ${originQueryText(QUERY)}`]);
  });

  test("reports counts at intervals until it stops", () => {
    const { sent, timer, tally, thread } = openWorld(() => sourceOf([]));
    tally.value("cache");
    timer.advance(1_000);
    expect(sent.filter(({ kind }) => kind === "origin")).toHaveLength(1);
    thread.stop();
    expect(timer.alarms).toBe(0);
  });

  test("reports an origin that is no longer the one that was forked", async () => {
    const changed = new OriginError("ORIGIN_CHANGED", "block 3 has another hash", false);
    const { sent, timer, fromMain } = openWorld(() => ({
      ...sourceOf([]),
      repinned: Promise.reject(changed),
    }));
    fromMain(BEGIN);
    await Bun.sleep(0);
    timer.advance(1_000);
    const state = { kind: "down", reason: "block 3 has another hash" };
    expect(sent.at(-1)).toMatchObject({ kind: "origin", report: { state } });
  });

  test("passes compiled classes on to the compiler", async () => {
    const { compiler, fromMain } = openWorld(() => sourceOf([]));
    const sierra = {
      kind: "sierra",
      sierraProgram: [],
      contractClassVersion: "0.1.0",
      entryPoints: { EXTERNAL: [], L1_HANDLER: [], CONSTRUCTOR: [] },
      abi: "",
    } as const;
    const compiling = compiler.compile(1n, sierra);
    fromMain({ kind: "compiled", id: 1, outcome: { kind: "compiled", casmJson: "{}" } });
    expect(await compiling).toBe("{}");
  });

  test("answers the main thread under the query's id", async () => {
    const { fromMain, sent } = openWorld(() => ({
      source: {
        answer: (query) =>
          query.kind === "nonce"
            ? Promise.resolve(Buffer.from("value"))
            : Promise.reject(new OriginError("ORIGIN_REFUSED", "pruned", false)),
        keep: () => Promise.reject(new OriginError("ORIGIN_REFUSED", "pruned", false)),
        knows: () => false,
      },
      repinned: Promise.resolve(true),
    }));
    fromMain(BEGIN);
    fromMain({ kind: "ask", id: 4, query: QUERY });
    fromMain({ kind: "ask", id: 5, query: { kind: "l1Accepted" } });
    await Bun.sleep(0);
    const failure = encodeFailure(new OriginError("ORIGIN_REFUSED", "pruned", false));
    expect(sent).toContainEqual({ kind: "value", id: 4, value: Buffer.from("value") });
    expect(sent).toContainEqual({ kind: "lost", id: 5, failure });
  });
});

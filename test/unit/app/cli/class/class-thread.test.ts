import { describe, expect, test } from "bun:test";
import {
  type ClassWorker,
  classOutcomeInThread,
  classThread,
} from "#app/cli/class/class-thread.ts";
import type { ClassReply, ClassRequest } from "#app/cli/class/outcome.ts";

const REQUEST: ClassRequest = { text: "{}", maxBytecodeSize: 7 };
const never = new AbortController().signal;

/** A worker that the test plays. */
function worker() {
  const listeners = new Map<string, (event: never) => void>();
  const state = {
    posted: [] as ClassRequest[],
    isEnded: false,
    isWatched: false,
    exceed: (_what: "memory" | "time"): void => undefined,
  };
  const handle: ClassWorker = {
    postMessage: (request) => void state.posted.push(request),
    addEventListener: (type: string, listener: (event: never) => void) =>
      void listeners.set(type, listener),
    terminate: () => {
      state.isEnded = true;
    },
  };
  const event = (type: string, value: unknown): void => listeners.get(type)?.(value as never);
  return {
    state,
    deps: {
      start: () => handle,
      watch(onExceeded: (what: "memory" | "time") => void) {
        state.exceed = onExceeded;
        state.isWatched = true;
        return () => {
          state.isWatched = false;
        };
      },
    },
    event,
    says: (reply: ClassReply) => event("message", { data: reply }),
  };
}

test("sends the class once the thread has loaded, and ends the thread with the outcome", async () => {
  const { state, deps, says } = worker();
  const outcome = classOutcomeInThread(REQUEST, never, deps);
  expect(state.posted).toEqual([]);
  says({ kind: "ready" });
  expect(state.posted).toEqual([REQUEST]);
  says({ kind: "done", outcome: { kind: "legacy", classHash: "0x1" } });
  expect(await outcome).toEqual({ kind: "legacy", classHash: "0x1" });
  expect(state.isEnded).toBe(true);
});

describe("waiting ends together with the thread", () => {
  test("when the program stops", async () => {
    const { state, deps } = worker();
    const stop = new AbortController();
    const outcome = classOutcomeInThread(REQUEST, stop.signal, deps);
    stop.abort();
    expect(outcome).rejects.toMatchObject({ code: "NODE_STOPPED" });
    await outcome.catch(() => undefined);
    expect(state.isEnded).toBe(true);
    expect(classOutcomeInThread(REQUEST, stop.signal, deps)).rejects.toMatchObject({
      code: "NODE_STOPPED",
    });
  });

  test.each([
    ["memory", "--compiler-memory"],
    ["time", "--compiler-timeout"],
  ] as const)("when the process exceeds its limit of %s", async (what, flag) => {
    const { state, deps } = worker();
    const outcome = classOutcomeInThread(REQUEST, never, deps);
    expect(state.isWatched).toBe(true);
    state.exceed(what);
    expect(outcome).rejects.toMatchObject({
      code: "NODE_COMPILATION_UNFINISHED",
      message: expect.stringContaining(flag),
    });
    await outcome.catch(() => undefined);
    expect([state.isEnded, state.isWatched]).toEqual([true, false]);
  });

  const failures: readonly (readonly [string, string, unknown, string])[] = [
    ["when it fails to load", "error", { message: "no such file" }, "no such file"],
    ["when it ends by itself", "close", {}, "the thread ended"],
    ["when it has a bug", "message", { data: { kind: "crashed", text: "at x" } }, "at x"],
  ];
  test.each(failures)("%s", async (_name, type, value, part) => {
    const { state, deps, event } = worker();
    const outcome = classOutcomeInThread(REQUEST, never, deps);
    event(type, value);
    const error: unknown = await outcome.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "INVARIANT_BROKEN" });
    expect(String(error)).toContain(part);
    expect(state.isEnded).toBe(true);
  });
});

test("a real thread returns the outcome", async () => {
  const outcome = await classOutcomeInThread(
    { text: "{}", maxBytecodeSize: null },
    never,
    classThread({ residentBytes: 2 ** 40, cpuMs: 3_600_000 }),
  );
  expect(outcome).toMatchObject({ kind: "invalid" });
}, 30_000);

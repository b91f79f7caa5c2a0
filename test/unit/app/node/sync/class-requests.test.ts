import { expect, test } from "bun:test";
import { ClassRequests } from "#app/node/sync/class-requests.ts";
import type { CompileOutcome, CompileRequest } from "#services/admission/index.ts";
import type { SyncCompiled } from "#services/sync/index.ts";
import { settle } from "#test/helpers/admission-world.ts";
import { COMPILED } from "#test/helpers/fake-compiler.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

const BUSY: CompileOutcome = { kind: "busy", reason: "classes wait", retryAfterSeconds: 2 };
const DONE: CompileOutcome = { ...COMPILED.compiled, kind: "compiled" };
const { casmJson } = COMPILED.compiled;

/** A compiler that returns these outcomes in turn. */
function world(...outcomes: CompileOutcome[]) {
  const timer = new FakeTimer();
  const answers: SyncCompiled[] = [];
  const asked: CompileRequest[] = [];
  const requests = new ClassRequests({
    compiler: {
      compile(request) {
        asked.push(request);
        return Promise.resolve(outcomes.shift() ?? BUSY);
      },
    },
    timer,
    answer: (message) => answers.push(message),
  });
  const compile = (id: number) =>
    requests.compile({ kind: "compile", id, classHash: 5n, classBytes: new Uint8Array([1]) });
  return { timer, answers, asked, requests, compile };
}

test("compiles a class without a sender", async () => {
  const { compile, answers, asked } = world(DONE);
  await compile(7);
  expect(asked).toMatchObject([{ sender: 0n, classHash: 5n, classBytes: new Uint8Array([1]) }]);
  expect(answers).toEqual([{ kind: "compiled", id: 7, casmJson, reason: null }]);
});

test("replies with the reason if a class does not compile", async () => {
  const { compile, answers } = world({ kind: "refused", code: "COMPILATION_FAILED", reason: "no" });
  await compile(7);
  expect(answers).toEqual([
    { kind: "compiled", id: 7, casmJson: null, reason: "COMPILATION_FAILED: no" },
  ]);
});

test("retries busy compilers after the delay they request", async () => {
  const { compile, answers, asked, timer } = world(BUSY, BUSY, DONE);
  const done = compile(7);
  await settle();
  timer.advance(1_999);
  await settle();
  expect([asked.length, answers.length]).toEqual([1, 0]);
  timer.advance(1);
  await settle();
  timer.advance(2_000);
  await done;
  expect([asked.length, answers.length]).toEqual([3, 1]);
});

test("drops replies to interrupted threads and answers their successors", async () => {
  const { compile, answers, requests, timer } = world(BUSY, DONE, DONE);
  const waiting = compile(1);
  await settle();
  const compiling = compile(1);
  requests.interrupt();
  timer.advance(2_000);
  await Promise.all([waiting, compiling]);
  expect(answers).toEqual([]);
  await compile(1);
  expect(answers).toMatchObject([{ id: 1, casmJson }]);
  expect(timer.alarms).toBe(0);
});

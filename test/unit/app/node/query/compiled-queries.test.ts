import { describe, expect, test } from "bun:test";
import { positionAt } from "#engine/state/index.ts";
import { encodeContractClass } from "#protocol/chain/index.ts";
import { ClassNeeds } from "#app/node/query/class-needs.ts";
import type { NeededClass } from "#app/node/threads/query-messages.ts";
import type { CompileOutcome, CompileRequest } from "#services/admission/index.ts";
import { settle } from "#test/helpers/admission-world.ts";
import { classOf, COMPILED } from "#test/helpers/fake-compiler.ts";
import {
  ask,
  answerError,
  answerQuery,
  answersOf,
  answerText,
  queryPoolOf,
} from "#test/helpers/query-pool.ts";
import { QUERY, queryServiceWorld, RESULT, seen } from "#test/helpers/query-service-world.ts";

const OUTCOME = { kind: "compiled", ...COMPILED.compiled } as const;
const needOf = (classHash: bigint): NeededClass => ({
  sender: 5n,
  classHash,
  classBytes: encodeContractClass(classOf(classHash)),
});

/** A pool with one thread, and a compiler that the test plays. */
function world() {
  const requests: CompileRequest[] = [];
  const answers: ((outcome: CompileOutcome) => void)[] = [];
  const { pool, threads } = queryPoolOf(1, undefined, (request) => {
    requests.push(request);
    return new Promise((resolve) => void answers.push(resolve));
  });
  const [thread] = threads;
  const need = (...needed: NeededClass[]) =>
    thread?.tell(
      answersOf({
        id: thread.sent.at(-1)?.id ?? -1,
        processorMs: 1,
        isCancelled: false,
        position: positionAt(5),
        needed,
        bytes: new Uint8Array(),
      }),
    );
  return { pool, thread, requests, answers, need };
}

describe("a query that needs classes", () => {
  test("is run again with the outcomes, while others run in the meantime", async () => {
    const { pool, thread, requests, answers, need } = world();
    const running = pool.run("0.10.2", "estimateFee", "[1]", undefined);
    const other = ask(pool, "[2]");
    need(needOf(7n), needOf(8n));
    expect(requests).toEqual([
      { ...needOf(7n), isTrial: true },
      { ...needOf(8n), isTrial: true },
    ]);
    answerQuery(thread, "other");
    expect(await answerText(other)).toBe("other");
    const refused = { kind: "refused", code: "COMPILATION_FAILED", reason: "why" } as const;
    answers[1]?.(refused);
    answers[0]?.(OUTCOME);
    await settle();
    expect(thread?.sent.at(-1)).toMatchObject({
      paramsText: "[1]",
      compiled: [
        { classHash: 7n, outcome: OUTCOME },
        { classHash: 8n, outcome: refused },
      ],
    });
    answerQuery(thread, "done");
    expect(await answerText(running)).toBe("done");
  });

  test("fails if the compilers are busy", async () => {
    const { pool, answers, need } = world();
    const running = pool.run("0.10.2", "estimateFee", "[]", undefined);
    need(needOf(7n));
    answers[0]?.({ kind: "busy", reason: "classes wait to be compiled", retryAfterSeconds: 9 });
    expect((await answerError(running)).data).toContain("try again in 9 s");
  });

  test("fails if it needs classes a second time", async () => {
    const { pool, answers, need, requests } = world();
    const running = pool.run("0.10.2", "estimateFee", "[]", undefined);
    need(needOf(7n));
    answers[0]?.(OUTCOME);
    await settle();
    need(needOf(8n));
    answers[1]?.(OUTCOME);
    expect((await answerError(running)).code).toBe(-32603);
    expect(requests).toHaveLength(2);
  });

  test("fails if the pool stops in the meantime", async () => {
    const { pool, answers, need } = world();
    const running = pool.run("0.10.2", "estimateFee", "[]", undefined);
    need(needOf(7n));
    pool.stop();
    answers[0]?.(OUTCOME);
    expect((await answerError(running)).data).toContain("stopping");
  });
});

describe("the needs of a query", () => {
  const request = { sender: 5n, classHash: 7n, contractClass: classOf(7n) };

  test("are the requested unknown classes, each once", () => {
    const needs = new ClassNeeds();
    needs.begin([{ classHash: 8n, outcome: OUTCOME }]);
    expect(needs.outcomeOf({ ...request, classHash: 8n })).toBe(OUTCOME);
    expect([needs.outcomeOf(request), needs.outcomeOf(request)]).toEqual([undefined, undefined]);
    expect(needs.needed).toEqual([needOf(7n)]);
  });

  test("are cleared when the next one starts", () => {
    const needs = new ClassNeeds();
    needs.begin([{ classHash: 8n, outcome: OUTCOME }]);
    needs.outcomeOf(request);
    needs.begin();
    expect(needs.needed).toEqual([]);
    expect(needs.outcomeOf({ ...request, classHash: 8n })).toBeUndefined();
  });
});

test("a query sees the classes sent with it, the next one does not", async () => {
  const classes = new ClassNeeds();
  const found: unknown[] = [];
  const { main } = queryServiceWorld({
    classes,
    run() {
      found.push(
        classes.outcomeOf({ sender: 5n, classHash: 7n, contractClass: classOf(7n) })?.kind,
      );
      return Promise.resolve(RESULT);
    },
  });
  const query = { ...QUERY, ...seen };
  main.tell({ ...query, compiled: [{ classHash: 7n, outcome: OUTCOME }] }, query);
  await settle();
  expect(found).toEqual(["compiled", undefined]);
  expect(main.sent).toMatchObject([{ bytes: RESULT }, { needed: [needOf(7n)] }]);
  expect(main.sent[0]).not.toHaveProperty("needed");
});

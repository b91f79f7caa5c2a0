import { executeQuery } from "#test/helpers/execute-query.ts";
import { expect, test } from "bun:test";
import { type ServerContext } from "#api/rpc/index.ts";
import { method } from "#api/rpc/method.ts";
import { SPEC_0_10_2 } from "#api/rpc/spec/v0_10/index.ts";
import { createMethodTable } from "#api/rpc/table.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { SILENT } from "#test/helpers/serving.ts";

/** Steps that a query performs if it is cancelled after `looks` checks. */
async function doneOf(looks: number): Promise<{ readonly done: string[]; readonly body: string }> {
  const done: string[] = [];
  const steps = method({
    name: "steps",
    family: "read",
    runsOn: "query",
    summary: "Records its steps.",
    params: () => ({}),
    result: () => (answer: string) => {
      done.push("encoded");
      return answer;
    },
    errors: [],
    handler() {
      done.push("run");
      return "answer";
    },
  });
  const declared = { methods: [steps], subscriptions: [], extensions: [] };
  const table = createMethodTable<ServerContext>(SPEC_0_10_2, declared);
  let checks = 0;
  const context = sampleContext({ isStopped: () => checks++ >= looks });
  const bytes = await executeQuery(table, context, "steps", "[]", SILENT);
  return { done, body: new TextDecoder().decode(bytes) };
}

test("a cancelled query stops at its next check", async () => {
  expect((await doneOf(0)).done).toEqual([]);
  expect((await doneOf(1)).done).toEqual([]);
  const late = await doneOf(2);
  expect(late.done).toEqual(["run"]);
  expect(late.body).toContain("took too long and was stopped");
  expect(await doneOf(3)).toEqual({ done: ["run", "encoded"], body: '{"result":"answer"}' });
});

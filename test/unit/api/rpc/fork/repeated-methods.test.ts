import { expect, test } from "bun:test";
import type { LocalMethod } from "#api/rpc/bound-method.ts";
import { MethodRunner } from "#api/rpc/method-runner.ts";
import { THIS_NODE } from "#api/rpc/transaction-submitter.ts";
import { OriginMissing } from "#io/origin/index.ts";
import { tableOf } from "#test/helpers/rpc.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { type FullContext, newCache, unused } from "#test/helpers/serving.ts";
import { partialOrigin } from "#test/helpers/origin-world.ts";

/**
 * Runs a method that lacks a value in its first run: before its effects, or in the promise of its work.
 *
 * @returns the number of runs
 */
async function runsOf(
  runsOn: LocalMethod<FullContext>["runsOn"],
  isDeveloper: boolean,
  lacks: "before" | "later",
): Promise<number> {
  let runs = 0;
  const bound: LocalMethod<FullContext> = {
    name: "someMethod",
    summary: "",
    errors: [],
    params: [],
    answer: undefined,
    runsOn,
    cacheKey: null,
    invoke() {
      if (++runs > 1) return null;
      const missing = new OriginMissing([{ kind: "l1Accepted" }]);
      if (lacks === "later") return Promise.reject(missing);
      throw missing;
    },
  };
  const developer = new Map(isDeveloper ? [[bound.name, bound]] : []);
  const { forkBlock } = partialOrigin({});
  const fork = {
    forkBlock,
    ask: () => null,
    require: () => undefined,
    l1AcceptedNumber: () => undefined,
    fetch: () => Promise.resolve(),
    callEndsAtMs: () => 0,
  };
  const context = sampleContext({ fork });
  const runner = new MethodRunner({ context, queryPool: unused("queries"), cache: newCache() });
  const table = { ...tableOf("0.10.2"), developer };
  try {
    await runner.local(table, bound, [], THIS_NODE);
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(OriginMissing);
  }
  return runs;
}

test.each([
  ["a read runs again with the fetched value", "main", false, "before", 2],
  ["a read that lacks a value later runs again", "main", false, "later", 2],
  ["a method for developers runs again before its effects", "main", true, "before", 2],
  ["a method for developers, which may have had effects, runs once", "main", true, "later", 1],
  ["a submission runs again before its effects", "admission", false, "before", 2],
  ["a submission runs once after it has begun", "admission", false, "later", 1],
] as const)("%s", async (_, runsOn, isDeveloper, lacks, runs) => {
  expect(await runsOf(runsOn, isDeveloper, lacks)).toBe(runs);
});

import { expect, test } from "bun:test";
import type { LocalMethod } from "#api/rpc/bound-method.ts";
import { MethodRunner } from "#api/rpc/method-runner.ts";
import { THIS_NODE } from "#api/rpc/transaction-submitter.ts";
import { OriginMissing } from "#io/origin/index.ts";
import { tableOf } from "#test/helpers/rpc.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { type FullContext, newCache, unused } from "#test/helpers/serving.ts";
import { partialOrigin } from "#test/helpers/origin-world.ts";

/** Runs a method that lacks a value in its first run. @returns the number of runs */
async function runsOf(
  runsOn: LocalMethod<FullContext>["runsOn"],
  isDeveloper: boolean,
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
      if (++runs === 1) throw new OriginMissing([{ kind: "l1Accepted" }]);
      return null;
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
  ["a read runs again with the fetched value", "main", false, 2],
  ["a method for developers, which may have had effects, runs once", "main", true, 1],
  ["a submission runs once", "admission", false, 1],
] as const)("%s", async (_, runsOn, isDeveloper, runs) => {
  expect(await runsOf(runsOn, isDeveloper)).toBe(runs);
});

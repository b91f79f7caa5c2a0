import { expect, test } from "bun:test";
import { availableParallelism } from "node:os";
import { defaultQueryThreads } from "#app/options/query-threads.ts";
import { run, startedWith } from "./run.ts";

const DEVNET = ["sequencer", "--preset", "devnet"];

test.each([
  [1, 2],
  [2, 2],
  [3, 2],
  [4, 3],
  [64, 63],
  [1_000, 256],
])("a computer with %p cores has %p query threads by default", (cores, threads) => {
  expect(defaultQueryThreads(cores)).toBe(threads);
});

test("queries run on the configured number of threads", async () => {
  const usual = defaultQueryThreads(availableParallelism());
  expect((await startedWith(DEVNET)).queryThreads).toBe(usual);
  for (const count of [1, 4, 256]) {
    const options = await startedWith([...DEVNET, "--query-threads", String(count)]);
    expect(options.queryThreads).toBe(count);
  }
});

test.each(["0", "257", "-1", "2.5", "many"])("refuses --query-threads %s", async (text) => {
  const { code, err } = await run([...DEVNET, "--query-threads", text]);
  expect(code).toBe(2);
  expect(err).toContain("--query-threads");
});

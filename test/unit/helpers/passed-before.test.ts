import { describe, expect, test } from "bun:test";
import { unlessPassedBefore } from "#test/helpers/passed-before.ts";
import { bySize } from "#test/helpers/test-size.ts";

// SHA-256 of "1:a2:bc", by coreutils.
const OF_A_AND_BC = "5310a58788781ab25d5ad7c3f85035824b4eb7bdfa394e0ac2186271472b5492";

/** Number of times that the check ran, and the failure of the test. */
async function outcome(passed: string, inputs: readonly string[]) {
  let runs = 0;
  const failure = await unlessPassedBefore(passed, inputs, () => void runs++).then(
    () => undefined,
    String,
  );
  return { runs, failure };
}

describe("a check that depends on its inputs alone", () => {
  test("runs at full size only, if it has passed with these inputs", async () => {
    const runs = bySize({ quick: 0, full: 1 });
    expect(await outcome(OF_A_AND_BC, ["a", "bc"])).toEqual({ runs, failure: undefined });
  });

  test("runs for other inputs, and the test fails until their hash is recorded", async () => {
    for (const inputs of [["ab", "c"], ["a", "bd"], ["a"]]) {
      const { runs, failure } = await outcome(OF_A_AND_BC, inputs);
      expect(runs).toBe(1);
      expect(failure).toContain(OF_A_AND_BC);
    }
  });

  test("fails with the failure of the check", async () => {
    const failing = unlessPassedBefore("", [], () => {
      throw new TypeError("the check failed");
    });
    expect(failing).rejects.toThrow("the check failed");
    await Bun.sleep(0);
  });
});

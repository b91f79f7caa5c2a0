import { describe, expect, test } from "bun:test";
import type { Step } from "#app/bootstrap/index.ts";
import type { Journal } from "#app/bootstrap/plan/journal.ts";
import { requirePlanned, requireRecorded } from "#app/bootstrap/run/recorded.ts";

function step(id: string, needsL2: boolean, isDone: boolean): Step {
  return {
    id,
    title: id,
    group: needsL2 ? "l2" : "l1",
    needsL2,
    addresses: { [`${id}_address`]: "0x1" },
    isDone: () => Promise.resolve(isDone),
    act: () => Promise.resolve(),
  };
}

const recording = (...ids: readonly string[]) =>
  ({ addresses: Object.fromEntries(ids.map((id) => [`${id}_address`, "0x1"])) }) as Journal;

/** Refusal of the file for a side; `undefined` if accepted. */
async function refusal(journal: Journal, steps: readonly Step[], side: "L1" | "L2") {
  return requireRecorded("a.json", journal, steps, side).then(
    () => undefined,
    (cause: unknown) => String(cause),
  );
}

describe("a step that the file records as done", () => {
  const steps = [step("core", false, true), step("account", true, false)];

  test("must be done on L2, or the chain was replaced or reset", async () => {
    const text = await refusal(recording("core", "account"), steps, "L2");
    expect(text).toContain("a.json records account as done, and account_address is not there");
    expect(text).toContain("ROLLUP_SEQ_URL is of another chain, or the chain was reset");
    expect(text).toContain("--adopt");
  });

  test("must be done on L1", async () => {
    const lost = [step("core", false, false)];
    expect(await refusal(recording("core"), lost, "L1")).toContain("ETH_RPC is of another chain");
  });

  test("is checked on its own side only, and only if recorded", async () => {
    expect(await refusal(recording("core", "account"), steps, "L1")).toBeUndefined();
    expect(await refusal(recording("core"), steps, "L2")).toBeUndefined();
  });
});

test("reports all addresses that differ from the plan", () => {
  const journal = { addresses: { core_address: "0x2", other: "0x1" } } as unknown as Journal;
  const steps = [step("core", false, true)];
  expect(() => {
    requirePlanned("a.json", journal, steps);
  }).toThrow(
    expect.objectContaining({
      issues: [
        { path: "core_address", line: 0, message: "is 0x2 there, and 0x1 in the plan" },
        { path: "other", line: 0, message: "is not the name of a bootstrap address" },
      ],
    }),
  );
});

import { describe, expect, test } from "bun:test";
import { stateChangesOf, withBefore } from "#api/explorer/page/decode/state-changes.ts";
import { fixtureTest, readFixtureJson } from "#test/helpers/shared.ts";

const updatesTest = fixtureTest("rpc-execution");
const diff = (value: string) => ({
  storage_diffs: [{ address: "0x01", storage_entries: [{ key: "0x2", value }] }],
});

describe("stateChangesOf", () => {
  updatesTest("reads every list of a recorded state update", () => {
    const { state_diff } = readFixtureJson(
      "rpc-execution",
      "0.10.0",
      "state_updates",
      "full.json",
    ) as { state_diff: Record<string, { storage_entries: unknown[] }[]> };
    const changes = stateChangesOf(state_diff);
    const lengthOf = (name: string) => state_diff[name]?.length ?? 0;
    const entries = state_diff["storage_diffs"]?.map((one) => one.storage_entries.length) ?? [];
    expect(changes.storage).toHaveLength(entries.reduce((sum, one) => sum + one, 0));
    expect(changes.nonces).toHaveLength(lengthOf("nonces"));
    expect(changes.deployed).toHaveLength(lengthOf("deployed_contracts"));
    expect(changes.replaced).toHaveLength(lengthOf("replaced_classes"));
    expect(changes.declared).toHaveLength(
      lengthOf("declared_classes") + lengthOf("deprecated_declared_classes"),
    );
    expect(changes.migrated).toHaveLength(lengthOf("migrated_compiled_classes"));
  });

  test.each([[null], [5], [{ storage_diffs: 5, nonces: null }]])(
    "reads %p as no changes",
    (one) => {
      expect(Object.values(stateChangesOf(one)).flat()).toEqual([]);
    },
  );
});

describe("withBefore", () => {
  const { storage } = stateChangesOf(diff("0x9"));

  test("takes the value of the last earlier transaction of the block", () => {
    const earlier = [diff("0x3"), diff("0x4"), {}];
    expect(withBefore(storage, earlier, () => "0x1")).toEqual([
      { contract: "0x1", key: "0x2", before: "0x4", after: "0x9" },
    ]);
  });

  test("takes the value of the parent block if no earlier transaction changed it", () => {
    expect(withBefore(storage, [], () => "0x1")[0]?.before).toBe("0x1");
    expect(withBefore(storage, [], () => undefined)[0]?.before).toBeNull();
  });
});

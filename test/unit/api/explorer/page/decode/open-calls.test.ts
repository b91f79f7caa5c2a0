import { describe, expect, test } from "bun:test";
import { callTreeOf } from "#api/explorer/page/decode/call-tree.ts";
import { openCallsOf } from "#api/explorer/page/decode/open-calls.ts";

const call = (more: object = {}) => ({
  contract_address: "0xa",
  class_hash: "0xc1",
  entry_point_selector: "0x5",
  call_type: "CALL",
  ...more,
});

function rootOf(more: object) {
  const [phase] = callTreeOf({ execute_invocation: call(more) }).phases;
  if (phase === undefined) throw new TypeError("no phase");
  return phase.root;
}

describe("openCallsOf", () => {
  test("opens calls near the root, and reverted ones at any depth", () => {
    const failed = call({ calls: [call({ is_reverted: true })] });
    const root = rootOf({ calls: [call({ calls: [failed] }), call()] });
    expect([...openCallsOf(root, 2)].toSorted()).toEqual(["2", "2.0", "2.0.0.0", "2.1"]);
  });

  test("opens no more than 100 of many calls, the reverted ones first", () => {
    const calls = Array.from({ length: 500 }, (_, i) => call({ is_reverted: i === 499 }));
    const open = openCallsOf(rootOf({ calls }), 3);
    expect([open.size, open.has("2.499")]).toEqual([100, true]);
  });
});

import { describe, expect, test } from "bun:test";
import { callTreeOf } from "#api/explorer/page/decode/call-tree.ts";
import { eventClassesOf } from "#api/explorer/page/decode/event-classes.ts";

const event = (...data: string[]) => ({ order: 0, keys: ["0x1"], data });
const call = (class_hash: string, more: object = {}) => ({
  contract_address: "0xa",
  class_hash,
  entry_point_selector: "0x5",
  call_type: "CALL",
  ...more,
});
const emitted = (...data: string[]) => ({ emitter: "0xa", keys: ["0x1"], data });

describe("eventClassesOf", () => {
  test("names the class that a proxy delegated to", () => {
    const inner = call("0xc2", { call_type: "DELEGATE", events: [event("0x7")] });
    const tree = callTreeOf({ execute_invocation: call("0xc1", { calls: [inner] }) });
    expect(eventClassesOf(tree, [emitted("0x7")])).toEqual(["0xc2"]);
  });

  test("matches equal events in the order of the trace, across its phases", () => {
    const tree = callTreeOf({
      execute_invocation: call("0xc1", { events: [event("0x7")] }),
      fee_transfer_invocation: call("0xc3", { events: [event("0x7")] }),
    });
    const events = [emitted("0x7"), emitted("0x7"), emitted("0x7"), emitted("0x8")];
    expect(eventClassesOf(tree, events)).toEqual(["0xc1", "0xc3", undefined, undefined]);
  });
});

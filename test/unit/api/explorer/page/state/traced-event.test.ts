import { describe, expect, test } from "bun:test";
import { hash } from "starknet";
import { readAbi } from "#api/explorer/page/abi/abi.ts";
import { PageError } from "#api/explorer/page/rpc/page-error.ts";
import { tracedEvent, type TracePort } from "#api/explorer/page/state/traced-event.ts";

const SAVED = hash.getSelectorFromName("Saved");
const ABI = readAbi([
  { type: "event", name: "Saved", keys: [], data: [{ name: "amount", type: "core::felt252" }] },
]);
const event = { emitter: "0xa", keys: [SAVED], data: ["0x7"] };
const call = (class_hash: string, more: object = {}) => ({
  contract_address: "0xa",
  class_hash,
  entry_point_selector: "0x5",
  call_type: "CALL",
  ...more,
});
const inner = call("0xc2", { call_type: "DELEGATE", events: [{ ...event, order: 0 }] });
const trace = { execute_invocation: call("0xc1", { calls: [inner] }) };

/** A node with this trace, and a proxy's class `0xc1` in front of `0xc2`. */
const port: TracePort = {
  call: (method, params) => {
    expect([method, params]).toEqual(["starknet_traceTransaction", { transaction_hash: "0x1" }]);
    return Promise.resolve(trace as never);
  },
  abiOfClass: (classHash) => Promise.resolve(classHash === "0xc2" ? ABI : readAbi([])),
};

describe("tracedEvent", () => {
  test("decodes an event by the class behind the proxy that emitted it", async () => {
    const named = await tracedEvent("0x1", event, port);
    expect(named).toMatchObject({ name: "Saved", rest: [], problem: null });
    expect(named?.values.map(({ text }) => text)).toEqual(["0x7"]);
  });

  test("decodes nothing that the trace does not have", async () => {
    expect(await tracedEvent("0x1", { ...event, data: ["0x8"] }, port)).toBeUndefined();
  });

  test("decodes nothing that the class does not describe", async () => {
    const abiOfClass = () => Promise.resolve(readAbi([]));
    expect(await tracedEvent("0x1", event, { ...port, abiOfClass })).toBeUndefined();
  });

  test("reports that the node has no trace", async () => {
    const failing = () => Promise.reject(new PageError("No trace available", 10));
    expect(tracedEvent("0x1", event, { ...port, call: failing })).rejects.toThrow("No trace");
    await Bun.sleep(0);
  });
});

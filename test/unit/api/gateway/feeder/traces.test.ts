import { expect, test } from "bun:test";
import { writeTraces } from "#api/rpc/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { writeTrace } from "#api/gateway/feeder/works/traces.ts";
import { fakeCall, fakeTrace } from "#test/helpers/call-info.ts";
import { feederOf } from "#test/helpers/feeder.ts";
import { INVOKE_V3, sampleContext } from "#test/helpers/sample-chain.ts";
import { readFixtureJson, sharedTest } from "#test/helpers/shared.ts";
import { readStrictly } from "#test/helpers/strict-gateway/index.ts";
import { type TraceWorld, traceWorld } from "#test/helpers/trace-world.ts";

type Members = Readonly<Record<string, unknown>>;

const CALLS = ["validate_invocation", "function_invocation", "fee_transfer_invocation"];

/** Every call of a trace, nested ones included. */
function* callsOf(trace: Members): Generator<Members> {
  for (const name of CALLS) if (trace[name] !== undefined) yield* within(trace[name] as Members);
}

function* within(call: Members): Generator<Members> {
  yield call;
  for (const inner of call["internal_calls"] as readonly Members[]) yield* within(inner);
}

let made: TraceWorld | undefined;

/** Trace fixtures, executed once. */
const world = (): TraceWorld => (made ??= traceWorld());

async function tracesOf(number: number): Promise<readonly Members[]> {
  const { ask } = feederOf({ context: world().context });
  const { status, text, json } = await ask(`get_block_traces?blockNumber=${number}`);
  expect(status).toBe(200);
  readStrictly("blockTraces", text);
  return (json as { traces: readonly Members[] }).traces;
}

sharedTest("traces have the same members as the public gateway's", async () => {
  const { traces: theirs } = readFixtureJson(
    "gateway-blocks/0.13.4/traces/sepolia_testnet_30000.json",
  ) as { traces: readonly Members[] };
  const [ours] = await tracesOf(0);
  const [known] = theirs;
  expect(Object.keys(ours ?? {}).toSorted()).toEqual(Object.keys(known ?? {}).toSorted());
  const members = (trace: Members | undefined) =>
    [...callsOf(trace ?? {})].map((call) =>
      Object.keys(call)
        .filter((name) => name !== "gas_consumed")
        .toSorted()
        .join(),
    );
  expect(new Set(members(ours))).toEqual(new Set(members(known)));
  const eventsOf = (traces: readonly Members[]) =>
    traces.flatMap((trace) =>
      [...callsOf(trace)].flatMap((call) => call["events"] as readonly Members[]),
    );
  expect(Object.keys(eventsOf([ours ?? {}])[0] ?? {})).toEqual(
    Object.keys(eventsOf(theirs)[0] ?? {}),
  );
  const resources = [...callsOf(ours ?? {})].map((call) => call["execution_resources"]);
  for (const each of resources) {
    expect(Object.keys(each as object)).toEqual([
      "n_steps",
      "builtin_instance_counter",
      "n_memory_holes",
    ]);
  }
});

test("a call tracked in gas reports its gas and only the steps of its inner calls", () => {
  const steps = { steps: 120, memoryHoles: 0, builtins: {} };
  const inner = fakeCall({ vmResources: steps });
  const inGas = { trackedResource: "sierra_gas", gasConsumed: 7_500n } as const;
  const transaction = { hash: 1n, transaction: INVOKE_V3 };
  for (const [call, gas, count] of [
    [fakeCall(inGas), 7_500, 0],
    [fakeCall({ ...inGas, vmResources: steps, innerCalls: [inner] }), 7_500, 120],
    [inner, undefined, 120],
  ] as const) {
    const trace = fakeTrace(transaction, { execute: call });
    const written = writeTraces([trace], (lists) => writeTrace(trace, lists)) as Members;
    const { gas_consumed, execution_resources } = written["function_invocation"] as Members;
    expect([gas_consumed, (execution_resources as Members)["n_steps"]]).toEqual([gas, count]);
  }
});

sharedTest("get_block_traces returns the traces of all transactions in block order", async () => {
  for (const number of [0, 1]) {
    const traces = await tracesOf(number);
    expect(traces.map((trace) => trace["transaction_hash"])).toEqual(
      world().transactions[number]?.map(({ hash }) => hexFromFelt(hash)) ?? [],
    );
  }
});

sharedTest(
  "traces omit calls that were not made, and a reverted trace has its reason",
  async () => {
    const [paid, reverted, message] = await tracesOf(0);
    expect(Object.keys(paid ?? {})).toEqual([...CALLS, "signature", "transaction_hash"]);
    expect(Object.keys(reverted ?? {})).toEqual([
      "revert_error",
      "validate_invocation",
      "fee_transfer_invocation",
      "signature",
      "transaction_hash",
    ]);
    expect(Object.keys(message ?? {})).toEqual([
      "function_invocation",
      "signature",
      "transaction_hash",
    ]);
    expect(message).toMatchObject({
      signature: [],
      function_invocation: { entry_point_type: "L1_HANDLER" },
    });
    const receipt = world().receipts[0]?.[1];
    expect(reverted?.["revert_error"]).toBe(
      receipt?.status.kind === "reverted" ? receipt.status.reason : "",
    );
  },
);

sharedTest(
  "get_transaction_trace omits the hash and also works for pre-confirmed blocks",
  async () => {
    const [hash] = world().transactions[0]?.map((each) => hexFromFelt(each.hash)) ?? [];
    const one = await feederOf({ context: world().context }).ask(
      `get_transaction_trace?transactionHash=${hash}`,
    );
    readStrictly("transactionTrace", one.text);
    const [{ transaction_hash: _, ...first } = {}] = await tracesOf(0);
    expect(one.json).toEqual(first as typeof one.json);
    const sealed = hexFromFelt(world().transactions[2]?.[0]?.hash ?? 0n);
    const above = await feederOf({ context: world().context }).ask(
      `get_transaction_trace?transactionHash=${sealed}`,
    );
    expect(above.json).toHaveProperty("function_invocation");
    expect(one.headers["etag"]).not.toBe(above.headers["etag"] ?? "");
  },
);

test("get_transaction_trace responds NO_TRACE for a transaction in no block", async () => {
  const { ask } = feederOf({ context: sampleContext() });
  for (const hash of ["0xdead", "0x400"]) {
    expect(await ask(`get_transaction_trace?transactionHash=${hash}`)).toMatchObject({
      status: 400,
      json: {
        code: "StarknetErrorCode.NO_TRACE",
        message: `Transaction ${hash} does not have a trace.`,
      },
    });
  }
});

import { describe, expect, test } from "bun:test";
import { NodeError } from "#base/errors/index.ts";
import { FeltDigest, NodeClient, type RemoteTrace } from "#io/client/index.ts";
import { readFixtureJson, sharedTest } from "#test/helpers/shared.ts";
import { streamedAnswer } from "#test/helpers/streamed-answer.ts";
import { callJson, traceJson, tracesJson } from "#test/helpers/trace-json.ts";

/** Client of a node that always returns the same result; collects requests in `requests`. */
function clientOf(result: unknown, asked: unknown[] = []): NodeClient {
  return new NodeClient({
    call: () => Promise.reject(new TypeError("traces are read as a stream")),
    stream(method, params, decoder) {
      asked.push([method, params]);
      return streamedAnswer(method, JSON.stringify(result), decoder());
    },
  });
}

async function traceOf(root: unknown): Promise<RemoteTrace> {
  const { traces } = await clientOf(tracesJson([root])).traces(1);
  const [first] = traces;
  if (first === undefined) throw new TypeError("there is no trace");
  return first.trace;
}

/** Copy of a JSON value with the members of every object in reverse order. */
function reversed(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  const members = Object.entries(value).map(([name, member]) => [name, reversed(member)] as const);
  return Object.fromEntries(members.reverse());
}

describe("block traces", () => {
  test("requests initial reads by trace flag", async () => {
    const asked: unknown[] = [];
    expect(await clientOf(tracesJson([]), asked).traces(5)).toMatchObject({ traces: [] });
    expect(asked).toEqual([
      [
        "starknet_traceBlockTransactions",
        { block_id: { block_number: 5 }, trace_flags: ["RETURN_INITIAL_READS"] },
      ],
    ]);
  });

  test("decodes every member of a call", async () => {
    const inner = callJson({ call_type: "LIBRARY_CALL", is_reverted: true, result: ["0x8"] });
    const { type, gas, main, validate } = await traceOf(
      traceJson({
        validate_invocation: callJson(),
        execute_invocation: callJson({
          calls: [inner],
          events: [{ order: 0, keys: ["0x9"], data: ["0xa", "0xb"] }],
          messages: [{ order: 1, from_address: "0xc", to_address: "0xd", payload: ["0xe"] }],
        }),
      }),
    );
    const call = {
      contractAddress: 1n,
      entryPointSelector: 2n,
      calldata: [3n],
      callerAddress: 4n,
      classHash: 5n,
      entryPointType: "EXTERNAL",
      callType: "CALL",
      result: [],
      calls: [],
      events: [],
      messages: [],
      l1Gas: 6n,
      l2Gas: 7n,
      isReverted: false,
    };
    expect([type, gas]).toEqual(["INVOKE", { l1Gas: 1n, l1DataGas: 2n, l2Gas: 3n }]);
    expect(validate).toEqual(call);
    expect(main).toEqual({
      kind: "call",
      call: {
        ...call,
        calls: [{ ...call, callType: "LIBRARY_CALL", isReverted: true, result: [8n] }],
        events: [{ order: 0, keys: [9n], data: [10n, 11n] }],
        messages: [{ order: 1, fromAddress: 12n, toAddress: 13n, payload: [14n] }],
      },
    });
  });

  test("accepts members in any order and unknown members", async () => {
    const events = [{ order: 0, keys: ["0x1"], data: [], more: {} }];
    const root = traceJson({
      validate_invocation: callJson({ calls: [callJson({ events })] }),
      execute_invocation: { revert_reason: "because" },
      computation_resources: { steps: 5 },
    });
    const reordered = reversed(root);
    expect(JSON.stringify(reordered)).not.toBe(JSON.stringify(root));
    expect(await traceOf(reordered)).toEqual(await traceOf(root));
  });

  test("accepts initial reads before or after the traces", async () => {
    const { traces, initial_reads } = tracesJson([traceJson()]);
    for (const answer of [
      { initial_reads, traces },
      { traces, initial_reads },
    ]) {
      expect((await clientOf(answer).traces(1)).traces).toHaveLength(1);
    }
  });

  test("prefers a revert reason over call members", async () => {
    const reason = { revert_reason: 'a "reason"\n' };
    for (const execute_invocation of [reason, { ...callJson(), ...reason }]) {
      const { main } = await traceOf(traceJson({ execute_invocation }));
      expect(main).toEqual({ kind: "reverted", reason: reason.revert_reason });
    }
  });

  test("decodes the main call of other transaction types", async () => {
    for (const name of ["constructor_invocation", "function_invocation"]) {
      const { main } = await traceOf(traceJson({ [name]: callJson() }));
      expect(main?.kind).toBe("call");
    }
  });

  test("keeps only the digest of long lists", async () => {
    const long = Array.from({ length: 5_000 }, (_, i) => `0x${i.toString(16)}`);
    const { main } = await traceOf(traceJson({ execute_invocation: callJson({ calldata: long }) }));
    const calldata = main?.kind === "call" ? main.call.calldata : undefined;
    expect(calldata).toBeInstanceOf(FeltDigest);
    expect(calldata?.length).toBe(5_000);
  });

  const call = (special: Readonly<Record<string, unknown>>) =>
    traceJson({ execute_invocation: callJson({ calls: [callJson(special)] }) });
  const inner = String.raw`traces\[0\]\.trace_root\.execute_invocation\.calls\[0\]`;

  test.each([
    [
      call({ is_reverted: undefined }),
      `${inner}\\.is_reverted: expected true or false .it is missing`,
    ],
    [call({ is_reverted: "yes" }), `${inner}\\.is_reverted: expected true or false`],
    [call({ class_hash: {} }), `${inner}\\.class_hash: expected felt`],
    [call({ calls: [null] }), `${inner}\\.calls\\[0\\]: expected object with contract_address`],
    [call({ calldata: ["0x1", 2] }), `${inner}\\.calldata\\[1\\]: expected felt`],
    [call({ call_type: "CALLED" }), `${inner}\\.call_type: expected "CALL" or`],
    [
      call({ execution_resources: { l1_gas: -1, l2_gas: 0 } }),
      `${inner}\\.execution_resources\\.l1_gas`,
    ],
    [
      call({ events: [{ order: 0, keys: [] }] }),
      `${inner}\\.events\\[0\\]\\.data: expected array of felt .* \\(it is missing\\)`,
    ],
    [
      traceJson({ execute_invocation: { calldata: [] } }),
      String.raw`trace_root\.execute_invocation\.contract_address: expected .* \(it is missing\)`,
    ],
    [traceJson({ type: "OTHER" }), String.raw`trace_root\.type: expected "INVOKE" or`],
    [traceJson({ state_diff: { nonces: 5 } }), String.raw`trace_root\.state_diff\.storage_diffs`],
  ])("rejects an invalid trace with the path of the invalid member (%#)", async (root, said) => {
    const error = await traceOf(root).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NodeError);
    expect((error as NodeError).message).toMatch(
      /^the answer of the node to starknet_traceBlockTransactions does not match the specification: traces\[0\]/,
    );
    expect((error as NodeError).message).toMatch(new RegExp(said));
  });

  sharedTest("reads traces of Pathfinder", async () => {
    const traces = readFixtureJson("rpc-execution", "0.10.0", "traces/multiple_txs.json");
    const read = await clientOf({ traces, initial_reads: {} }).traces(1);
    expect(read.traces).toHaveLength(3);
    const { trace } = read.traces[1] ?? {};
    expect(trace).toMatchObject({
      type: "INVOKE",
      gas: { l1Gas: 19n, l1DataGas: 224n, l2Gas: 0n },
    });
    const main = trace?.main?.kind === "call" ? trace.main.call : undefined;
    expect(main?.calldata).toHaveLength(8);
    expect(main?.calls[0]?.calls[0]).toMatchObject({ entryPointType: "CONSTRUCTOR", calldata: [] });
    expect(main?.calls[0]?.events[0]?.data).toHaveLength(6);
    expect(trace?.stateDiff).toBeDefined();
  });

  sharedTest("rejects traces of Pathfinder without initial reads", async () => {
    const traces = readFixtureJson("rpc-execution", "0.10.0", "traces/multiple_txs.json");
    expect(clientOf(traces).traces(1)).rejects.toThrow(
      "expected object with traces, initial_reads",
    );
  });
});

test("decodes the trace of a single transaction", async () => {
  const asked: unknown[] = [];
  const root = traceJson({ function_invocation: callJson() });
  const { main } = await clientOf(root, asked).trace(0xabcn);
  expect(main?.kind).toBe("call");
  expect(asked).toEqual([["starknet_traceTransaction", { transaction_hash: "0xabc" }]]);
});

/** A call as a node tells it; members that a test does not care about are the same in all. */
export function callJson(special: Readonly<Record<string, unknown>> = {}) {
  return {
    contract_address: "0x1",
    entry_point_selector: "0x2",
    calldata: ["0x3"],
    caller_address: "0x4",
    class_hash: "0x5",
    entry_point_type: "EXTERNAL",
    call_type: "CALL",
    result: [],
    calls: [],
    events: [],
    messages: [],
    execution_resources: { l1_gas: 6, l2_gas: 7 },
    is_reverted: false,
    ...special,
  };
}

/** A trace of an INVOKE as a node tells it. */
export function traceJson(special: Readonly<Record<string, unknown>> = {}) {
  return {
    type: "INVOKE",
    execution_resources: { l1_gas: 1, l1_data_gas: 2, l2_gas: 3 },
    ...special,
  };
}

/** What `starknet_traceBlockTransactions` answers with these traces. */
export function tracesJson(roots: readonly unknown[]) {
  const traces = roots.map((trace_root, i) => ({ transaction_hash: `0x${i}`, trace_root }));
  return { traces, initial_reads: {} };
}

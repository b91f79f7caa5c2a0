/** A call in a node's trace; members that a test does not set have default values. */
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

/** An INVOKE trace of a node. */
export function traceJson(special: Readonly<Record<string, unknown>> = {}) {
  return {
    type: "INVOKE",
    execution_resources: { l1_gas: 1, l1_data_gas: 2, l2_gas: 3 },
    ...special,
  };
}

/** Response of `starknet_traceBlockTransactions` with these traces. */
export function tracesJson(roots: readonly unknown[]) {
  const traces = roots.map((trace_root, i) => ({ transaction_hash: `0x${i}`, trace_root }));
  return { traces, initial_reads: {} };
}

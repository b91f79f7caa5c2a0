import { describe, expect } from "bun:test";
import { createCairoVm } from "#engine/cairo/index.ts";
import { simulateTransactions, type TransactionTrace } from "#engine/execution/index.ts";
import type { HashedTransaction, InvokeV3 } from "#protocol/chain/index.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { SENDER, STRK, transfer, transferBlock } from "#test/helpers/transfer-chain.ts";
import { transferState } from "#test/helpers/transfer-state.ts";

const vm = createCairoVm();

/** Trace of a simulated transaction that charges its fee by default. */
function traceOf(
  transaction: HashedTransaction<InvokeV3>,
  { state = transferState(), maxTraceBytes = 1e9, skipFeeCharge = false } = {},
): TransactionTrace {
  const outcome = simulateTransactions(
    vm,
    state,
    transferBlock(),
    [{ transaction }],
    { skipValidate: false, skipFeeCharge },
    { maxTraceBytes },
  );
  if (outcome.kind !== "ok" || outcome.simulations[0] === undefined) {
    return expect.unreachable(JSON.stringify(outcome));
  }
  return outcome.simulations[0].trace;
}

/** Calls of a reverted execution. */
function revertedOf(trace: TransactionTrace) {
  const { reverted } = trace;
  return reverted === null || reverted === "too_large"
    ? expect.unreachable(String(reverted))
    : reverted;
}

const PANIC = transfer(0n, { amount: 10n ** 31n });

describe("a reverted execution", () => {
  sharedTest("has its calls with calldata, panic data and the way to the call at fault", () => {
    const trace = traceOf(PANIC);
    const { root, path } = revertedOf(trace);
    expect(path).toEqual([0]);
    expect(root).toMatchObject({ contractAddress: SENDER, failed: true });
    const [inner] = root.innerCalls;
    expect(inner).toMatchObject({ contractAddress: STRK, failed: true });
    expect(inner?.calldata.length).toBe(3);
    expect(inner?.result.at(0)).toBe(
      BigInt(`0x${Buffer.from("ERC20: insufficient balance").toString("hex")}`),
    );
    expect(trace.info.execute).toBeNull();
  });

  sharedTest("has the gas of each call, with that of the inner ones", () => {
    const { root, callGas } = revertedOf(traceOf(PANIC));
    const [inner] = root.innerCalls;
    const outerGas = callGas.get(root)?.l2Gas ?? 0n;
    const innerGas = (inner && callGas.get(inner)?.l2Gas) ?? 0n;
    expect([innerGas > 0n, outerGas > innerGas]).toEqual([true, true]);
  });

  sharedTest("has a call of a contract that is not deployed, which ran nothing", () => {
    const state = transferState();
    state.classHashes.delete(STRK);
    const { root, path } = revertedOf(traceOf(transfer(0n), { state, skipFeeCharge: true }));
    expect(path).toEqual([0]);
    expect(root.innerCalls).toMatchObject([
      { contractAddress: STRK, classHash: 0n, failed: true, gasConsumed: 0n, innerCalls: [] },
    ]);
  });

  sharedTest("that cost too much has its calls, and none is at fault", () => {
    const { root, path } = revertedOf(traceOf(transfer(0n, { l2GasLimit: 900_000n })));
    expect(path).toBeNull();
    expect([root.failed, root.innerCalls.map(({ failed }) => failed)]).toEqual([false, [false]]);
  });

  sharedTest("whose calls do not fit into the limit still has the rest of its trace", () => {
    const whole = traceOf(PANIC);
    const trace = traceOf(PANIC, { maxTraceBytes: whole.sizeBytes - 1 });
    expect(trace.reverted).toBe("too_large");
    expect(trace.sizeBytes).toBe(whole.sizeBytes - revertedOf(whole).sizeBytes);
    expect(trace.info.revertReason).toBe(whole.info.revertReason);
  });
});

sharedTest("a successful execution has no calls of a reverted one", () => {
  expect(traceOf(transfer(0n)).reverted).toBeNull();
});

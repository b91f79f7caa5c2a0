import { describe, expect } from "bun:test";
import { createCairoVm } from "#engine/cairo/index.ts";
import { estimateFee, simulateTransactions } from "#engine/execution/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { SENDER, STRK, transfer, transferBlock } from "#test/helpers/transfer-chain.ts";
import { transferState } from "#test/helpers/transfer-state.ts";

const vm = createCairoVm();
const block = transferBlock();

describe("simulateTransactions", () => {
  sharedTest("returns the trace of a reverted transaction", () => {
    const failing = transfer(0n, { amount: 10n ** 31n });
    const outcome = simulateTransactions(vm, transferState(), block, [{ transaction: failing }], {
      skipValidate: false,
      skipFeeCharge: false,
    });
    const info = outcome.kind === "ok" ? outcome.simulations[0]?.trace.info : undefined;
    expect([
      info?.revertReason?.includes("insufficient balance"),
      info?.feeTransfer === null,
    ]).toEqual([true, false]);
  });

  sharedTest("estimates sufficient L2 gas for a transaction whose bounds are too low", () => {
    const outcome = simulateTransactions(
      vm,
      transferState(),
      block,
      [{ transaction: transfer(0n, { l2GasLimit: 900_000n }) }],
      { skipValidate: false, skipFeeCharge: false },
    );
    const simulation = outcome.kind === "ok" ? outcome.simulations[0] : undefined;
    const estimates = estimateFee(vm, transferState(), block, [{ transaction: transfer(0n) }], {
      skipValidate: false,
    });
    expect(simulation?.trace.info.revertReason).not.toBeNull();
    expect(simulation?.estimate).toEqual(
      (estimates.kind === "ok" ? estimates.estimates[0] : undefined) as never,
    );
  });

  sharedTest("estimates a transaction that always reverts with the margin", () => {
    const failing = transfer(0n, { amount: 10n ** 31n });
    const outcome = simulateTransactions(vm, transferState(), block, [{ transaction: failing }], {
      skipValidate: false,
      skipFeeCharge: true,
    });
    const simulation = outcome.kind === "ok" ? outcome.simulations[0] : undefined;
    const used = simulation?.trace.info.gas.l2Gas ?? 0n;
    expect(simulation?.estimate.gas.l2Gas).toBe(used + used / 10n);
  });

  sharedTest("reports the frame of a sender that is not deployed", () => {
    const state = transferState();
    state.classHashes.delete(SENDER);
    const outcome = simulateTransactions(vm, state, block, [{ transaction: transfer(0n) }], {
      skipValidate: false,
      skipFeeCharge: false,
    });
    expect(outcome).toMatchObject({
      kind: "failed",
      failure: {
        frames: [{ contractAddress: SENDER, classHash: 0n }],
        message: expect.stringContaining("is not deployed"),
      },
    });
  });

  sharedTest("ignores bounds of 0 without a fee charge", () => {
    const outcome = simulateTransactions(
      vm,
      transferState(),
      block,
      [{ transaction: transfer(0n, { l2GasLimit: 0n }) }],
      { skipValidate: false, skipFeeCharge: true },
    );
    const simulation = outcome.kind === "ok" ? outcome.simulations[0] : undefined;
    expect(simulation?.trace.info.revertReason).toBeNull();
    expect(simulation?.trace.transaction).toEqual(transfer(0n, { l2GasLimit: 0n }));
  });

  sharedTest("runs each transaction on the state after the previous ones", () => {
    const outcome = simulateTransactions(
      vm,
      transferState(),
      block,
      [{ transaction: transfer(0n) }, { transaction: transfer(1n) }],
      { skipValidate: false, skipFeeCharge: false },
    );
    const nonces =
      outcome.kind === "ok"
        ? outcome.simulations.map(({ trace }) => trace.info.stateDiff.nonces.get(SENDER))
        : [];
    expect(nonces).toEqual([1n, 2n]);
  });

  sharedTest("rejects a wrong nonce, except a higher one with skipValidate", () => {
    const run = (nonce: bigint, skipValidate: boolean) =>
      simulateTransactions(
        vm,
        transferState(),
        block,
        [{ transaction: transfer(0n) }, { transaction: transfer(nonce) }],
        { skipValidate, skipFeeCharge: false },
      );
    expect(run(5n, true).kind).toBe("ok");
    expect(run(5n, false)).toMatchObject({ kind: "failed", index: 1 });
    expect(run(0n, true)).toMatchObject({ kind: "failed", index: 1 });
  });

  sharedTest("estimateFee reports a frame for each call that a panic passed through", () => {
    const failing = transfer(0n, { amount: 10n ** 31n });
    const outcome = estimateFee(vm, transferState(), block, [{ transaction: failing }], {
      skipValidate: true,
    });
    const account = {
      contractAddress: SENDER,
      selector: selectorFromName("__execute__"),
    };
    expect(outcome).toMatchObject({
      kind: "failed",
      // As in the reference engine's stack: the transaction's call, then the panic's call chain.
      failure: {
        frames: [
          account,
          account,
          { contractAddress: STRK, selector: selectorFromName("transfer") },
        ],
        message:
          "0x45524332303a20696e73756666696369656e742062616c616e6365 ('ERC20: insufficient balance')",
      },
    });
  });

  sharedTest("reports frames and message of a failed validation", () => {
    const unsigned = transfer(0n, { signature: [1n, 2n] });
    const outcome = simulateTransactions(vm, transferState(), block, [{ transaction: unsigned }], {
      skipValidate: false,
      skipFeeCharge: false,
    });
    expect(outcome).toMatchObject({
      kind: "failed",
      index: 0,
      failure: { frames: [{ contractAddress: SENDER }], message: expect.stringContaining("sig") },
    });
    expect(outcome.kind === "failed" && outcome.failure?.text).toBe(
      outcome.kind === "failed" ? outcome.reason : "",
    );
  });

  sharedTest("reports reads of the initial state once, with its values", () => {
    const state = transferState();
    const outcome = simulateTransactions(
      vm,
      state,
      block,
      [{ transaction: transfer(0n) }, { transaction: transfer(1n) }],
      { skipValidate: false, skipFeeCharge: false },
    );
    const reads = outcome.kind === "ok" ? outcome.initialReads : undefined;
    expect(reads?.nonces).toEqual(new Map([[SENDER, 0n]]));
    expect(new Set(reads?.classHashes.keys())).toEqual(new Set([SENDER, STRK]));
    expect([...(reads?.classes.values() ?? [])]).toEqual([true, true]);
    for (const [address, cells] of reads?.storage ?? []) {
      for (const [key, value] of cells) expect(value).toBe(state.storageAt(address, key));
    }
  });

  sharedTest("reports traces above the size limit", () => {
    const outcome = simulateTransactions(
      vm,
      transferState(),
      block,
      [{ transaction: transfer(0n) }],
      { skipValidate: false, skipFeeCharge: false },
      { maxTraceBytes: 5_000 },
    );
    expect(outcome).toEqual({ kind: "too_large", index: 0 });
  });

  sharedTest("charges no fee with skipFeeCharge", () => {
    const outcome = simulateTransactions(
      vm,
      transferState(),
      block,
      [{ transaction: transfer(0n) }],
      { skipValidate: false, skipFeeCharge: true },
    );
    const info = outcome.kind === "ok" ? outcome.simulations[0]?.trace.info : undefined;
    expect([info?.feeTransfer, (info?.actualFee ?? 0n) > 0n]).toEqual([null, true]);
  });
});

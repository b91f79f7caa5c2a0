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
  sharedTest("gives the trace of a reverted transaction", () => {
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

  sharedTest("estimates what is enough for a transaction whose own L2 gas is not", () => {
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

  sharedTest(
    "a transaction that reverts whatever its bounds has an estimate with the margin",
    () => {
      const failing = transfer(0n, { amount: 10n ** 31n });
      const outcome = simulateTransactions(vm, transferState(), block, [{ transaction: failing }], {
        skipValidate: false,
        skipFeeCharge: true,
      });
      const simulation = outcome.kind === "ok" ? outcome.simulations[0] : undefined;
      const used = simulation?.trace.info.gas.l2Gas ?? 0n;
      expect(simulation?.estimate.gas.l2Gas).toBe(used + used / 10n);
    },
  );

  sharedTest("tells the frame of a sender that is not deployed", () => {
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

  sharedTest("bounds of 0 are no hindrance where no fee is taken", () => {
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

  sharedTest("each transaction runs on what the ones before it left", () => {
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

  sharedTest("a wrong nonce is refused, but for one ahead where validation is left out", () => {
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

  sharedTest("each call that a panic went through is a frame, in an estimate as in a trace", () => {
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
      // As in the reference engine's stack: the transaction's call, then the chain of the panic.
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

  sharedTest("tells the frames of a validation that failed, and the same text", () => {
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

  sharedTest(
    "reads of the state before the first transaction are told once, with its values",
    () => {
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
    },
  );

  sharedTest("traces that are larger than they may be are given up", () => {
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

  sharedTest("takes no fee when that is asked for", () => {
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

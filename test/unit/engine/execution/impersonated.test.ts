import { describe, expect } from "bun:test";
import { createCairoVm } from "#engine/cairo/index.ts";
import {
  balanceKey,
  estimateFee,
  simulateTransactions,
  validateTransaction,
} from "#engine/execution/index.ts";
import { contractAddress, type DeployAccountV3, transactionHash } from "#protocol/chain/index.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import {
  SENDER,
  STRK,
  transfer,
  type TransferOptions,
  transferBlock,
} from "#test/helpers/transfer-chain.ts";
import { transferState } from "#test/helpers/transfer-state.ts";

const vm = createCairoVm();
const block = transferBlock();
const FORGED = { signature: [1n, 2n] };
const VALIDATED = { skipValidate: false, skipFeeCharge: false };

/** Admission result for a transfer of an impersonated account. */
function admitted(nonce: bigint, options: TransferOptions = FORGED, state = transferState()) {
  const isImpersonated = true;
  return validateTransaction(vm, state, block, transfer(nonce, options), { isImpersonated });
}

describe("a transaction of an impersonated account", () => {
  sharedTest("is admitted with any signature and without running code", () => {
    const forged = transfer(0n, FORGED);
    expect(validateTransaction(vm, transferState(), block, forged)).toMatchObject({
      kind: "rejected",
      error: { code: "VALIDATION_FAILED" },
    });
    const outcome = admitted(0n);
    expect(outcome).toMatchObject({ kind: "valid", skipped: true });
    expect(outcome).not.toHaveProperty("prevalidated");
  });

  sharedTest("needs a valid nonce, bounds and balance", () => {
    const state = transferState();
    const { senderAddress } = transfer(0n).transaction;
    state.nonces.set(senderAddress, 3n);
    expect(admitted(2n, FORGED, state)).toMatchObject({ error: { code: "INVALID_NONCE" } });
    expect(admitted(0n, { ...FORGED, l2GasLimit: 1n })).toMatchObject({
      error: { code: "INSUFFICIENT_BOUNDS" },
    });
    expect(admitted(0n, { ...FORGED, l2GasLimit: 10n ** 31n })).toMatchObject({
      error: { code: "INSUFFICIENT_BALANCE" },
    });
  });

  sharedTest("is validated if its account is not deployed", () => {
    const state = transferState();
    state.classHashes.delete(transfer(0n).transaction.senderAddress);
    expect(admitted(0n, FORGED, state)).toMatchObject({
      kind: "rejected",
      error: { code: "VALIDATION_FAILED" },
    });
  });

  sharedTest("deploys its account with any signature, but runs the constructor", () => {
    const state = transferState();
    const classHash = state.classHashes.get(SENDER) ?? 0n;
    const { calldata: _calldata, proofFacts: _facts, ...invoke } = transfer(0n, FORGED).transaction;
    const deployment = (constructorCalldata: readonly bigint[]): DeployAccountV3 => {
      return {
        ...invoke,
        type: "DEPLOY_ACCOUNT",
        contractAddress: contractAddress(0n, 7n, classHash, constructorCalldata),
        contractAddressSalt: 7n,
        classHash,
        constructorCalldata,
      };
    };
    const validated = (transaction: DeployAccountV3, isImpersonated: boolean) => {
      state.store(STRK, balanceKey(transaction.contractAddress), 10n ** 30n);
      const hash = transactionHash(transaction, block.chainId);
      return validateTransaction(vm, state, block, { hash, transaction }, { isImpersonated });
    };
    const publicKey = [5n];
    expect(validated(deployment(publicKey), false)).toMatchObject({
      error: { code: "VALIDATION_FAILED" },
    });
    expect(validated(deployment(publicKey), true)).toMatchObject({ kind: "valid", skipped: true });
    expect(validated(deployment([]), true)).toMatchObject({
      error: { code: "CONSTRUCTOR_FAILED" },
    });
  });

  sharedTest("is estimated and simulated without its validation", () => {
    const simulated = { transaction: transfer(0n, FORGED) };
    const impersonated = { ...simulated, isImpersonated: true };
    const estimate = (transaction: typeof simulated, skipValidate: boolean) =>
      estimateFee(vm, transferState(), block, [transaction], { skipValidate });
    expect(estimate(simulated, false).kind).toBe("failed");
    expect(estimate(impersonated, false)).toEqual(estimate(simulated, true));
    expect(estimate(impersonated, false).kind).toBe("ok");
    const simulate = (transaction: typeof simulated) =>
      simulateTransactions(vm, transferState(), block, [transaction], VALIDATED);
    expect(simulate(simulated).kind).toBe("failed");
    const outcome = simulate(impersonated);
    const [simulation] = outcome.kind === "ok" ? outcome.simulations : [];
    expect(simulation?.trace.info.validate).toBeNull();
    expect(simulation?.trace.info.execute).not.toBeNull();
    expect(simulation?.trace.info.feeTransfer).not.toBeNull();
  });

  sharedTest("is simulated only with its current nonce, unlike with skipValidate", () => {
    const ahead = { transaction: transfer(5n, FORGED), isImpersonated: true };
    const run = (skipValidate: boolean) =>
      simulateTransactions(vm, transferState(), block, [ahead], { ...VALIDATED, skipValidate });
    expect(run(false)).toMatchObject({ kind: "failed", reason: expect.stringContaining("nonce") });
    expect(run(true).kind).toBe("ok");
  });

  sharedTest("does not exempt other transactions of the batch from validation", () => {
    const batch = [
      { transaction: transfer(0n, FORGED), isImpersonated: true },
      { transaction: transfer(1n, FORGED) },
    ];
    expect(simulateTransactions(vm, transferState(), block, batch, VALIDATED)).toMatchObject({
      kind: "failed",
      index: 1,
    });
  });
});

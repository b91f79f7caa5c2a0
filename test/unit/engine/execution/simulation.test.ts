import { describe, expect } from "bun:test";
import { createCairoVm } from "#engine/cairo/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import {
  BlockExecutor,
  callContract,
  estimateFee,
  validateTransaction,
} from "#engine/execution/index.ts";
import { feltFromShortString } from "#base/primitives/index.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { SENDER, STRK, transfer, transferBlock } from "#test/helpers/transfer-chain.ts";
import { transferState } from "#test/helpers/transfer-state.ts";

const vm = createCairoVm();
const block = transferBlock();

describe("callContract", () => {
  sharedTest("returns the result of a view", () => {
    const outcome = callContract(vm, transferState(), block, {
      contractAddress: STRK,
      entryPointSelector: selectorFromName("balance_of"),
      calldata: [SENDER],
    });
    expect(outcome).toEqual({ kind: "ok", retdata: [10n ** 30n, 0n] });
  });

  sharedTest("reports a missing contract", () => {
    const call = { contractAddress: 0xdeadn, entryPointSelector: 1n, calldata: [] };
    expect(callContract(vm, transferState(), block, call).kind).toBe("contract_not_found");
  });

  sharedTest("reports a missing entry point", () => {
    const call = { contractAddress: STRK, entryPointSelector: 1n, calldata: [] };
    expect(callContract(vm, transferState(), block, call).kind).toBe("entry_point_not_found");
  });

  sharedTest("reports a panic with the contract that raised it", () => {
    const outcome = callContract(vm, transferState(), block, {
      contractAddress: STRK,
      entryPointSelector: selectorFromName("transfer"),
      calldata: [1n, 1n, 0n],
    });
    expect(outcome.kind === "failed" && [outcome.failure.frames.length, outcome.retdata]).toEqual([
      1,
      [feltFromShortString("ERC20: transfer from 0")],
    ]);
  });
});

describe("validateTransaction", () => {
  sharedTest("accepts a nonce ahead of the account's", () => {
    const outcome = validateTransaction(vm, transferState(), block, transfer(3n));
    expect(outcome.kind).toBe("valid");
  });

  sharedTest("rejects a nonce behind the account's", () => {
    const state = transferState();
    state.nonces.set(SENDER, 4n);
    const outcome = validateTransaction(vm, state, block, transfer(3n));
    expect(outcome.kind === "rejected" && outcome.error.code).toBe("INVALID_NONCE");
  });

  sharedTest("rejects a signature that the account refuses", () => {
    const wrong = transfer(0n, { signature: [1n, 2n] });
    const outcome = validateTransaction(vm, transferState(), block, wrong);
    expect(outcome.kind === "rejected" && outcome.error.code).toBe("VALIDATION_FAILED");
  });

  sharedTest("rejects bounds below the minimal gas", () => {
    const outcome = validateTransaction(
      vm,
      transferState(),
      block,
      transfer(0n, { l2GasLimit: 1n }),
    );
    expect(outcome.kind === "rejected" && outcome.error.code).toBe("INSUFFICIENT_BOUNDS");
  });

  sharedTest("rejects bounds above the balance", () => {
    const poor = transfer(0n, { l2GasLimit: 10n ** 31n });
    const outcome = validateTransaction(vm, transferState(), block, poor);
    expect(outcome.kind === "rejected" && outcome.error.code).toBe("INSUFFICIENT_BALANCE");
  });

  sharedTest("skips validation of invokes while the account's deployment is pending", () => {
    const state = transferState();
    state.classHashes.delete(SENDER);
    const options = { isSenderUndeployed: true };
    for (const nonce of [1n, 2n, 77n]) {
      const outcome = validateTransaction(vm, state, block, transfer(nonce), options);
      expect(outcome.kind === "valid" && outcome.skipped).toBe(true);
    }
    const poor = transfer(1n, { l2GasLimit: 10n ** 31n });
    const outcome = validateTransaction(vm, state, block, poor, options);
    expect(outcome.kind === "rejected" && outcome.error.code).toBe("INSUFFICIENT_BALANCE");
    // The first transaction of the account is its deployment.
    expect(validateTransaction(vm, state, block, transfer(0n), options).kind).toBe("rejected");
  });

  sharedTest("validates invokes of an account that was deployed meanwhile", () => {
    const forged = transfer(1n, { signature: [1n, 2n] });
    const options = { isSenderUndeployed: true };
    const outcome = validateTransaction(vm, transferState(), block, forged, options);
    expect(outcome.kind === "rejected" && outcome.error.code).toBe("VALIDATION_FAILED");
  });

  sharedTest("rejects an invoke of an account without a pending deployment", () => {
    const state = transferState();
    state.classHashes.delete(SENDER);
    expect(validateTransaction(vm, state, block, transfer(1n)).kind).toBe("rejected");
  });
});

describe("estimateFee", () => {
  sharedTest("adds ten percent to the L2 gas that execution uses", () => {
    const outcome = estimateFee(vm, transferState(), block, [{ transaction: transfer(0n) }], {
      skipValidate: false,
    });
    const executor = new BlockExecutor(vm, transferState(), block);
    const executed = executor.execute(transfer(0n));
    const used = executed.kind === "included" ? executed.info.gas : undefined;
    const estimate = outcome.kind === "ok" ? outcome.estimates[0] : undefined;
    const l2Gas = used === undefined ? 0n : used.l2Gas + used.l2Gas / 10n;
    expect(estimate?.gas).toEqual({ l1Gas: 0n, l1DataGas: used?.l1DataGas ?? 0n, l2Gas });
  });

  sharedTest("names the transaction that fails", () => {
    const outcome = estimateFee(
      vm,
      transferState(),
      block,
      [{ transaction: transfer(0n) }, { transaction: transfer(1n, { amount: 10n ** 31n }) }],
      { skipValidate: false },
    );
    expect(outcome.kind === "failed" && outcome.index).toBe(1);
  });

  sharedTest("ignores the signature with skipValidate", () => {
    const unsigned = transfer(0n, { signature: [] });
    const outcome = estimateFee(vm, transferState(), block, [{ transaction: unsigned }], {
      skipValidate: true,
    });
    expect(outcome.kind).toBe("ok");
  });
});

import { describe, expect } from "bun:test";
import { createCairoVm } from "#engine/cairo/index.ts";
import type { DeclareV3, ExecutableClass } from "#protocol/chain/index.ts";
import { BlockExecutor } from "#engine/execution/index.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { SENDER, transfer, transferBlock } from "#test/helpers/transfer-chain.ts";
import { transferState } from "#test/helpers/transfer-state.ts";

describe("a declare transaction", () => {
  sharedTest("is rejected with a specific code if its compiled class hash is wrong", () => {
    const state = transferState();
    const declared = [...state.classes.values()][0] as ExecutableClass;
    const { nonce, resourceBounds, tip } = transfer(0n).transaction;
    const transaction: DeclareV3 = {
      type: "DECLARE",
      version: 3,
      signature: [],
      nonce,
      senderAddress: SENDER,
      classHash: 0x123n,
      compiledClassHash: 0xbadn,
      accountDeploymentData: [],
      resourceBounds,
      tip,
      paymasterData: [],
      nonceDataAvailabilityMode: 0,
      feeDataAvailabilityMode: 0,
    };
    const executor = new BlockExecutor(createCairoVm(), state, transferBlock());
    const flags = { validate: false, chargeFee: false };
    const outcome = executor.execute({ hash: 1n, transaction }, flags, declared);
    expect(outcome.kind === "rejected" && outcome.error.code).toBe("COMPILED_CLASS_HASH_MISMATCH");
  });
});

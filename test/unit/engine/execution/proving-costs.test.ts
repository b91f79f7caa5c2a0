import { describe, expect } from "bun:test";
import { createCairoVm } from "#engine/cairo/index.ts";
import { BlockExecutor, type BouncerCapacity } from "#engine/execution/index.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { transfer, transferBlock } from "#test/helpers/transfer-chain.ts";
import { transferState } from "#test/helpers/transfer-state.ts";

const vm = createCairoVm();

function provingGasOf(capacity: Partial<BouncerCapacity>): bigint {
  const block = transferBlock({ limits: {}, ...capacity });
  const executor = new BlockExecutor(vm, transferState(), block);
  executor.execute(transfer(0n));
  return executor.weights().provingGas;
}

describe("proving gas of a primitive", () => {
  sharedTest("follows the configured capacity", () => {
    const [free, costly, costlier] = [0n, 1000n, 2000n].map((pedersen) =>
      provingGasOf({ provingGasCosts: { pedersen } }),
    ) as [bigint, bigint, bigint];
    expect(costly).toBeGreaterThan(free);
    expect(costlier - costly).toBe(costly - free);
  });

  sharedTest("prefers explicit costs to instance limits", () => {
    const provingGasCosts = { pedersen: 1000n };
    const instanceLimits = { pedersen: 1n };
    expect(provingGasOf({ provingGasCosts, instanceLimits })).toBe(
      provingGasOf({ provingGasCosts }),
    );
  });
});

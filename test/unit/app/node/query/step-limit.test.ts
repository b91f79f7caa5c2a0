import { describe, expect, test } from "bun:test";
import { loadChainConfig } from "#protocol/config/index.ts";
import type { BlockContext } from "#engine/execution/index.ts";
import { createStepLimit } from "#app/node/query/step-limit.ts";
import { constantsFor } from "#app/node/setup/setup.ts";

const { config } = await loadChainConfig({ preset: "devnet", role: "sequencer" });

function contextOf(version = config.latestProtocolVersion): BlockContext {
  return { constants: constantsFor(config, version) } as BlockContext;
}

const limitsOf = ({ constants }: BlockContext) => ({
  steps: constants.invokeTxMaxSteps,
  gas: constants.os.executeMaxSierraGas,
});

describe("a step limit", () => {
  const { steps, gas } = limitsOf(contextOf());
  const perStep = contextOf().constants.os.stepGasCost;

  test("changes nothing if absent", () => {
    const context = contextOf();
    expect(createStepLimit(null)(context, "call")).toBe(context);
  });

  test("applies to calls and transactions, and to gas metering", () => {
    for (const limited of ["call", "transaction"] as const) {
      const expected = { steps: 1_000, gas: 1_000n * perStep };
      expect(limitsOf(createStepLimit(1_000)(contextOf(), limited))).toEqual(expected);
    }
  });

  test("above the chain's limit applies to calls only", () => {
    const limit = createStepLimit(1_000_000_000);
    const more = { steps: 1_000_000_000, gas: 1_000_000_000n * perStep };
    expect(limitsOf(limit(contextOf(), "call"))).toEqual(more);
    expect(limitsOf(limit(contextOf(), "transaction"))).toEqual({ steps, gas });
  });

  test("returns cached constants", () => {
    const limit = createStepLimit(1_000);
    const [first, second] = [limit(contextOf(), "call"), limit(contextOf(), "call")];
    expect(first.constants).toBe(second.constants);
    expect(first.constants).not.toBe(limit(contextOf(), "transaction").constants);
  });

  test("does not modify the chain's constants", () => {
    const context = contextOf();
    const before = structuredClone(limitsOf(context));
    createStepLimit(1_000)(context, "call");
    expect(limitsOf(context)).toEqual(before);
  });
});

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

describe("a limit of steps", () => {
  const { steps, gas } = limitsOf(contextOf());
  const perStep = contextOf().constants.os.stepGasCost;

  test("that is not given changes nothing", () => {
    const context = contextOf();
    expect(createStepLimit(null)(context, "call")).toBe(context);
  });

  test("holds for calls and transactions, and for what is metered by gas", () => {
    for (const limited of ["call", "transaction"] as const) {
      const expected = { steps: 1_000, gas: 1_000n * perStep };
      expect(limitsOf(createStepLimit(1_000)(contextOf(), limited))).toEqual(expected);
    }
  });

  test("above the chain's gives calls more, and transactions what the chain gives them", () => {
    const limit = createStepLimit(1_000_000_000);
    const more = { steps: 1_000_000_000, gas: 1_000_000_000n * perStep };
    expect(limitsOf(limit(contextOf(), "call"))).toEqual(more);
    expect(limitsOf(limit(contextOf(), "transaction"))).toEqual({ steps, gas });
  });

  test("gives the same constants again, of which much is derived", () => {
    const limit = createStepLimit(1_000);
    const [first, second] = [limit(contextOf(), "call"), limit(contextOf(), "call")];
    expect(first.constants).toBe(second.constants);
    expect(first.constants).not.toBe(limit(contextOf(), "transaction").constants);
  });

  test("leaves the constants of the chain as they are", () => {
    const context = contextOf();
    const before = structuredClone(limitsOf(context));
    createStepLimit(1_000)(context, "call");
    expect(limitsOf(context)).toEqual(before);
  });
});

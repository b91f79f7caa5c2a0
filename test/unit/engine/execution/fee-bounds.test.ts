import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseJson } from "#base/codec/index.ts";
import { scenarioDecoder } from "#test/helpers/scenario/input.ts";
import { runScenario } from "#test/helpers/scenario/run.ts";

const FOLDER = join(import.meta.dir, "../../../fixtures/oracle");

interface Result {
  readonly outcome: string;
  readonly error?: { readonly kind: string; readonly message: string };
}

/** Executes a transfer to a new address with bounds on L1 gas only, at a price of L2 gas. */
function transferAt(l2GasPriceFri: bigint): Result | undefined {
  const text = readFileSync(join(FOLDER, "contracts_account_0_14_4.json"), "utf8");
  const scenario = scenarioDecoder.decode(parseJson(text), "");
  const step = scenario.steps.find(({ name }) => name === "transfer to a fresh address");
  if (step?.tx === undefined) throw new TypeError("the scenario has no such step");
  const { gas_prices: prices } = scenario.block;
  const bounds = {
    l1_gas: { max_amount: 30_000n, max_price_per_unit: 100_000_000_000n },
    l2_gas: { max_amount: 0n, max_price_per_unit: 0n },
  };
  const changed = {
    ...scenario,
    block: {
      ...scenario.block,
      gas_prices: { ...prices, l2_gas: { ...prices.l2_gas, fri: l2GasPriceFri } },
    },
    steps: [{ ...step, tx: { ...step.tx, resource_bounds: bounds } }],
  };
  const { steps } = runScenario(changed, FOLDER, "fee") as unknown as { steps: Result[] };
  return steps[0];
}

test("bounds on L1 gas only apply even if the L2 gas of new cells is expensive", () => {
  // The reference engine panics with this message.
  expect(transferAt(10n ** 15n)).toMatchObject({
    outcome: "rejected",
    error: {
      kind: "FeeCheckError.FeeExceedsBounds",
      message:
        "Actual fee 402000002900022400000 exceeded bounds; max possible fee is 3000000000000000.",
    },
  });
  expect(transferAt(2_500_000n)?.outcome).toBe("succeeded");
});

import { describe, expect } from "bun:test";
import { readdirSync } from "node:fs";
import { createCairoVm } from "#engine/cairo/index.ts";
import { estimateFee, type FeeEstimate, simulateTransactions } from "#engine/execution/index.ts";
import { runScenarioFile } from "#test/helpers/scenario/run.ts";
import type { Prevalidation } from "#test/helpers/scenario/step.ts";
import { gasOf, readResult, readScenario, scenarioPath } from "../helpers/oracle.ts";
import { fixturePath, SHARED, sharedTest } from "../helpers/shared.ts";

const vm = createCairoVm();

/** Scenarios of protocol versions with an L2 gas price, where transactions with a tip succeed. */
const names =
  SHARED === undefined
    ? ["all scenarios"]
    : readdirSync(fixturePath("oracle")).flatMap(
        (file) =>
          /^((balances|exact_bounds|prices|transfers)_0_1(3_[4-6]|4_\d).*)\.result\.json$/.exec(
            file,
          )?.[1] ?? [],
      );

/** Estimates of every transaction with a tip on the state before it, by hash. */
function estimatesOf(name: string): ReadonlyMap<bigint, FeeEstimate> {
  const estimates = new Map<bigint, FeeEstimate>();
  const note: Prevalidation["find"] = (hashed, block, state) => {
    const { hash, transaction } = hashed;
    if (transaction.version !== 3 || transaction.tip === 0n) return undefined;
    const sent = [{ transaction: hashed }];
    const estimated = estimateFee(vm, state, block, sent, { skipValidate: false });
    if (estimated.kind !== "ok") return undefined;
    const simulated = simulateTransactions(vm, state, block, sent, {
      skipValidate: false,
      skipFeeCharge: true,
    });
    expect(
      simulated.kind === "ok" && simulated.simulations.map(({ estimate }) => estimate),
    ).toEqual([...estimated.estimates]);
    for (const estimate of estimated.estimates) estimates.set(hash, estimate);
    return undefined;
  };
  runScenarioFile(scenarioPath(name), {
    vm,
    prevalidated: { find: note, reused: () => undefined },
  });
  return estimates;
}

let compared = 0;

describe("estimate includes the tip that the reference engine charges", () => {
  for (const name of names) {
    sharedTest(name, () => {
      const { steps, block } = readScenario(name);
      const results = readResult(name).steps;
      const estimates = estimatesOf(name);
      for (const [index, { tx }] of steps.entries()) {
        const { outcome, receipt, transaction_hash: hash = "0x0" } = results[index] ?? {};
        if (tx?.tip === undefined || BigInt(tx.tip) === 0n || outcome !== "succeeded") continue;
        if (receipt === undefined || tx.resource_bounds?.["l1_data_gas"] === undefined) continue;
        const estimate = estimates.get(BigInt(hash));
        const { l1_gas, l1_data_gas } = block.gas_prices;
        const used = gasOf(receipt.gas);
        const data = used.l1Gas * BigInt(l1_gas.fri) + used.l1DataGas * BigInt(l1_data_gas.fri);
        // Charged price per unit of L2 gas, with the tip where the protocol includes it.
        const price = (BigInt(receipt.actual_fee.amount) - data) / used.l2Gas;
        const l2Gas = used.l2Gas + used.l2Gas / 10n;
        expect({ index, gas: estimate?.gas, fee: estimate?.overallFee }).toEqual({
          index,
          gas: { ...used, l2Gas },
          fee: data + l2Gas * price,
        });
        compared++;
      }
    });
  }

  sharedTest("for every transaction with a tip", () => {
    expect(compared).toBe(33);
  });
});

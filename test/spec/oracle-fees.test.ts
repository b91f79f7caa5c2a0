import { describe, expect } from "bun:test";
import { readdirSync } from "node:fs";
import { BUILT_IN_CONSTANTS } from "#protocol/versions/index.ts";
import { daGas } from "#engine/execution/fee/data-availability.ts";
import { gasFee, type GasMode } from "#engine/execution/fee/gas-vector.ts";
import { transactionGas } from "#engine/execution/fee/transaction-gas.ts";
import {
  gasOf,
  type OracleStep,
  readResult,
  readScenario,
  resourcesOf,
} from "../helpers/oracle.ts";
import { expectSuite } from "../helpers/conformance/check.ts";
import { fixturePath, SHARED, sharedTest } from "../helpers/shared.ts";

const names =
  SHARED === undefined
    ? ["all scenarios"]
    : readdirSync(fixturePath("oracle"))
        .filter((name) => name.endsWith(".result.json"))
        .map((name) => name.replace(".result.json", ""));

function pricing({ tx }: OracleStep): {
  readonly mode: GasMode;
  readonly unit: "wei" | "fri";
  readonly tip: bigint;
} {
  if (tx === undefined) return { mode: "l2", unit: "wei", tip: 0n };
  const isV3 = (BigInt(tx.version) & 0xffn) === 3n;
  const bounds = tx.resource_bounds ?? {};
  const hasAll = isV3 && ("l1_data_gas" in bounds || "L1_DATA_GAS" in bounds);
  return { mode: hasAll ? "l2" : "l1", unit: isV3 ? "fri" : "wei", tip: BigInt(tx.tip ?? 0) };
}

describe("recorded resources have the reference engine's fees", () => {
  for (const name of names) {
    sharedTest(name, () => {
      const scenario = readScenario(name);
      const result = readResult(name);
      const constants = BUILT_IN_CONSTANTS.at(result.protocol_version);
      const daMode = (scenario.block.use_kzg_da ?? true) ? "BLOB" : "CALLDATA";
      const priced: unknown[] = [];
      const expected: unknown[] = [];
      for (const [index, step] of result.steps.entries()) {
        const input = scenario.steps[index];
        const { receipt } = step;
        if (receipt === undefined || input === undefined) continue;
        const { mode, unit, tip } = pricing(input);
        const resources = resourcesOf(receipt.resources, (input.tx?.proof_facts ?? []).length > 0);
        const gas = transactionGas(constants, resources, daMode, mode);
        const { l1_gas, l1_data_gas, l2_gas } = scenario.block.gas_prices;
        const prices = {
          l1Gas: BigInt(l1_gas[unit]),
          l1DataGas: BigInt(l1_data_gas[unit]),
          l2Gas: BigInt(l2_gas[unit]),
        };
        const isFree =
          step.kind === "L1_HANDLER" || (step.kind === "DECLARE" && input.tx?.version === "0x0");
        const fee = isFree ? 0n : gasFee(gas, prices, constants.flags.enableTip ? tip : 0n);
        // Bounds can limit the fee of a reverted transaction; whole scenarios check those.
        const isLimited = step.revert_reason !== undefined;
        const at = `${index} ${step.name ?? ""}`;
        priced.push({
          at,
          gas,
          daGas: daGas(resources.stateChanges, daMode),
          fee: isLimited ? null : fee,
        });
        expected.push({
          at,
          gas: gasOf(receipt.gas),
          daGas: gasOf(receipt.da_gas),
          fee: isLimited ? null : BigInt(receipt.actual_fee.amount),
        });
      }
      expect(priced).toEqual(expected);
    });
  }
});

sharedTest("conformance table counts every receipt, and those without a comparable fee", () => {
  const receipts = names.flatMap((name) =>
    readResult(name).steps.flatMap((step, index) =>
      step.receipt === undefined ? [] : [{ at: `${name}[${index}]`, step }],
    ),
  );
  const reverted = receipts.filter(({ step }) => step.revert_reason !== undefined);
  expectSuite("fees", {
    compared: receipts.length,
    inPart: reverted.map(({ at }) => `reverted ${at}`),
  });
});

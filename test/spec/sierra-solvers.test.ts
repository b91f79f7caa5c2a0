import { describe, expect } from "bun:test";
import { type CostToken, PRECOST_TOKENS } from "#engine/sierra/libfunc/branch-cost.ts";
import { LEGACY_SOLVERS } from "#engine/sierra/metadata/legacy/legacy-solvers.ts";
import { LINEAR_SOLVERS } from "#engine/sierra/metadata/linear-solvers.ts";
import {
  enforcedCosts,
  printedMaps,
  printedNumbers,
  sierraCases,
} from "#test/helpers/sierra/cases.ts";
import { type AnalyzedText, analyzeSierra } from "#test/helpers/sierra/compile-text.ts";
import { sharedTest } from "#test/helpers/shared.ts";

const TOKENS: readonly CostToken[] = [...PRECOST_TOKENS, "Const"];

/** Withdraws builtins in withdraw_gas, which the rules before Sierra 1.4.0 do not allow. */
const REFUSED_BEFORE_1_4 = "Precost gas mismatch.";

const cases = sierraCases().filter(({ gas_solution_lp }) => gas_solution_lp !== null);

/** Gas of statements and functions as printed, without tokens that are only used at run time. */
function gasOf({ program, metadata }: AnalyzedText): Map<string, Record<string, number>> {
  const gas = new Map<string, Record<string, number>>();
  for (const statement of program.statements.keys()) {
    const moved = TOKENS.map((token) => [token, metadata.gasVariables(token, statement)] as const);
    if (moved.some(([, count]) => count === undefined)) continue;
    gas.set(`#${statement}`, Object.fromEntries(moved) as Record<string, number>);
  }
  for (const [id, costs] of metadata.functionCosts) {
    gas.set(program.functions[id]?.name ?? "", Object.fromEntries(costs));
  }
  return gas;
}

function printedGas(text: string | null): Map<string, Record<string, number>> {
  const counted = new Set<string>(TOKENS);
  return new Map(
    [...printedMaps(text ?? "")].map(([name, gas]) => [
      name,
      Object.fromEntries(Object.entries(gas).filter(([token]) => counted.has(token))),
    ]),
  );
}

function apOf({ program, metadata }: AnalyzedText): Map<string, number> {
  return new Map([
    ...[...metadata.apVariables].map(([statement, cells]) => [`#${statement}`, cells] as const),
    ...[...metadata.functionApChanges].map(
      ([id, cells]) => [program.functions[id]?.name ?? "", cells] as const,
    ),
  ]);
}

describe("gas and ap changes match the reference compiler", () => {
  for (const each of cases) {
    const analyzed = (solvers = LINEAR_SOLVERS): AnalyzedText =>
      analyzeSierra(each.sierra, enforcedCosts(each.enforced_costs), solvers);

    sharedTest(`${each.name}, with the linear solvers`, () => {
      expect(gasOf(analyzed())).toEqual(printedGas(each.gas_solution_linear));
      expect(apOf(analyzed())).toEqual(printedNumbers(each.ap_solution_linear ?? ""));
    });

    sharedTest(`${each.name}, with the legacy solvers`, () => {
      if (each.name === REFUSED_BEFORE_1_4) {
        expect(() => analyzed(LEGACY_SOLVERS)).toThrow("before Sierra 1.4.0");
        return;
      }
      expect(gasOf(analyzed(LEGACY_SOLVERS))).toEqual(printedGas(each.gas_solution_lp));
      expect(apOf(analyzed(LEGACY_SOLVERS))).toEqual(printedNumbers(each.ap_solution_lp ?? ""));
    });
  }
});

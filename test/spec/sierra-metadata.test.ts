import { describe, expect } from "bun:test";
import {
  enforcedCosts,
  printedNumbers,
  sierraCases,
  type SierraCase,
} from "#test/helpers/sierra/cases.ts";
import { analyzeSierra, compileSierra, withoutHints } from "#test/helpers/sierra/compile-text.ts";
import { sharedTest } from "#test/helpers/shared.ts";

const cases = sierraCases().filter(({ ap_solution_linear }) => ap_solution_linear !== null);

function check({ sierra, casm, enforced_costs, ap_solution_linear }: SierraCase): void {
  const analyzed = analyzeSierra(sierra, enforcedCosts(enforced_costs));
  const { program, metadata } = analyzed;
  const ap = [
    ...[...metadata.apVariables].map(([statement, cells]) => [`#${statement}`, cells] as const),
    ...[...metadata.functionApChanges].map(
      ([id, cells]) => [program.functions[id]?.name ?? "", cells] as const,
    ),
  ];
  expect(new Map(ap)).toEqual(printedNumbers(ap_solution_linear ?? ""));
  expect(compileSierra(analyzed)).toBe(withoutHints(casm));
}

describe("ap changes match the reference compiler", () => {
  for (const each of cases) {
    sharedTest(each.name, () => check(each));
  }
});

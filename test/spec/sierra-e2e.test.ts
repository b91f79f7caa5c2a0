import { describe, expect } from "bun:test";
import {
  enforcedCosts,
  printedMaps,
  sierraCases,
  type SierraCase,
} from "#test/helpers/sierra/cases.ts";
import { analyzeSierra, compileSierra, withoutHints } from "#test/helpers/sierra/compile-text.ts";
import { sharedTest } from "#test/helpers/shared.ts";

const cases = sierraCases().filter(({ function_costs }) => function_costs !== null);

function check({ sierra, casm, enforced_costs, function_costs }: SierraCase): void {
  const analyzed = analyzeSierra(sierra, enforcedCosts(enforced_costs));
  expect(compileSierra(analyzed)).toBe(withoutHints(casm));
  const { program, metadata } = analyzed;
  const costs = program.functions.map(({ name }, index) => [
    name,
    Object.fromEntries(metadata.functionCosts.get(index) ?? []),
  ]);
  expect(Object.fromEntries(costs)).toEqual(Object.fromEntries(printedMaps(function_costs ?? "")));
}

describe("Sierra text compiles to the reference compiler's code and costs", () => {
  for (const each of cases) {
    sharedTest(`${each.file}: ${each.name}`, () => check(each));
  }
});

import { describe, expect } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { expectSuite } from "#test/helpers/conformance/check.ts";
import { fixturePath, readFixtureJson, SHARED, sharedTest } from "#test/helpers/shared.ts";
import { sierraCases } from "#test/helpers/sierra/cases.ts";
import { analyzeSierra, compileSierra, withoutHints } from "#test/helpers/sierra/compile-text.ts";

/** Programs that loop without paying gas: the reference compiles them without gas rules. */
const WITHOUT_GAS: ReadonlySet<string> = new Set([
  "fib",
  "fib_array",
  "fib_box",
  "fib_counter",
  "fib_local",
  "fib_loop",
  "fib_match",
  "fib_struct",
  "fib_u128",
  "fib_u128_checked",
  "fib_unary",
  "hash_chain",
  "trim_unused_params",
]);

const programs =
  SHARED === undefined
    ? []
    : readdirSync(fixturePath("sierra-to-casm", "test_data"))
        .filter((name) => name.endsWith(".sierra"))
        .map((name) => name.slice(0, -".sierra".length));

const textOf = (name: string): string =>
  readFileSync(fixturePath("sierra-to-casm", "test_data", name), "utf8");

describe("compileSierra produces the reference compiler's code", () => {
  for (const name of programs.filter((each) => !WITHOUT_GAS.has(each))) {
    sharedTest(name, () => {
      const expected = withoutHints(textOf(`${name}.casm`).replaceAll(/\/\/.*$/gm, ""));
      const lines = expected.split("\n").map((line) => line.trim());
      expect(compileSierra(analyzeSierra(textOf(`${name}.sierra`)))).toBe(lines.join("\n"));
    });
  }
});

sharedTest("conformance table counts compared and omitted programs", () => {
  const goldens = readFixtureJson("casm-golden", "index.json") as readonly { id: string }[];
  const classes = new Set(goldens.map(({ id }) => id));
  const withGas = programs.filter((name) => !WITHOUT_GAS.has(name));
  expectSuite("compiler", {
    compared: classes.size + sierraCases().length + withGas.length,
    leftOut: [...WITHOUT_GAS].map((name) => `program ${name}`),
  });
});

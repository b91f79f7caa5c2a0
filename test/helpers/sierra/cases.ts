import { readFixtureJson, SHARED } from "../shared.ts";
import type { EnforcedCosts } from "./compile-text.ts";

/** A case of the reference compiler's end-to-end tests. */
export interface SierraCase {
  readonly file: string;
  readonly name: string;
  readonly sierra: string;
  readonly casm: string;
  readonly enforced_costs: string | null;
  readonly function_costs: string | null;
  readonly gas_solution_linear: string | null;
  readonly gas_solution_lp: string | null;
  readonly ap_solution_linear: string | null;
  readonly ap_solution_lp: string | null;
}

/** All cases; empty in a clone without the fixtures. */
export function sierraCases(): readonly SierraCase[] {
  return SHARED === undefined
    ? []
    : (readFixtureJson("sierra-to-casm", "e2e.json") as readonly SierraCase[]);
}

/** Parses lines like `test::foo 10000`. */
export function enforcedCosts(text: string | null): EnforcedCosts {
  const lines = (text ?? "").split("\n").filter((line) => line !== "");
  return new Map(
    lines.map((line) => {
      const [name = "", gas] = line.split(" ");
      return [name, Number(gas)];
    }),
  );
}

/** Parses lines like `NAME: SmallOrderedMap({Const: 1, Pedersen: 2})`. */
export function printedMaps(text: string): Map<string, Record<string, number>> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return new Map(
    lines.map((line) => {
      const [, name = "", inside = ""] = /^(.*): SmallOrderedMap\(\{(.*)\}\)$/.exec(line) ?? [];
      const pairs = [...inside.matchAll(/(\w+): (-?\d+)/g)];
      return [name, Object.fromEntries(pairs.map(([, token, gas]) => [token, Number(gas)]))];
    }),
  );
}

/** Parses lines like `NAME: 5`. */
export function printedNumbers(text: string): Map<string, number> {
  return new Map(
    [...text.matchAll(/^(.*): (\d+)$/gm)].map(([, name = "", n]) => [name, Number(n)]),
  );
}

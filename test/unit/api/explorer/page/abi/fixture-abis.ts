import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FIXTURE_SETS, type FixtureSet, fixturePath } from "#test/helpers/shared.ts";

/** Sets of fixtures that have classes. */
export const CLASS_SETS: readonly FixtureSet[] = FIXTURE_SETS.filter((set) =>
  set.startsWith("classes/"),
);

/** ABI of a fixture. */
export interface FixtureAbi {
  /** Path below the fixtures. */
  readonly path: string;
  /** The list of entries. */
  readonly entries: readonly Readonly<Record<string, unknown>>[];
}

/** Reads the ABIs of all Starknet classes of the fixtures. */
export function fixtureAbis(): readonly FixtureAbi[] {
  return CLASS_SETS.flatMap((set) =>
    readdirSync(fixturePath(set), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name))
      .toSorted()
      .flatMap((file) => abiIn(file)),
  );
}

function abiIn(file: string): readonly FixtureAbi[] {
  const text = readFileSync(file, "utf8");
  if (!text.includes('"abi"') && !file.endsWith(".abi.json")) return [];
  const document = parsed(text);
  const list = parsed(
    Array.isArray(document)
      ? document
      : (memberOf(document, "abi") ?? memberOf(memberOf(document, "result"), "abi")),
  );
  if (!Array.isArray(list)) return [];
  const entries = list as FixtureAbi["entries"];
  // Solidity's events, which Starknet has none of, are anonymous or not.
  if (entries.some((entry) => "anonymous" in entry)) return [];
  return [{ path: file.slice(fixturePath().length + 1), entries }];
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function parsed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return undefined;
  }
}

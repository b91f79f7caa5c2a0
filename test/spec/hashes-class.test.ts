import { describe, expect } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import {
  casmClassCodec,
  casmClassFromJson,
  compiledClassHash,
  legacyClassHash,
  sierraClassFromJson,
  sierraClassHash,
} from "#protocol/chain/index.ts";
import { type JsonValue, parseJson } from "#base/codec/index.ts";
import { expectSuite } from "#test/helpers/conformance/check.ts";
import { fixturePath, readFixtureJson, SHARED, sharedTest } from "#test/helpers/shared.ts";

const textOf = (...parts: readonly string[]): string => readFileSync(fixturePath(...parts), "utf8");

type JsonObject = Readonly<Record<string, JsonValue>>;

/** Classes that a test below compares. */
const compared = new Set<string>();

interface GoldenEntry {
  readonly id: string;
  readonly poseidon: string;
  readonly blake: string;
}

describe("classes compiled by the reference compiler", () => {
  const entries =
    SHARED === undefined ? [] : (readFixtureJson("casm-golden", "index.json") as GoldenEntry[]);
  for (const { id, poseidon, blake } of entries) {
    compared.add(`casm-golden ${id}`);
    sharedTest(`casm-golden ${id}: compiled class hashes match`, () => {
      const casm = casmClassFromJson(textOf("casm-golden", `${id}.casm.json`));
      expect([compiledClassHash(casm, "poseidon"), compiledClassHash(casm, "blake")]).toEqual([
        BigInt(poseidon),
        BigInt(blake),
      ]);
    });
  }
  sharedTest("CASM round-trips except for Python hints", () => {
    for (const { id } of entries.slice(0, 8)) {
      const file = parseJson(textOf("casm-golden", `${id}.casm.json`)) as JsonObject;
      // Python hints are for another VM and are not stored.
      const { pythonic_hints: _, ...expected } = file;
      expect(casmClassCodec.encode(casmClassCodec.decode(file, ""))).toEqual(expected);
    }
  });
});

describe("compiled class hashes of the compiler's own tests", () => {
  const folder = ["classes", "cairo-compiler"] as const;
  const sections =
    SHARED === undefined
      ? []
      : textOf("classes", "cairo-compiled-class-hashes", "contracts").split(/^\/\/! > =+$/m);
  for (const section of sections) {
    const field = (name: string): string =>
      new RegExp(`^//! > ${name}\\n(.*)$`, "m").exec(section)?.[1]?.trim() ?? "";
    const name = field("compiled_class");
    if (!existsSync(fixturePath(...folder, `${name}.compiled_contract_class.json`))) continue;
    compared.add(`cairo-compiler ${name}`);
    sharedTest(`cairo-compiler ${name}: compiled class hashes match`, () => {
      const casm = casmClassFromJson(textOf(...folder, `${name}.compiled_contract_class.json`));
      expect([compiledClassHash(casm, "poseidon"), compiledClassHash(casm, "blake")]).toEqual([
        BigInt(`0x${field("legacy_compiled_class_hash")}`),
        BigInt(`0x${field("compiled_class_hash")}`),
      ]);
    });
  }
});

describe("Sierra class hashes", () => {
  for (const folder of ["cairo1", "cairo2", "cairo2.6"]) {
    const path = ["classes", "starknet-rs", "contracts", folder, "artifacts"] as const;
    const names =
      SHARED === undefined
        ? []
        : readdirSync(fixturePath(...path)).filter((name) => name.endsWith(".hashes.json"));
    for (const file of names) {
      const name = file.replace(".hashes.json", "");
      compared.add(`starknet-rs ${folder}/${name}`);
      sharedTest(`starknet-rs ${folder}/${name}: class hash matches`, () => {
        const expected = readFixtureJson(...path, file) as { sierra_class_hash: string };
        const sierra = sierraClassFromJson(textOf(...path, `${name}_sierra.txt`));
        expect(sierraClassHash(sierra)).toBe(BigInt(expected.sierra_class_hash));
      });
      sharedTest(`starknet-rs ${folder}/${name}: compiled class hash matches`, () => {
        const expected = readFixtureJson(...path, file) as { compiled_class_hash: string };
        const casm = casmClassFromJson(textOf(...path, `${name}_compiled.txt`));
        expect(compiledClassHash(casm, "poseidon")).toBe(BigInt(expected.compiled_class_hash));
      });
    }
  }
  // Class hashes are from pathfinder's tests, not from the files.
  for (const [name, file, expected] of [
    [
      "storage_access",
      ["storage_access.json"],
      "0x0544b92d358447cb9e50b65092b7169f931d29e05c1404a2cd08c6fd7e32ba90",
    ],
    [
      "OpenZeppelin account",
      ["openzeppelin", "openzeppelin_presets_AccountUpgradeable.contract_class.json"],
      "0x019cabebe31b9fb6bf5e7ce9a971bd7d06e9999e0b97eee943869141a46fd978",
    ],
  ] as const) {
    compared.add(`pathfinder ${name}`);
    sharedTest(`pathfinder ${name}: class hash matches`, () => {
      const sierra = sierraClassFromJson(textOf("classes", "pathfinder-rpc", ...file));
      expect(sierraClassHash(sierra)).toBe(BigInt(expected));
    });
  }
});

describe("Cairo 0 class hashes", () => {
  const path = ["classes", "starknet-rs", "contracts", "cairo0", "artifacts"] as const;
  const names =
    SHARED === undefined
      ? []
      : readdirSync(fixturePath(...path), { recursive: true, encoding: "utf8" }).flatMap(
          (file) => /^(.*)\.hashes\.json$/.exec(file)?.[1] ?? [],
        );
  for (const name of names) {
    compared.add(`starknet-rs cairo0/${name}`);
    sharedTest(`starknet-rs cairo0/${name}: class hash matches`, () => {
      const expected = readFixtureJson(...path, `${name}.hashes.json`) as { class_hash: string };
      const json = textOf(...path, `${name}.txt`);
      expect(legacyClassHash({ kind: "legacy", json })).toBe(BigInt(expected.class_hash));
    });
  }
});

sharedTest("conformance table counts every class", () => {
  const known = readdirSync(fixturePath("classes"), { recursive: true, encoding: "utf8" });
  const withHashes = known.filter((path) => path.endsWith(".hashes.json"));
  expect([...compared].filter((name) => name.startsWith("starknet-rs")).length).toBe(
    withHashes.length,
  );
  expectSuite("classHashes", { compared: compared.size });
});

if (SHARED === undefined) sharedTest("class hashes of compiled contracts match", () => undefined);

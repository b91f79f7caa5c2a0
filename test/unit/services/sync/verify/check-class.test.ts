import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { parseJson } from "#base/codec/index.ts";
import { decodeContractClass, sierraClassFromJson } from "#protocol/chain/index.ts";
import {
  checkClassText,
  checkCompiledText,
  type ClassCheckOutcome,
  type DeclaredClassHash,
} from "#services/sync/index.ts";
import { writeGatewayClass } from "#io/feeder/index.ts";
import { bytesOf, type Changeable } from "#test/helpers/gateway-blocks.ts";
import { fixturePath, fixtureTest, readFixtureJson } from "#test/helpers/shared.ts";

function declared(classHash: bigint, compiledClassHash: bigint | null = null): DeclaredClassHash {
  return { classHash, compiledClassHash, migratedHash: null };
}

const check = (text: Uint8Array<ArrayBuffer>, hash: DeclaredClassHash): ClassCheckOutcome =>
  checkClassText({ blockNumber: 7, declared: hash, text });

const fileBytes = (...parts: readonly string[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(fixturePath(...parts)));

/** Class hashes that Pathfinder's tests list next to the files. */
const CAIRO_0 = [
  ["goerli-genesis", 0x10455c752b86932ce552f2b0fe81a880746649b9aee7e0d842bf3f52378f9f8n],
  ["integration-test", 0x31da92cf5f54bcb81b447e219e2b791b23f3052d12b6c9abd04ff2e5626576n],
  ["contract_definition", 0x50b2148c0d782914e0b12a1a32abe5e398930b7e914f82c65cb7afce0a0ab9bn],
  ["cairo-0.8-new-attributes", 0x56b96c1d1bbfa01af44b465763d1b71150fa00c6c9d54c3947f57e979ff68c3n],
  [
    "cairo-0.10-compiler-version",
    0xa69700a89b1fa3648adff91c438b79c75f7dcb0f4798938a144cce221639d6n,
  ],
  [
    "cairo-0.10-tuples-integration",
    0x542460935cea188d21e752d8459d82d60497866aaad21f873cbb61621d34f7fn,
  ],
  ["cairo-0.10-tuples-goerli", 0x66af14b94491ba4e2aea1117acf0a3155c53d92fdfd9c1f1dcac90dc2d30157n],
  [
    "cairo-0.11.0-decimal-entry-point-offset",
    0x484c163658bcce5f9916f486171ac60143a92897533aa7ff7ac800b16c63311n,
  ],
  [
    "cairo-testnet-0331118f4e4eb8a8ddb0f4493e09612e380ef527991c49a15c42574ab48dd747",
    0x331118f4e4eb8a8ddb0f4493e09612e380ef527991c49a15c42574ab48dd747n,
  ],
] as const;

describe("Cairo 0 classes", () => {
  const classTest = fixtureTest("classes/pathfinder-gateway");
  const [genesis, genesisHash] = CAIRO_0[0];
  const genesisFile = () =>
    parseJson(
      readFileSync(fixturePath("classes", "pathfinder-gateway", `${genesis}.json`), "utf8"),
    ) as Changeable;

  for (const [name, classHash] of CAIRO_0) {
    classTest(`${name} has its hash`, () => {
      const outcome = check(
        fileBytes("classes", "pathfinder-gateway", `${name}.json`),
        declared(classHash),
      );
      if (outcome.kind !== "checked") throw new TypeError(outcome.refusal.message);
      const { encoded } = outcome;
      expect([encoded.classHash, encoded.casmJson]).toEqual([classHash, null]);
      expect(decodeContractClass(encoded.contractClass).kind).toBe("legacy");
    });
  }

  classTest("a class that no machine can run is accepted if it has its hash", () => {
    const file = genesisFile();
    // The hash covers attributes if there are any.
    const odd = { ...file, program: { ...(file["program"] as object), attributes: "none" } };
    expect(check(bytesOf(odd), declared(genesisHash)).kind).toBe("checked");
    expect(check(bytesOf(odd), declared(genesisHash ^ 1n))).toMatchObject({
      refusal: { check: "form", message: expect.stringContaining("program.attributes") },
    });
  });

  classTest("one flipped bit of the program is refused with both hashes", () => {
    const file = genesisFile();
    const program = file["program"] as { data: string[] };
    program.data[0] = `0x${(BigInt(program.data[0] ?? "0") ^ 1n).toString(16)}`;
    expect(check(bytesOf(file), declared(genesisHash))).toMatchObject({
      refusal: {
        check: "class_hash",
        blockNumber: 7,
        message: expect.stringMatching(
          /^class_hash: expected 0x10455c752b86932ce552f2b0fe81a880746649b9aee7e0d842bf3f52378f9f8, found 0x[0-9a-f]+$/,
        ),
      },
    });
  });

  classTest("a Cairo 0 class is refused if a Sierra class is declared", () => {
    const outcome = check(bytesOf(genesisFile()), declared(genesisHash, 1n));
    expect(outcome).toMatchObject({
      refusal: {
        check: "class_hash",
        message: `class 0x${genesisHash.toString(16)}: expected one of Sierra, found one of Cairo 0`,
      },
    });
  });
});

describe("Sierra classes", () => {
  const sierraTest = fixtureTest("classes/starknet-rs");
  const FOLDER = ["classes", "starknet-rs", "contracts", "cairo2", "artifacts"] as const;
  const NAME = "erc20";
  const hashes = () => {
    const { sierra_class_hash: classHash, compiled_class_hash: compiled } = readFixtureJson(
      ...FOLDER,
      `${NAME}.hashes.json`,
    ) as { sierra_class_hash: string; compiled_class_hash: string };
    return declared(BigInt(classHash), BigInt(compiled));
  };
  const told = () => {
    const text = readFileSync(fixturePath(...FOLDER, `${NAME}_sierra.txt`), "utf8");
    return writeGatewayClass(sierraClassFromJson(text)) as Changeable;
  };

  sierraTest("a valid class has its hash", () => {
    expect(check(bytesOf(told()), hashes())).toMatchObject({
      kind: "checked",
      encoded: { classHash: hashes().classHash, casmJson: null },
    });
  });

  for (const [what, change] of [
    ["a letter of the ABI", (file) => (file["abi"] = `${file["abi"] as string} `)],
    ["a felt of the program", (file) => (file["sierra_program"] as string[]).pop()],
    ["the version", (file) => (file["contract_class_version"] = "0.1.1")],
    [
      "an entry point",
      (file) => (file["entry_points_by_type"] as { EXTERNAL: unknown[] }).EXTERNAL.pop(),
    ],
  ] as const satisfies readonly (readonly [string, (file: Changeable) => unknown])[]) {
    sierraTest(`a changed class is refused: ${what}`, () => {
      const file = told();
      change(file);
      expect(check(bytesOf(file), hashes())).toMatchObject({
        refusal: { check: "class_hash", message: expect.stringMatching(/expected 0x.*, found 0x/) },
      });
    });
  }

  sierraTest("an undeclared class that is deployed is refused", () => {
    const outcome = check(bytesOf(told()), { ...hashes(), compiledClassHash: null });
    expect(outcome).toMatchObject({ refusal: { check: "class_hash" } });
  });

  sierraTest("compiled code has the declared hash, or its own hash is reported", () => {
    const { compiledClassHash } = hashes();
    if (compiledClassHash === null) throw new TypeError("there is no compiled class hash");
    const text = fileBytes(...FOLDER, `${NAME}_compiled.txt`);
    expect(checkCompiledText(text, compiledClassHash, "poseidon").kind).toBe("checked");
    expect(checkCompiledText(text, 5n, "poseidon")).toEqual({
      kind: "other",
      found: compiledClassHash,
    });
    const blake = checkCompiledText(text, compiledClassHash, "blake");
    expect(blake.kind).toBe("other");
    if (blake.kind !== "other") return;
    expect(checkCompiledText(text, blake.found, "blake").kind).toBe("checked");
  });

  sierraTest("compiled code is reduced to the fields that are read", () => {
    const text = new TextDecoder().decode(fileBytes(...FOLDER, `${NAME}_compiled.txt`));
    const file = { ...(JSON.parse(text) as object), more: "x".repeat(1000) };
    const outcome = checkCompiledText(bytesOf(file), hashes().compiledClassHash ?? 0n, "poseidon");
    expect(outcome.kind === "checked" && outcome.casmJson.includes("xxx")).toBe(false);
    expect(outcome.kind).toBe("checked");
  });
});

describe("a malformed class", () => {
  for (const [what, text] of [
    ["invalid UTF-8", new Uint8Array([0xff, 0xfe])],
    ["truncated JSON", new TextEncoder().encode('{"sierra_program": [')],
    ["a list", bytesOf([])],
    ["nothing", new Uint8Array()],
    ["deep nesting", new TextEncoder().encode("[".repeat(10_000))],
    ["a program that is a string", bytesOf({ program: "x", entry_points_by_type: {} })],
    ["an empty program", bytesOf({ program: {}, entry_points_by_type: {} })],
  ] as const) {
    test(`${what} is refused by its form`, () => {
      const outcome = check(text, declared(0xc1a55n));
      expect(outcome).toMatchObject({
        refusal: { check: "form", message: expect.stringMatching(/^class 0xc1a55: .*expected/) },
      });
      expect(checkCompiledText(text, 1n, "blake").kind).toBe("unreadable");
    });
  }
});

import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import {
  BUILT_IN_CONSTANTS,
  NEWEST_PROTOCOL_VERSION,
  readPublicConstants,
  type SyscallName,
} from "#protocol/versions/index.ts";
import { resolveConstants } from "#protocol/versions/resolve.ts";
import { ConfigError, DecodeError } from "#base/errors/index.ts";
import { expectSuite } from "#test/helpers/conformance/check.ts";
import { fixturePath, fixtureTest, hasFixtures, readFixtureJson } from "#test/helpers/shared.ts";

const FOLDER = "versioned-constants";
const sharedTest = fixtureTest(FOLDER);
const FILE = /^blockifier_versioned_constants_(.*)\.json$/;

type Json = Record<string, unknown>;

const readPublic = (version: string): Json =>
  readFixtureJson(
    FOLDER,
    `blockifier_versioned_constants_${version.replaceAll(".", "_")}.json`,
  ) as Json;

const publicVersions = hasFixtures(FOLDER)
  ? readdirSync(fixturePath(FOLDER)).flatMap((name) => {
      const version = FILE.exec(name)?.[1];
      return version === undefined ? [] : [version.replaceAll("_", ".")];
    })
  : [];

/** Path of every number, boolean or text below `value`. */
function leavesOf(value: unknown, path: readonly string[] = []): readonly string[][] {
  if (typeof value !== "object" || value === null) return [[...path]];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

/** Copy of `document` with another value at `path`. */
function changedAt(document: Json, path: readonly string[]): Json {
  const copy = structuredClone(document);
  let parent: Json = copy;
  for (const name of path.slice(0, -1)) parent = parent[name] as Json;
  const last = path.at(-1) ?? "";
  const value = parent[last];
  if (typeof value === "number") parent[last] = value + 1;
  else if (typeof value === "boolean") parent[last] = !value;
  else if (String(value).startsWith("0x"))
    parent[last] = `0x${(BigInt(String(value)) + 1n).toString(16)}`;
  else if (last === "min_sierra_version_for_sierra_gas") parent[last] = "2.0.0";
  else parent[last] = `${String(value)}!`;
  return copy;
}

describe("built-in constants and the public files", () => {
  sharedTest("cover every public version", () => {
    expect([...publicVersions].sort()).toEqual([...BUILT_IN_CONSTANTS.versions].sort());
    expectSuite("constants", { compared: publicVersions.length });
  });

  for (const version of BUILT_IN_CONSTANTS.versions) {
    sharedTest(`of ${version} are equal`, () => {
      expect(BUILT_IN_CONSTANTS.at(version)).toEqual(
        resolveConstants(version, readPublicConstants(readPublic(version))),
      );
    });
  }

  for (const version of ["0.13.2", "0.14.4"]) {
    sharedTest(`the reader uses every value of the public file of ${version}`, () => {
      const document = readPublic(version);
      const original = resolveConstants(version, readPublicConstants(document));
      const dropped = leavesOf(document).filter((path) => {
        try {
          const changed = readPublicConstants(changedAt(document, path));
          return Bun.deepEquals(resolveConstants(version, changed), original);
        } catch (error) {
          // Values that are built into the engine are rejected if they differ.
          if (error instanceof DecodeError) return false;
          throw error;
        }
      });
      expect(dropped.map((path) => path.join("."))).toEqual([]);
    });
  }

  sharedTest("an unknown member is rejected with its path", () => {
    const document = readPublic("0.14.4");
    const resources = document["os_resources"] as Record<string, Json>;
    (resources["execute_syscalls"] as Json)["CallContracts"] = {};
    expect(() => readPublicConstants(document, "file")).toThrow(
      expect.objectContaining({ path: "file.os_resources.execute_syscalls.CallContracts" }),
    );
  });
});

/** Sierra gas per call, `base` or `base + factor`, from the documented table of the protocol. */
const DOCUMENTED: Readonly<Record<string, Partial<Record<SyscallName, readonly bigint[]>>>> = {
  "0.13.0": {
    CallContract: [61_000n],
    LibraryCall: [61_000n],
    Deploy: [80_000n],
    EmitEvent: [11_000n],
    GetBlockHash: [15_000n],
    GetClassHashAt: [0n],
    GetExecutionInfo: [11_000n],
    Keccak: [10_000n],
    KeccakRound: [180_000n],
    ReplaceClass: [15_000n],
    SendMessageToL1: [15_000n],
    Sha256ProcessBlock: [0n],
    StorageRead: [15_000n],
    StorageWrite: [15_000n],
    Secp256k1New: [50_350n],
    Secp256k1Add: [42_630n],
    Secp256k1Mul: [8_133_250n],
    Secp256k1GetXy: [25_070n],
    Secp256k1GetPointFromX: [41_400n],
    Secp256r1New: [63_230n],
    Secp256r1Add: [62_890n],
    Secp256r1Mul: [13_501_270n],
    Secp256r1GetXy: [25_270n],
    Secp256r1GetPointFromX: [54_280n],
  },
  "0.13.1": { Secp256k1Mul: [8_143_270n] },
  "0.13.2": { Sha256ProcessBlock: [862_060n], CallContract: [61_000n] },
  "0.13.4": {
    CallContract: [87_650n],
    LibraryCall: [85_250n],
    Deploy: [142_810n],
    EmitEvent: [10_000n],
    GetBlockHash: [10_540n],
    GetClassHashAt: [10_000n],
    KeccakRound: [171_707n],
    ReplaceClass: [10_470n],
    SendMessageToL1: [14_170n],
    Sha256ProcessBlock: [841_095n],
    Secp256k1New: [48_550n],
    Secp256k1Mul: [8_143_650n],
    Secp256r1Mul: [13_511_670n],
  },
  "0.13.5": { Deploy: [142_810n, 4850n] },
  "0.14.0": {
    CallContract: [91_560n],
    LibraryCall: [89_160n],
    Deploy: [147_120n, 4850n],
    GetBlockHash: [10_840n],
    GetExecutionInfo: [12_640n],
    MetaTxV0: [167_950n, 4850n],
    ReplaceClass: [10_670n],
    SendMessageToL1: [14_470n],
    Sha256ProcessBlock: [841_295n],
    StorageRead: [10_000n],
    Secp256r1GetPointFromX: [54_680n],
  },
  "0.14.2": { StorageRead: [18_070n], StorageWrite: [44_970n] },
  "0.14.3": { StorageRead: [24_070n], StorageWrite: [59_970n], Sha512ProcessBlock: [2_413_810n] },
  "0.14.4": {
    CallContract: [91_360n],
    LibraryCall: [88_660n],
    GetBlockHash: [10_810n],
    GetExecutionInfo: [11_240n],
    KeccakRound: [165_137n],
    MetaTxV0: [168_550n, 4850n],
    ReplaceClass: [10_000n],
    SendMessageToL1: [12_770n, 600n],
    Sha256ProcessBlock: [839_995n],
    Secp256k1New: [46_950n],
    Secp256k1Mul: [8_142_650n],
    Secp256r1New: [59_830n],
    Secp256r1Mul: [13_510_870n],
    Secp256r1GetXy: [20_670n],
  },
};

describe("syscall gas costs", () => {
  for (const [version, costs] of Object.entries(DOCUMENTED)) {
    test(`of ${version} match the documentation`, () => {
      const { syscallGasCosts } = BUILT_IN_CONSTANTS.at(version);
      const names = Object.keys(costs) as SyscallName[];
      const found = names.map((name) => {
        const { base, linearFactor } = syscallGasCosts[name];
        return [name, base, linearFactor];
      });
      expect<unknown>(found).toEqual(
        Object.entries(costs).map(([name, [base = 0n, linearFactor = 0n]]) => [
          name,
          base,
          linearFactor,
        ]),
      );
    });
  }
});

describe("versioned constants", () => {
  test("use the largest version that is not newer", () => {
    expect(
      ["0.13.1", "0.13.1.0", "0.13.1.1", "0.13.2.5", "0.13.7"].map(
        (version) => BUILT_IN_CONSTANTS.at(version).version,
      ),
    ).toEqual(["0.13.1", "0.13.1", "0.13.1.1", "0.13.2.1", "0.13.6"]);
  });

  test("reject versions newer than the newest and older than the oldest", () => {
    for (const version of [`${NEWEST_PROTOCOL_VERSION}.1`, "1.0.0", "0.12.3", "new", ""]) {
      expect(() => BUILT_IN_CONSTANTS.at(version)).toThrow(ConfigError);
    }
  });

  test("can be extended and replaced", () => {
    const data = BUILT_IN_CONSTANTS.at("0.13.2");
    const table = BUILT_IN_CONSTANTS.with(
      new Map([
        ["999.0.0", { ...data, maxRecursionDepth: 7 }],
        ["0.13.2", { ...data, maxRecursionDepth: 8 }],
      ]),
    );
    expect(
      ["999.0.0", "0.13.2", NEWEST_PROTOCOL_VERSION].map(
        (version) => table.at(version).maxRecursionDepth,
      ),
    ).toEqual([7, 8, 50]);
    expect(BUILT_IN_CONSTANTS.at("0.13.2").maxRecursionDepth).toBe(50);
  });
});

import { describe, expect, test } from "bun:test";
import { legacyClassHash, legacyExecutableFromJson } from "#protocol/chain/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { readFileSync } from "node:fs";
import { expectSuite } from "#test/helpers/conformance/check.ts";
import { fixturePath, sharedTest } from "#test/helpers/shared.ts";

const PRIME = "0x800000000000011000000000000000000000000000000000000000000000001";
const NO_ENTRY_POINTS = { CONSTRUCTOR: [], EXTERNAL: [], L1_HANDLER: [] };

/** A class with one instruction, a hint, a constant and an error message. */
function sample(program: object = {}, rest: object = {}): string {
  return JSON.stringify({
    abi: [],
    entry_points_by_type: { ...NO_ENTRY_POINTS, EXTERNAL: [{ selector: "0x1", offset: "0x0" }] },
    program: {
      attributes: [{ name: "error_message", value: "no", start_pc: 0, end_pc: 1 }],
      builtins: ["pedersen"],
      data: ["0x208b7fff7fff7ffe"],
      hints: {
        0: [
          {
            code: "memory[ap] = segments.add()",
            flow_tracking_data: {
              ap_tracking: { group: 0, offset: 0 },
              reference_ids: { "__main__.f.x": 0 },
            },
          },
        ],
      },
      identifiers: { "__main__.C": { type: "const", value: -1 } },
      prime: PRIME,
      reference_manager: {
        references: [
          { ap_tracking_data: { group: 0, offset: 0 }, pc: 0, value: "[cast(fp, felt*)]" },
        ],
      },
      ...program,
    },
    ...rest,
  });
}

describe("legacyExecutableFromJson", () => {
  test("keeps what execution needs", () => {
    const { program, abiLength, casm, classHash } = legacyExecutableFromJson(sample(), 5n);
    expect([casm, classHash, abiLength]).toEqual([null, 5n, 2]);
    expect(program.bytecode).toEqual([0x208b7fff7fff7ffen]);
    expect(program.entryPoints.EXTERNAL).toEqual([{ selector: 1n, offset: 0 }]);
    expect(program.constants.get("__main__.C")).toBe(BigInt(PRIME) - 1n);
    expect(program.hints.get(0)?.[0]?.variables.get("x")).toBe(0);
    expect(program.errorMessages).toMatchObject([{ text: "no", startPc: 0, endPc: 1 }]);
  });

  test.each([
    ["another field prime", sample({ prime: "0x5" }), "program.prime"],
    ["an unknown builtin", sample({ builtins: ["print"] }), "program.builtins[0]"],
    ["a felt out of range", sample({ data: [PRIME] }), "program.data[0]"],
    ["a hint after the code", sample({ hints: { 1: [] } }), "program.hints.1"],
    ["a hint at a non-numeric position", sample({ hints: { a: [] } }), "program.hints.a"],
    [
      "an unknown reference",
      sample({ reference_manager: { references: [] } }),
      "program.hints.0[0].flow_tracking_data.reference_ids.__main__.f.x",
    ],
    [
      "an entry point after the code",
      sample(
        {},
        {
          entry_points_by_type: {
            ...NO_ENTRY_POINTS,
            L1_HANDLER: [{ selector: "0x1", offset: 1 }],
          },
        },
      ),
      "entry_points_by_type.L1_HANDLER[0].offset",
    ],
    ["a missing program", "{}", "program"],
  ])("rejects %s", (_, json, path) => {
    let error: unknown;
    try {
      legacyExecutableFromJson(json, 0n);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(DecodeError);
    expect((error as DecodeError).path).toBe(path);
  });
});

/** Hashes of public networks, and of the reference implementation (starknet_api 0.20). */
const HASHES: readonly (readonly [file: string, hash: bigint])[] = [
  [
    "pathfinder-gateway/goerli-genesis.json",
    0x10455c752b86932ce552f2b0fe81a880746649b9aee7e0d842bf3f52378f9f8n,
  ],
  [
    "pathfinder-gateway/integration-test.json",
    0x31da92cf5f54bcb81b447e219e2b791b23f3052d12b6c9abd04ff2e5626576n,
  ],
  [
    "pathfinder-gateway/contract_definition.json",
    0x50b2148c0d782914e0b12a1a32abe5e398930b7e914f82c65cb7afce0a0ab9bn,
  ],
  [
    "pathfinder-gateway/cairo-0.8-new-attributes.json",
    0x56b96c1d1bbfa01af44b465763d1b71150fa00c6c9d54c3947f57e979ff68c3n,
  ],
  [
    "pathfinder-gateway/cairo-0.10-compiler-version.json",
    0xa69700a89b1fa3648adff91c438b79c75f7dcb0f4798938a144cce221639d6n,
  ],
  [
    "pathfinder-gateway/cairo-0.10-tuples-integration.json",
    0x542460935cea188d21e752d8459d82d60497866aaad21f873cbb61621d34f7fn,
  ],
  [
    "pathfinder-gateway/cairo-0.10-tuples-goerli.json",
    0x66af14b94491ba4e2aea1117acf0a3155c53d92fdfd9c1f1dcac90dc2d30157n,
  ],
  [
    "pathfinder-gateway/cairo-0.11.0-decimal-entry-point-offset.json",
    0x484c163658bcce5f9916f486171ac60143a92897533aa7ff7ac800b16c63311n,
  ],
  [
    "pathfinder-gateway/cairo-testnet-0331118f4e4eb8a8ddb0f4493e09612e380ef527991c49a15c42574ab48dd747.json",
    0x331118f4e4eb8a8ddb0f4493e09612e380ef527991c49a15c42574ab48dd747n,
  ],
  [
    "pathfinder-gateway/dummy_account.json",
    0x791563da22895f1e398b689866718346106c0cc71207a4ada68e6687ce1badfn,
  ],
  [
    "starknet-devnet/accounts_artifacts/OpenZeppelin/0.5.1/Account.cairo/Account.json",
    0x4d07e40e93398ed3c76981e72dd1fd22557a78ce36c0515f679e27f0bb5bc5fn,
  ],
];

describe("legacyClassHash of a public class", () => {
  for (const [file, hash] of HASHES) {
    sharedTest(file.slice(file.lastIndexOf("/") + 1), () => {
      const json = readFileSync(fixturePath("classes", file), "utf8");
      expect(legacyClassHash({ kind: "legacy", json })).toBe(hash);
    });
  }

  test("is counted in the table of conformance", () => {
    expectSuite("legacyClassHashes", { compared: HASHES.length });
  });
});

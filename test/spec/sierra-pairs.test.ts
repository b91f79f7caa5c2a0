import { describe, expect } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { casmClassFromJson, type SierraClass, sierraClassFromJson } from "#protocol/chain/index.ts";
import { compileClass } from "#engine/sierra/index.ts";
import { fixturePath, SHARED, sharedTest } from "#test/helpers/shared.ts";
import { bySize } from "#test/helpers/test-size.ts";

/** Classes compiled by other compilers. */
const FOLDER = fixturePath("classes");

/** Older compilers wrote different hints for the same code; hints are not hashed. */
const OTHER_HINTS: ReadonlySet<string> = new Set([
  "starknet-rs/contracts/cairo1/artifacts/erc20",
  "starknet-rs/contracts/cairo2/artifacts/erc20",
  "blockifier/feature_contracts/cairo1/meta_tx_test_contract",
  "blockifier/feature_contracts/cairo1/block_info_test_contract",
  "blockifier/feature_contracts/cairo1/cairo_steps_test_contract",
  "blockifier/feature_contracts/cairo1/test_contract",
  "starknet-js/starknetId/identity/identity",
  "starknet-js/starknetId/naming/naming",
  "starknet-js/starknetId/multicall/sid_multicall",
  "starknet-js/starknetId/pricing/pricing",
  "starknet-js/cairo/cairo210/cairo210",
  "starknet-js/cairo/account/account_ready_040",
  "starknet-js/cairo/byteArray/target/dev/test_ByteArrayStorage",
  "starknet-js/cairo/testReject/test_reject",
  "starknet-js/cairo/cairo240/string",
  "starknet-js/cairo/cairo294/erc20_oz100",
  "starknet-js/cairo/helloCairo2/C1v2",
]);

/** Omitted pairs, each with its reason. */
const OMITTED: ReadonlyMap<string, string> = new Map([
  ["cairo-compiler/mintable", "made by a compiler that was not released; one felt differs"],
  ["starknet-js/cairo/hash/hash", "Sierra 0.1.0, which no compiler of today reads"],
]);

interface Pair {
  readonly name: string;
  readonly sierra: string;
  readonly casm: string;
}

const SUFFIX =
  /(\.compiled_contract_class\.json|\.contract_class\.json|\.sierra\.json|\.casm\.json|\.casm|_sierra\.txt|_compiled\.txt|\.json|\.txt)$/;

/** Pairs of files with a Sierra program and with bytecode whose names differ only in the suffix. */
function pairs(): readonly Pair[] {
  if (SHARED === undefined) return [];
  const sierra = new Map<string, string>();
  const casm = new Map<string, string>();
  for (const file of readdirSync(FOLDER, { recursive: true }) as string[]) {
    if (!SUFFIX.test(file)) continue;
    const name = file.replace(SUFFIX, "").replace(/\/(compiled|sierra)\//, "/");
    const text = readFileSync(`${FOLDER}/${file}`, "utf8");
    if (text.includes('"sierra_program"')) sierra.set(name, text);
    else if (text.includes('"bytecode"') && !text.includes('"identifiers"')) casm.set(name, text);
  }
  return [...casm].flatMap(([name, text]) => {
    const source = sierra.get(name);
    return source === undefined ? [] : [{ name, sierra: source, casm: text }];
  });
}

const all = pairs();

/** Quick size tests every sixth pair. */
const selected = all
  .filter(({ name }) => !OMITTED.has(name))
  .filter((_, index) => index % bySize({ quick: 6, full: 1 }) === 0);

describe("compileClass produces the code in the paired file", () => {
  for (const { name, sierra, casm } of selected) {
    sharedTest(name, () => {
      const expected = casmClassFromJson(casm);
      // Some classes test features that networks do not support yet.
      const compiled = compileClass(sierraClassFromJson(sierra) as SierraClass, {
        maxBytecodeSize: Number.MAX_SAFE_INTEGER,
        libfuncs: "all",
      });
      expect(compiled.bytecode.length).toBe(expected.bytecode.length);
      expect(compiled.bytecode.findIndex((felt, i) => felt !== expected.bytecode[i])).toBe(-1);
      expect(compiled.entryPoints).toEqual(expected.entryPoints);
      const sameHints = Bun.deepEquals([...compiled.hints], [...expected.hints]);
      expect(sameHints).toBe(!OTHER_HINTS.has(name));
    });
  }
});

sharedTest("all pairs are found, and each exception is one of them", () => {
  const names = all.map(({ name }) => name);
  expect(names).toHaveLength(78);
  expect([...OTHER_HINTS, ...OMITTED.keys()].filter((name) => !names.includes(name))).toEqual([]);
});

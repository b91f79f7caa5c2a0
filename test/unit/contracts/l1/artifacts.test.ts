import { describe, expect, test } from "bun:test";
import { type Abi, toEventSelector, toFunctionSelector } from "viem";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isL1Fresh } from "../../../../scripts/contracts-lib/build-l1.ts";
import {
  compileSolidity,
  readL1Artifact,
} from "../../../../scripts/contracts-lib/solidity-compiler.ts";
import {
  l1ContractNames,
  soliditySources,
} from "../../../../scripts/contracts-lib/solidity-sources.ts";
import { unlessPassedBefore } from "#test/helpers/passed-before.ts";
import { CORE_ABI, MOCK_VERIFIER_ABI, PROXY_ABI } from "#test/helpers/l1-core-abi.ts";

// Maximum code size of a contract. Source: EIP-170.
const MAX_CODE_BYTES = 24_576;

function selectors(abi: Abi): Set<string> {
  const found = new Set<string>();
  for (const item of abi) {
    if (item.type === "function") {
      const outputs = item.outputs.map(({ type }) => type).join(",");
      found.add(`${toFunctionSelector(item)} ${item.stateMutability} ${outputs}`);
    }
    if (item.type === "event") {
      const indexed = item.inputs.map((input) => Boolean(input.indexed)).join(",");
      found.add(`${toEventSelector(item)} ${indexed}`);
    }
  }
  return found;
}

describe.each(l1ContractNames())("%s", (name) => {
  test("was compiled from its committed sources and is within the size limit", () => {
    expect(isL1Fresh(name)).toBe(true);
    const code = readL1Artifact(name)?.bytecode ?? "";
    expect(code).toMatch(/^0x(?:[0-9a-f]{2})+$/);
    expect(code.length / 2 - 1).toBeLessThan(MAX_CODE_BYTES);
  });
});

test.each([
  ["CoreContract", CORE_ABI],
  ["Proxy", PROXY_ABI],
  ["MockVerifier", MOCK_VERIFIER_ABI],
])("%s implements its interface", (name, abi) => {
  const has = selectors((readL1Artifact(name)?.abi ?? []) as Abi);
  expect([...selectors(abi)].filter((selector) => !has.has(selector))).toEqual([]);
});

/** Inputs of a compilation other than its sources. */
function compilerTexts(): string[] {
  const root = join(import.meta.dir, "../../../..");
  return ["node_modules/solc/package.json", "scripts/contracts-lib/solidity-compiler.ts"].map(
    (path) => readFileSync(join(root, path), "utf8"),
  );
}

/** Hash of sources, artifact and compiler with which the sources compiled to the artifact. */
const RECOMPILED = "d32cefa7c45a8dc7437f9bf62293ac044f41ef0d9a10b2962a3811f2036a26d4";

test("recompiling a contract yields the committed bytes", async () => {
  const artifact = readL1Artifact("Proxy");
  const sources = [...soliditySources("Proxy")].flat();
  const inputs = [...sources, JSON.stringify(artifact), ...compilerTexts()];
  await unlessPassedBefore(RECOMPILED, inputs, async () => {
    const result = await compileSolidity("Proxy");
    expect(result.kind === "compiled" && result.artifact).toEqual(artifact ?? false);
  });
}, 60_000);

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  entryOf,
  readCasm,
  readIndex,
  readSierra,
  readSource,
  sha256,
} from "../../../scripts/contracts-lib/artifacts.ts";
import { compileCairo } from "../../../scripts/contracts-lib/cairo-compiler.ts";
import { compileCasm } from "../../../scripts/contracts-lib/casm-compiler.ts";
import { contractNames } from "../../../scripts/contracts-lib/folders.ts";
import { unlessPassedBefore } from "#test/helpers/passed-before.ts";
import { bySize } from "#test/helpers/test-size.ts";
import {
  SCENARIO_FOLDER,
  contractScenarios,
  scenarioText,
} from "#test/helpers/contract-scenarios/index.ts";

interface AbiItem {
  readonly type: string;
  readonly name: string;
  readonly items?: readonly AbiItem[];
}

const STANDARD_FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  account: [
    "__execute__",
    "__validate__",
    "__validate_declare__",
    "__validate_deploy__",
    "is_valid_signature",
    "isValidSignature",
    "supports_interface",
    "supportsInterface",
    "get_public_key",
    "getPublicKey",
    "set_public_key",
    "setPublicKey",
  ],
  erc20: [
    "name",
    "symbol",
    "decimals",
    "total_supply",
    "totalSupply",
    "balance_of",
    "balanceOf",
    "allowance",
    "transfer",
    "transfer_from",
    "transferFrom",
    "approve",
    "permissioned_mint",
    "permissioned_burn",
  ],
  token_bridge: [
    "get_l1_token",
    "get_l2_token",
    "get_l1_bridge",
    "get_erc20_class_hash",
    "set_l1_bridge",
    "set_erc20_class_hash",
    "initiate_token_withdraw",
  ],
  universal_deployer: ["deploy_contract", "deployContract"],
};

/**
 * SHA-256 of the CASM that the reference compiler, `starknet-sierra-compile` 2.20.0, produces.
 */
const REFERENCE_CASM: Readonly<Record<string, string>> = {
  account: "f2ef480968a65f404796fd3ba08ae93bc9c2e63a08c89a29905baf02852c255a",
  erc20: "3d3cb143026e52d76d8b7979d1d75a61d83115aad3480f8728cd07f9a15649e3",
  token_bridge: "a66f1b5ae52bbb72b5bfa83f5d8bfda498a601a082d3818d3e223c80a74aa254",
  universal_deployer: "ab871da55c06b67f01cb40e75ee11768566a0cf28b60c3470c588ca2fd320a9a",
};

/** Contracts whose hashes another implementation computes, which takes up to seconds for the others. */
const HASHED = new Set(
  bySize({ quick: ["universal_deployer"], full: Object.keys(STANDARD_FUNCTIONS) }),
);

test("the contracts are account, ERC-20 token, token bridge and universal deployer", () => {
  expect(contractNames()).toEqual(Object.keys(STANDARD_FUNCTIONS));
});

describe.each(contractNames())("%s", (name) => {
  test("was compiled from its committed source", () => {
    expect(readIndex()[name]?.sourceSha256).toBe(sha256(readSource(name)));
  });

  test("compiles to the bytes of the reference compiler", () => {
    expect(sha256(readCasm(name))).toBe(REFERENCE_CASM[name] ?? "");
  });

  test("has the CASM that this compiler produces", () => {
    const result = compileCasm(JSON.stringify(readSierra(name)));
    expect(result).toEqual({ kind: "compiled", casm: readCasm(name).trimEnd() });
  });

  test("uses a Sierra version that is metered by gas", () => {
    expect(readSierra(name).sierra_program.slice(0, 3)).toEqual(["0x1", "0x7", "0x0"]);
  });

  test("has the standard functions", () => {
    const abi = JSON.parse(readSierra(name).abi) as readonly AbiItem[];
    const functions = abi
      .flatMap((item) => [item, ...(item.items ?? [])])
      .filter((item) => item.type === "function")
      .map((item) => item.name);
    expect(functions).toEqual(expect.arrayContaining([...(STANDARD_FUNCTIONS[name] ?? [])]));
  });
});

test.each([...HASHED])("%s has the hashes in the index", (name) => {
  expect(readIndex()[name]).toEqual(entryOf(readSource(name), readSierra(name), readCasm(name)));
});

/** Inputs of a compilation other than the source. */
function compilerTexts(): string[] {
  const root = join(import.meta.dir, "../../..");
  return [
    "node_modules/wasm-cairo/package.json",
    ...["cairo-compiler", "compiler-process", "sierra-repair", "felt-compression"].map(
      (name) => `scripts/contracts-lib/${name}.ts`,
    ),
  ].map((path) => readFileSync(join(root, path), "utf8"));
}

/** Hash of source, class and compiler with which the source compiled to the class. */
const RECOMPILED = "e0eb52592457f1711b11d45aa75a2122378c07d0076c2b4c079bbe1417b66f38";

test("recompiling a source yields its committed class", async () => {
  const [source, sierra] = [readSource("universal_deployer"), readSierra("universal_deployer")];
  const inputs = [source, JSON.stringify(sierra), ...compilerTexts()];
  await unlessPassedBefore(RECOMPILED, inputs, () => {
    expect(compileCairo(source)).toEqual({ kind: "compiled", sierra });
  });
}, 180_000);

test.each(contractScenarios().map((scenario) => [scenario.name, scenario] as const))(
  "scenario %s uses the committed classes",
  (name, scenario) => {
    expect(readFileSync(join(SCENARIO_FOLDER, `${name}.json`), "utf8")).toBe(
      scenarioText(scenario),
    );
  },
);

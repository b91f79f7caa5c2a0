import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  contractNames,
  entryOf,
  readCasm,
  readIndex,
  readSierra,
  readSource,
  sha256,
} from "../../../scripts/contracts-lib/artifacts.ts";
import { compileCairo } from "../../../scripts/contracts-lib/cairo-compiler.ts";
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
  universal_deployer: ["deploy_contract", "deployContract"],
};

test("the contracts are the account, the token and the deployer", () => {
  expect(contractNames()).toEqual(Object.keys(STANDARD_FUNCTIONS));
});

describe.each(contractNames())("%s", (name) => {
  test("was compiled from the source that lies beside it", () => {
    expect(readIndex()[name]?.sourceSha256).toBe(sha256(readSource(name)));
  });

  test("has the hashes that the index gives", () => {
    expect(readIndex()[name]).toEqual(entryOf(readSource(name), readSierra(name), readCasm(name)));
  });

  test("is of a Sierra version that is metered by gas", () => {
    expect(readSierra(name).sierra_program.slice(0, 3)).toEqual(["0x1", "0x7", "0x0"]);
  });

  test("offers the standard functions in both spellings", () => {
    const abi = JSON.parse(readSierra(name).abi) as readonly AbiItem[];
    const functions = abi
      .flatMap((item) => [item, ...(item.items ?? [])])
      .filter((item) => item.type === "function")
      .map((item) => item.name);
    expect(functions).toEqual(expect.arrayContaining([...(STANDARD_FUNCTIONS[name] ?? [])]));
  });
});

test("a source compiles to its committed class again", () => {
  const result = compileCairo(readSource("universal_deployer"));
  expect(result).toEqual({ kind: "compiled", sierra: readSierra("universal_deployer") });
}, 180_000);

test.each(contractScenarios().map((scenario) => [scenario.name, scenario] as const))(
  "scenario %s is of the committed classes",
  (name, scenario) => {
    expect(readFileSync(join(SCENARIO_FOLDER, `${name}.json`), "utf8")).toBe(
      scenarioText(scenario),
    );
  },
);

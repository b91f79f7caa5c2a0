import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { hash } from "starknet";
import { type GenesisClass, loadChainConfig } from "#protocol/config/index.ts";
import { ConfigError } from "#base/errors/index.ts";
import { genesisClassSource } from "#app/node/storage/folder/shipped-contracts.ts";
import { buildGenesis } from "#services/sequencer/index.ts";
import { legacyClassText } from "#test/helpers/legacy-class.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const STRK = 0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938dn;
const ETH = 0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7n;
const UDC = 0x2ceed65a4bd731034c01113685c831b01c15d7d432f71afb1cf1634b53a2125n;
const LEGACY_UDC = 0x41a78e741e5af2fec34b695679bc6891742439f7afb8484ecd7766661ad02bfn;
const ACCOUNT = ["__validate__", "__execute__"];

/** Builds a development genesis with a contract, or the account, of a Cairo 0 class. */
async function genesisWith(at: bigint | "account", text: string, faucet = true) {
  using folder = temporaryFolder();
  const file = folder.file("class.json");
  writeFileSync(file, text);
  const { config } = await loadChainConfig({ preset: "devnet", role: "sequencer" });
  const section = config.genesis;
  if (section === null) throw new TypeError("devnet has a genesis");
  const name = at === "account" ? "faucet_account" : "mine";
  const mine: GenesisClass = {
    name,
    source: { kind: "files", sierraPath: file, casmPath: null },
  };
  const contracts = new Map(section.contracts);
  if (at !== "account") {
    contracts.set(at, { class: { kind: "name", name }, nonce: 0n, storage: new Map() });
  }
  const genesis = { ...section, classes: [...section.classes, mine], contracts };
  const made = { ...config, genesis };
  try {
    return buildGenesis(made, null, await genesisClassSource(made), { faucet });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.issues.map(({ path, message }) => `${path}: ${message.replace(file, "FILE")}`);
  }
}

const contract = (at: bigint) => `genesis.contracts.0x${at.toString(16)}.class: FILE cannot be`;

describe("a class from a file", () => {
  test.each([
    [STRK, ["mint"], "the class of a fee token: it has no external function transfer"],
    [
      ETH,
      ["transfer", "balanceOf"],
      "the class of a fee token: it has no external function permissioned_mint or permissionedMint or mint",
    ],
    [
      UDC,
      ["deployContract"],
      "the class of the universal deployer at this address: it has no external function deploy_contract",
    ],
    [
      LEGACY_UDC,
      ["deploy_contract"],
      "the class of the universal deployer at this address: it has no external function deployContract",
    ],
  ] as const)("is refused at %p if a function is missing", async (at, functions, finding) => {
    expect(await genesisWith(at, legacyClassText(functions))).toEqual([
      `${contract(at)} ${finding}`,
    ]);
  });

  test("is refused as an account without its functions", async () => {
    expect(await genesisWith("account", legacyClassText(["__execute__"]))).toEqual([
      "genesis.classes[3]: FILE cannot be the class of an account: it has no external function __validate__",
    ]);
  });

  test.each([
    [STRK, ["transfer", "permissionedMint"]],
    [ETH, ["transfer", "mint"]],
    [UDC, ["deploy_contract"]],
    [LEGACY_UDC, ["deployContract"]],
    ["account", ACCOUNT],
  ] as const)(
    "is accepted at %p with the required functions, also of Cairo 0",
    async (at, functions) => {
      const text = legacyClassText(functions);
      // Computed by starknet.js.
      const classHash = BigInt(hash.computeLegacyContractClassHash(text));
      const made = await genesisWith(at, text);
      if (made === undefined || !("stateDiff" in made)) throw new TypeError(String(made));
      const { stateDiff, classes } = made;
      expect([...stateDiff.deprecatedDeclaredClasses]).toEqual([classHash]);
      expect(stateDiff.declaredClasses.has(classHash)).toBe(false);
      expect(classes.find((each) => each.classHash === classHash)?.casmJson).toBeNull();
      if (at !== "account") expect(stateDiff.deployedContracts.get(at)).toBe(classHash);
    },
  );

  test("is not checked on chains without development features", async () => {
    expect(await genesisWith(STRK, legacyClassText([]), false)).toHaveProperty("stateDiff");
  });

  test("of Cairo 0 is refused with an unknown hint", async () => {
    const hint = { accessible_scopes: [], code: "import os", flow_tracking_data: null };
    const findings = await genesisWith(
      STRK,
      legacyClassText(["transfer"], { hints: { 0: [hint] } }),
    );
    expect(findings).toEqual([
      "genesis.classes[3]: this node cannot execute a part of mine: the hint at program counter 0: import os",
    ]);
  });

  test("of Sierra is also checked", async () => {
    const deployer = JSON.parse(
      readFileSync("contracts/l2/universal_deployer.sierra.json", "utf8"),
    ) as object;
    const other = JSON.stringify({ ...deployer, abi: [] });
    expect(await genesisWith(UDC, other)).toHaveProperty("stateDiff");
    expect(await genesisWith(STRK, other)).toHaveLength(2);
  });
});

import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { readSettings, VARIABLES, type VariableName } from "#app/bootstrap/index.ts";
import { ANVIL_KEY, ANVIL_OTHER_KEYS } from "#test/helpers/anvil.ts";
import { findings, MAINNET_SETTINGS, L1_KEY, L2_KEY } from "#test/helpers/bootstrap-settings.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const names = Object.keys(VARIABLES) as VariableName[];

test("reads all settings", () => {
  const { settings, warnings } = readSettings(MAINNET_SETTINGS, false);
  expect(warnings).toEqual([]);
  expect(settings).toMatchObject({
    appChainId: "MY_CHAIN",
    l1ChainId: 1,
    l1Url: MAINNET_SETTINGS["ETH_RPC"] ?? "",
    l1Deployer: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
    l2Key: BigInt(L2_KEY),
    configHashVersion: "StarknetOsConfig3",
    transactionWaitMs: 15_000,
    crossChainWaitMs: 80_000,
    production: { verifier: "0x47312450b3ac8b5b8e247a6bb6d523e7605bdb60" },
  });
});

test("has the 16 variables and the operator", () => {
  expect(names).toHaveLength(17);
});

describe("a missing variable", () => {
  const required = [
    "APP_CHAIN_ID",
    "ETH_PRIV_KEY",
    "ROLLUP_PRIV_KEY",
    "VERIFIER_ADDRESS",
    "L1_MULTISIG_ADDRESS",
    "L2_MULTISIG_ADDRESS",
  ];
  for (const name of names) {
    const expected = required.includes(name)
      ? [`${name}: is missing: ${VARIABLES[name].meaning}; expected ${VARIABLES[name].expected}`]
      : [];
    test(name, () => {
      const isKnownOnly = name === "ETH_CHAIN_ID";
      for (const value of [undefined, ""]) {
        const environment = { ...MAINNET_SETTINGS, [name]: value };
        expect(findings(environment)).toEqual(expected);
        // Without a chain id L1 is a development chain.
        if (isKnownOnly) expect(readSettings(environment, false).settings.l1ChainId).toBe(31_337);
      }
    });
  }

  test("reports all findings together", () => {
    expect(findings({ ETH_CHAIN_ID: "1" }).map((line) => line.split(":")[0] ?? "")).toEqual([
      "ETH_PRIV_KEY",
      "ROLLUP_PRIV_KEY",
      "APP_CHAIN_ID",
      "VERIFIER_ADDRESS",
      "L1_MULTISIG_ADDRESS",
      "L2_MULTISIG_ADDRESS",
    ]);
    expect(findings({ ETH_CHAIN_ID: "5" }, true)).toHaveLength(3);
    for (const id of ["1", "11155111"]) {
      expect(findings({ ...MAINNET_SETTINGS, ETH_CHAIN_ID: id }, true)).toEqual([
        "ETH_CHAIN_ID: is the chain id of a public network, which cannot be used with --dev",
      ]);
    }
  });
});

describe("a wrong variable", () => {
  const P = "0x800000000000011000000000000000000000000000000000000000000000001";
  const L1_WRONG = [
    "x",
    "0x",
    `0x${"0".repeat(40)}`,
    `0x${"a".repeat(39)}`,
    `0x${"a".repeat(41)}`,
    "a".repeat(40),
    // The case of one letter differs from the checksum.
    "0x47312450b3Ac8b5b8e247a6bB6d523e7605bDb60",
  ];
  const L2_WRONG = ["x", "0x", "0x0", "12", P, `0x${"f".repeat(65)}`, `0x${"1".repeat(40)}`];
  const WAIT_WRONG = ["0", "-1", "1.5", "86401", "15s", "x", " 15"];
  const wrong: Readonly<Record<VariableName, readonly string[]>> = {
    APP_CHAIN_ID: ["a b", "../x", "x".repeat(32), "0x1234", "ä"],
    ETH_CHAIN_ID: ["0", "-1", "0x1", "mainnet", "1e3", "9".repeat(16)],
    ETH_RPC: ["127.0.0.1:8545", "ws://127.0.0.1", "x", "http:///"],
    ROLLUP_SEQ_URL: ["127.0.0.1:9944", "ftp://127.0.0.1", "x"],
    ETH_PRIV_KEY: [
      "x",
      "0x1",
      L1_KEY.slice(2),
      `${L1_KEY}0`,
      `0x${"0".repeat(64)}`,
      `0x${"f".repeat(64)}`,
    ],
    ROLLUP_PRIV_KEY: ["x", "0x", "0x0", "1234", `0x${"f".repeat(64)}`, `0x${"1".repeat(65)}`],
    L1_DEPLOYER_ADDRESS: [...L1_WRONG, MAINNET_SETTINGS["OPERATOR_ADDRESS"] ?? ""],
    L2_DEPLOYER_ADDRESS: [...L2_WRONG, "0x1234"],
    FEE_TOKEN_ADDRESS: L2_WRONG,
    VERIFIER_ADDRESS: L1_WRONG,
    OPERATOR_ADDRESS: L1_WRONG,
    L1_MULTISIG_ADDRESS: L1_WRONG,
    L2_MULTISIG_ADDRESS: L2_WRONG,
    SN_OS_PROGRAM_HASH: ["x", "0x", "1", P, `0x${"f".repeat(65)}`],
    SN_OS_CONFIG_HASH_VERSION: ["0x1", "a b", "x".repeat(32), "1"],
    L1_WAIT_TIME: WAIT_WRONG,
    CROSS_CHAIN_WAIT_TIME: WAIT_WRONG,
  };
  for (const name of names) {
    test(name, () => {
      for (const value of wrong[name]) {
        const found = findings({ ...MAINNET_SETTINGS, [name]: value });
        expect(found).toHaveLength(1);
        expect(found[0]).toStartWith(`${name}: is `);
        if (value.length > 4) expect(found[0]).not.toContain(value);
      }
    });
  }

  test("names the address that a key gives", () => {
    const environment = { ...MAINNET_SETTINGS, ETH_PRIV_KEY: ANVIL_OTHER_KEYS[1] };
    // Third account that anvil funds.
    expect(findings(environment)).toEqual([
      "L1_DEPLOYER_ADDRESS: is not the address that ETH_PRIV_KEY gives, 0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
    ]);
  });
});

describe("accepts aliases", () => {
  const aliases = [
    ["ETH_PRIV_KEY", "ETH_PRIVATE_KEY"],
    ["ROLLUP_PRIV_KEY", "ROLLUP_PRIVATE_KEY"],
    ["SN_OS_CONFIG_HASH_VERSION", "CONFIG_HASH_VERSION"],
  ] as const;
  const others = [ANVIL_OTHER_KEYS[1], "0x77", "StarknetOsConfig2"];
  for (const [i, [name, alias]] of aliases.entries()) {
    test(`${name} and ${alias}`, () => {
      const { [name]: value = "", ...rest } = MAINNET_SETTINGS;
      const { settings } = readSettings(MAINNET_SETTINGS, false);
      expect(readSettings({ ...rest, [alias]: value }, false).settings).toEqual(settings);
      expect(readSettings({ ...MAINNET_SETTINGS, [alias]: value }, false).settings).toEqual(
        settings,
      );
      expect(findings({ ...MAINNET_SETTINGS, [alias]: others[i] })).toEqual([
        `${name}: differs from ${alias}, and both are the ${VARIABLES[name].meaning}: give one of them`,
      ]);
    });
  }

  test("reports a finding under the given name", () => {
    const { ROLLUP_PRIV_KEY: _, ...rest } = MAINNET_SETTINGS;
    expect(findings({ ...rest, ROLLUP_PRIVATE_KEY: "0x0" })[0]).toStartWith("ROLLUP_PRIVATE_KEY:");
  });
});

describe("a key in a file", () => {
  test("is read without surrounding whitespace, under each name", () => {
    using folder = temporaryFolder();
    const { settings } = readSettings(MAINNET_SETTINGS, false);
    for (const name of ["ETH_PRIV_KEY", "ROLLUP_PRIV_KEY"] as const) {
      const { [name]: value, ...rest } = MAINNET_SETTINGS;
      const path = folder.file(name);
      writeFileSync(path, `\n${value}\r\n`, { mode: 0o600 });
      for (const alias of [name, ...VARIABLES[name].aliases]) {
        expect(readSettings({ ...rest, [`${alias}_FILE`]: path }, false).settings).toEqual(
          settings,
        );
      }
      expect(findings({ ...MAINNET_SETTINGS, [`${name}_FILE`]: path })).toEqual([]);
      writeFileSync(path, "0x5");
      expect(findings({ ...MAINNET_SETTINGS, [`${name}_FILE`]: path })[0]).toContain(
        `differs from ${name}_FILE`,
      );
    }
  });

  test("that is unusable is one finding without path and content", () => {
    using folder = temporaryFolder();
    mkdirSync(folder.file("folder"));
    writeFileSync(folder.file("empty"), " \n", { mode: 0o600 });
    writeFileSync(folder.file("public"), L1_KEY, { mode: 0o640 });
    writeFileSync(folder.file("long"), "1".repeat(4097), { mode: 0o600 });
    writeFileSync(folder.file("wrong"), `${L1_KEY}99`, { mode: 0o600 });
    const { ETH_PRIV_KEY: _, ...rest } = MAINNET_SETTINGS;
    const reasons = {
      [folder.file("folder")]: "it is not a file",
      [folder.file("empty")]: "the file is empty",
      [folder.file("public")]: "other users can access the file: run chmod 600 on it",
      [folder.file("long")]: "the file is longer than 4096 bytes",
      [folder.file("wrong")]: "is malformed",
      // The key itself in place of the path.
      [L1_KEY]: "there is no such file",
      ["a\0b"]: "the file cannot be read",
      ["/dev/zero"]: "it is not a file",
    };
    for (const [path, reason] of Object.entries(reasons)) {
      const found = findings({ ...rest, ETH_PRIV_KEY_FILE: path });
      expect(found).toHaveLength(1);
      expect(found[0]).toStartWith(`ETH_PRIV_KEY_FILE: ${reason}`);
      expect(found[0]).not.toContain(path);
    }
  });

  test("is not supported for other variables", () => {
    const { APP_CHAIN_ID: _, ...rest } = MAINNET_SETTINGS;
    expect(findings({ ...rest, APP_CHAIN_ID_FILE: "x" })[0]).toContain("APP_CHAIN_ID: is missing");
  });
});

describe("publicly known keys", () => {
  test("are the default of a development chain, with a warning each", () => {
    const { settings, warnings } = readSettings({ APP_CHAIN_ID: "X" }, true);
    expect(settings).toMatchObject({
      l1Key: ANVIL_KEY,
      l1Deployer: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
      l2Key: 0xabcdn,
      production: null,
    });
    expect(warnings.map((text) => text.split(" ")[0] ?? "")).toEqual([
      "ETH_PRIV_KEY",
      "ROLLUP_PRIV_KEY",
    ]);
    expect(warnings.join()).not.toContain("0x");
  });

  test("are refused on any other chain", () => {
    const rest = {
      ...MAINNET_SETTINGS,
      ETH_PRIV_KEY: ANVIL_KEY,
      ROLLUP_PRIV_KEY: "0x000ABCD",
      L1_DEPLOYER_ADDRESS: "",
    };
    expect(findings(rest).map((line) => line.split(":", 2).join(":"))).toEqual([
      "ETH_PRIV_KEY: is a publicly known key",
      "ROLLUP_PRIV_KEY: is a publicly known key",
    ]);
    expect(findings({ ...rest, ETH_CHAIN_ID: "31337" })).toEqual([]);
  });
});

test("warns about variables without effect on a development chain", () => {
  expect(
    readSettings({ ...MAINNET_SETTINGS, ETH_CHAIN_ID: "5", L2_MULTISIG_ADDRESS: undefined }, true)
      .warnings,
  ).toEqual([
    "VERIFIER_ADDRESS has no effect with --dev",
    "L1_MULTISIG_ADDRESS has no effect with --dev",
  ]);
});

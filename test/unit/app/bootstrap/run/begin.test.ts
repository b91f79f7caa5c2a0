import { beforeAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { AppError, ConfigError } from "#base/errors/index.ts";
import { ANVIL_KEY, ANVIL_OTHER_KEYS, startAnvil } from "#test/helpers/anvil.ts";
import { type AnvilBootstrap, useAnvilBootstraps } from "#test/helpers/bootstrap-anvil.ts";

const world = useAnvilBootstraps();

/** Core contract of the deployer's first setup. */
const FIRST_CORE = "0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0";
const VERIFIER = "0x5fbdb2315678afecb367f032d93f642f64180aa3";

/** Refusal of a plan, with its findings. */
async function refusal(options: AnvilBootstrap): Promise<string> {
  const before = await world.sent();
  const error = await world.plan(options).catch((cause: unknown) => cause);
  if (!(error instanceof AppError)) throw new TypeError(`no AppError but ${String(error)}`);
  expect(await world.sent()).toBe(before);
  const issues = error instanceof ConfigError ? error.issues : [];
  return [error.message, ...issues.map(({ path, message }) => `${path}: ${message}`)].join("\n");
}

beforeAll(() => world.run(), 30_000);

describe("refuses an address file before the first transaction if", () => {
  const edits: readonly (readonly [string, string, string, string])[] = [
    ["an address differs", VERIFIER, `0x${"1".repeat(40)}`, `${VERIFIER} in the plan`],
    ["a name is unknown", "l1_verifier_address", "l1_verifier", "is not the name of a bootstrap"],
    ["the first nonce differs", '_nonce": 0', '_nonce": 1', "its plan does not match"],
    ["the digest differs", '"plan": "0x', '"plan": "0x0', "or was edited"],
    ["the chain id differs", '"app_chain_id": "X"', '"app_chain_id": "Y"', "app_chain_id"],
    ["L1's chain id differs", "31337", "31338", "eth_chain_id is 31338 there"],
    ["the deployer differs", "0xf39fd6", "0xf39fd7", "l1_deployer_address is 0xf39fd7"],
    ["it is not for a development chain", "true", "false", "is_development is false there"],
    ["it has a genesis section", '"has_genesis": false', '"has_genesis": true', "was edited"],
    ["the token differs", "null", VERIFIER.replace(/^/, '"').concat('"'), "l1_token_address"],
    [
      "a step's address is missing",
      '"bootstrap"',
      '"bootstrap2"',
      "was not written by a bootstrap",
    ],
  ];
  for (const [index, [what, from, to, message]] of edits.entries()) {
    test(what, async () => {
      const addressesPath = world.edited(`edited-${index}.json`, from, to);
      expect(await refusal({ addressesPath })).toContain(message);
    });
  }

  test("it belongs to another L1 with the same chain id", async () => {
    // Block 0 of two chains started within a second would be equal.
    const other = await startAnvil(["--timestamp", "1000000000"]);
    try {
      const environment = { ETH_RPC: other.url };
      expect(await refusal({ environment })).toContain("l1_genesis_hash is 0x");
    } finally {
      await other.stop();
    }
  });

  test("a recorded contract is missing on L1", async () => {
    const { client } = world.anvil;
    const bytecode = (await client.getCode({ address: VERIFIER })) ?? "0x";
    await client.setCode({ address: VERIFIER, bytecode: "0x" });
    try {
      // The nonce was used, but its contract is gone.
      expect(await refusal({})).toContain("nonce 0 of");
    } finally {
      await client.setCode({ address: VERIFIER, bytecode });
    }
  });
});

describe("contracts of an earlier run without an address file", () => {
  const addressesPath = (): string => world.file("lost.json");

  test("are named, and not deployed again", async () => {
    const text = await refusal({ addressesPath: addressesPath() });
    expect(text).toContain(`core contract ${FIRST_CORE} (from nonce 0, with --dev)`);
    expect(text).toContain("continue with them by --adopt, or deploy others by --again");
  });

  test("are adopted with --adopt without transactions, and the file is restored", async () => {
    const before = await world.sent();
    const { plan } = await world.run({ addressesPath: addressesPath(), earlier: "adopt" });
    expect(plan.l1.core).toBe(FIRST_CORE);
    expect(await world.sent()).toBe(before);
    const original = await Bun.file(world.file("addresses.json")).text();
    expect(await Bun.file(addressesPath()).text()).toBe(original);
    rmSync(addressesPath());
  });

  test("keep their setup with or without a genesis section", async () => {
    const options = { addressesPath: addressesPath(), earlier: "adopt", hasGenesis: true } as const;
    expect(await refusal(options)).toContain("--genesis: the contracts that are adopted were set");
    const environment = { APP_CHAIN_ID: "G" };
    const own = { environment, addressesPath: world.file("genesis.json") };
    const { plan } = await world.run({ ...own, hasGenesis: true });
    const lost = { environment, addressesPath: addressesPath() };
    expect((await world.plan({ ...lost, earlier: "adopt" })).plan).toEqual(plan);
  });

  test("are ignored if of another chain", async () => {
    const environment = { APP_CHAIN_ID: "Y" };
    const { plan } = await world.plan({ environment, addressesPath: addressesPath() });
    expect(plan.firstNonce).toBe(await world.sent());
  });

  test("are not adopted without --dev if deployed with it", async () => {
    const environment = {
      ETH_PRIV_KEY: ANVIL_KEY,
      VERIFIER_ADDRESS: VERIFIER,
      L1_MULTISIG_ADDRESS: FIRST_CORE,
      L2_MULTISIG_ADDRESS: "0x5",
    };
    const options = { environment, isDevelopment: false, addressesPath: addressesPath() };
    expect(await refusal({ ...options, earlier: "adopt" })).toContain("deployed with --dev");
  });

  test("are found if a run ended after its first deployment", async () => {
    const environment = { ETH_PRIV_KEY: ANVIL_OTHER_KEYS[0] };
    await world.run({ environment, addressesPath: world.file("begun.json") }, "l1-verifier");
    const options = { environment, addressesPath: addressesPath() };
    expect(await refusal(options)).toContain("(from nonce 0, with --dev, not finished)");
    const { plan } = await world.run({ ...options, earlier: "adopt" });
    expect(plan.firstNonce).toBe(0);
    rmSync(addressesPath());
  });

  test("are required for --adopt", async () => {
    const environment = { ETH_PRIV_KEY: ANVIL_OTHER_KEYS[1] };
    const options = { environment, addressesPath: addressesPath(), earlier: "adopt" } as const;
    expect(await refusal(options)).toContain("--adopt: 0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc");
  });

  test("stay with --again, and the newest are adopted afterwards", async () => {
    const nonce = await world.sent();
    const { plan } = await world.run({ addressesPath: addressesPath(), earlier: "again" });
    expect(plan.firstNonce).toBe(nonce);
    rmSync(addressesPath());
    const adopted = await world.plan({ addressesPath: addressesPath(), earlier: "adopt" });
    expect(adopted.plan).toEqual(plan);
  });
});

test("refuses a recorded plan if another transaction of the deployer used its nonce", async () => {
  const environment = { APP_CHAIN_ID: "Z" };
  const addressesPath = world.file("planned.json");
  (await world.plan({ environment, addressesPath })).keep();
  const { client } = world.anvil;
  const hash = await client.sendTransaction({ to: FIRST_CORE, value: 0n, gas: 100_000n });
  await client.waitForTransactionReceipt({ hash });
  expect(await refusal({ environment, addressesPath })).toContain("was used for something else");
});

test("refuses a verifier without code before the first transaction", async () => {
  const environment = {
    ETH_PRIV_KEY: ANVIL_KEY,
    VERIFIER_ADDRESS: `0x${"9".repeat(40)}`,
    L1_MULTISIG_ADDRESS: FIRST_CORE,
    L2_MULTISIG_ADDRESS: "0x5",
  };
  const options = { environment, isDevelopment: false, addressesPath: world.file("other.json") };
  expect(await refusal(options)).toContain("VERIFIER_ADDRESS: has no contract on L1");
});

import { describe, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { DEFAULT_RESTRICTED_METHODS } from "#api/rpc/index.ts";
import { joinedMethods } from "#app/cli/devnet/sequencer-words.ts";
import { run, startedWith } from "../run.ts";

/** Default price. */
const PRICE = { wei: 10n ** 9n, fri: 10n ** 9n };

describe("appchain devnet", () => {
  test("has the defaults of starknet-devnet", async () => {
    const { started, err } = await run(["devnet"]);
    expect(started[0]).toMatchObject({
      ephemeral: true,
      basePath: tmpdir(),
      chain: { chainId: "SN_SEPOLIA" },
      rpc: { host: "127.0.0.1", port: 5050, timeoutMs: 120_000 },
      metrics: null,
      devAccounts: { count: 10, balance: 10n ** 21n, seed: { accounts: "starknet-devnet" } },
      devnet: {
        blocks: "configured",
        restrictedMethods: null,
        startTime: null,
        dump: null,
        gasPrices: { l1Gas: PRICE, l1DataGas: PRICE, l2Gas: PRICE },
      },
    });
    // The seed is random, and printed so that it can be used again.
    const seed = started[0]?.devAccounts?.seed.number;
    expect(err).toBe(`Seed of the funded accounts: ${seed}`);
    expect((await startedWith(["devnet"])).devAccounts?.seed.number).not.toBe(seed);
  });

  test("accepts the options of starknet-devnet", async () => {
    const options = await startedWith([
      ..."devnet --accounts 3 -e 7 --seed 0 --host 0.0.0.0 --port 1 --start-time 5 --timeout 9".split(
        " ",
      ),
      ..."--gas-price 11 --gas-price-fri 12 --data-gas-price 13 --data-gas-price-fri 14".split(" "),
      ..."--l2-gas-price 15 --l2-gas-price-fri 16 --chain-id MAINNET --dump-on block".split(" "),
      ..."--dump-path dump.json --lite-mode --proof-mode none --block-generation-on demand".split(
        " ",
      ),
      ..."--state-archive-capacity full --maximum-sierra-length 81920 --ui".split(" "),
      ..."--metrics-host 0.0.0.0 --metrics-port 4 --restrictive-mode devnet_mint devnet_load".split(
        " ",
      ),
    ]);
    expect(options).toMatchObject({
      chain: { chainId: "SN_MAIN" },
      rpc: { host: "0.0.0.0", port: 1, timeoutMs: 9_000 },
      metrics: { host: "0.0.0.0", port: 4 },
      devAccounts: {
        count: 3,
        balance: 7n,
        seed: { accounts: "starknet-devnet", number: 0n },
      },
      devnet: {
        blocks: "demand",
        restrictedMethods: ["devnet_mint", "devnet_load"],
        startTime: 5,
        dump: { on: "block", path: expect.stringMatching(/dump\.json$/) },
        gasPrices: {
          l1Gas: { wei: 11n, fri: 12n },
          l1DataGas: { wei: 13n, fri: 14n },
          l2Gas: { wei: 15n, fri: 16n },
        },
      },
    });
  });

  test("accepts the older names of prices", async () => {
    const { devnet } = await startedWith([
      ..."devnet --gas-price-wei 1 --data-gas-price-wei 2 --l2-gas-price-wei 3".split(" "),
    ]);
    expect(devnet?.gasPrices).toEqual({
      l1Gas: { ...PRICE, wei: 1n },
      l1DataGas: { ...PRICE, wei: 2n },
      l2Gas: { ...PRICE, wei: 3n },
    });
  });

  test("accepts variables of starknet-devnet, but prefers its own", async () => {
    const environment = { PORT: "6", SEED: "1", APPCHAIN_PORT: "7", APPCHAIN_LOG_LEVEL: "warn" };
    const options = await startedWith(["devnet"], environment);
    expect([options.rpc.port, options.devAccounts?.seed.number, options.log.level]).toEqual([
      7,
      1n,
      "warn",
    ]);
    // `CHAIN_ID` and the option with the same twin are not a duplicate.
    expect((await startedWith(["devnet"], { CHAIN_ID: "A" })).chain.chainId).toBe("A");
    expect((await startedWith(["devnet"], { APPCHAIN_CHAIN_ID: "B" })).chain.chainId).toBe("B");
  });

  test("forks a network, whose chain id it has unless another one is set", async () => {
    const words = ["devnet", "--fork-network", "http://a.example", "--fork-block", "5"];
    const caching = [...words, "--fork-upstream-caching", "true"];
    for (const [argv, changed] of [
      [words, false],
      [caching, false],
      [[...words, "--chain-id", "A"], true],
    ] as const) {
      const { fork } = await startedWith(argv);
      expect(fork?.urls).toEqual(["http://a.example"]);
      expect(fork?.block).toEqual({ kind: "number", number: 5 });
      expect(fork?.changedFields.has("chain_id")).toBe(changed);
    }
  });

  test("has no accounts for --accounts 0", async () => {
    const { started, err } = await run(["devnet", "--accounts", "0"]);
    expect([started[0]?.devAccounts, err]).toEqual([null, ""]);
  });

  test.each([
    [["--predeclare-argent"], "--predeclare-argent: the program does not include Argent's classes"],
    [["--account-class", "cairo0"], "--account-class: expected cairo1"],
    [["--account-class", "cairo1", "--account-class-custom", "x"], "cannot be combined with"],
    [["--fork-network", "ws://a"], "--fork-network: expected http:// or https:// address"],
    [["--fork-network", "http://a", "--fork-block", "x"], "--fork-block: expected block number"],
    [["--fork-block", "5"], "--fork-block: has no effect without --fork-url"],
    [["--proof-mode", "full"], "--proof-mode: expected none"],
    [["--maximum-sierra-length", "5"], "--maximum-sierra-length: expected 81920"],
    [["--gas-price", "0"], "--gas-price: expected price"],
    [["--metrics-host", "10.0.0.1"], "--metrics-host: expected 127.0.0.1"],
    [["--rpc-port", "5"], "--rpc-port: unknown option"],
  ])("refuses %p with a reason", async (words, text) => {
    const { code, err, started } = await run(["devnet", ...words]);
    expect([code, started]).toEqual([2, []]);
    expect(err).toContain(text);
  });
});

describe("the words of --restrictive-mode", () => {
  test.each([
    [["--restrictive-mode"], ["--restrictive-mode=default"]],
    [
      ["--restrictive-mode", "--port", "1"],
      ["--restrictive-mode=default", "--port", "1"],
    ],
    [
      ["--port", "1", "--restrictive-mode", "a", "b", "--seed", "2"],
      ["--port", "1", "--restrictive-mode=a,b", "--seed", "2"],
    ],
    [["--restrictive-mode=a"], ["--restrictive-mode=a"]],
    [
      ["--port", "1"],
      ["--port", "1"],
    ],
  ])("%p are joined to %p", (argv, joined) => {
    expect(joinedMethods(argv)).toEqual(joined);
  });

  test("default to the methods that starknet-devnet restricts", async () => {
    const { devnet } = await startedWith(["devnet", "--restrictive-mode", "--port", "1"]);
    expect(devnet?.restrictedMethods).toEqual(DEFAULT_RESTRICTED_METHODS);
  });
});

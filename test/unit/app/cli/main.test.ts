import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { main, processContext } from "#app/cli/index.ts";
import { StorageError } from "#base/errors/index.ts";
import { defaultExecutionMemoryMib } from "#protocol/config/index.ts";
import { run, startedWith } from "./run.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

describe("wrong command lines exit with 2", () => {
  const cases: readonly [readonly string[], string][] = [
    [["sequencr"], "did you mean sequencer?"],
    [["config", "validte"], "did you mean config validate?"],
    [["constructor"], "unknown command"],
    [["rpc", "constructor"], "unknown command"],
    [["rpc", "call"], "METHOD: is missing"],
    [["rpc", "call", "--timeout", "x"], '"x"\n  METHOD: is missing'],
    [["rpc", "call", "-1"], "-1: unknown option"],
    [["db", "backup", "---", "x"], "---: unknown option"],
    [["sequencer", "--_"], "--_: is not expected here"],
    [["class", "hash", "-_"], "-_: unknown option"],
    [["sequencer", "--prset", "devnet"], "did you mean --preset?"],
    [["--prset", "devnet"], "did you mean --preset?"],
    [["--preset", "devnet", "sequencr"], "did you mean sequencer?"],
    [["sequencer", "--preset", "devnt"], "did you mean devnet?"],
    [["sequencer", "--preset", "devnet", "--rpc-port", "x"], "--rpc-port: expected port"],
    [["bootstrap", "--fast"], "unknown option"],
    [["--sequencer"], "--chain-config-path"],
    [["node"], "--preset"],
    [["sequencer", "--preset", "devnet", "--chain-config-path", "no-such"], "no-such"],
    [["sequencer", "--preset", "devnet", "extra"], "extra: is not expected here"],
    [
      ["sequencer", "--preset", "devnet", "--rpc-external", "--rpc-host", "::1"],
      "cannot be combined with",
    ],
    [["sequencer", "--preset", "devnet", "--chain-config-override", "blok_time=1s"], "block_time"],
  ];
  for (const [argv, message] of cases) {
    test(argv.join(" "), async () => {
      const { code, err, started } = await run(argv);
      expect([code, started.length]).toEqual([2, 0]);
      expect(err).toContain(message);
    });
  }

  test("sequencer mode without a configuration lists the presets", async () => {
    expect((await run(["sequencer"])).err).toContain(
      "mainnet, sepolia, integration, devnet, appchain",
    );
  });
});

describe("running a node", () => {
  test("takes its role as an option or a word, in any order", async () => {
    for (const argv of [
      ["--sequencer", "--preset", "devnet"],
      ["--preset", "devnet", "--sequencer"],
      ["node", "--sequencer", "--preset", "devnet"],
      ["--preset", "devnet", "sequencer"],
      ["sequencer", "--preset", "devnet"],
      ["-p", "5", "sequencer", "--preset", "devnet"],
      ["-p", "5", "--preset", "devnet", "--sequencer"],
    ]) {
      const { role, chain } = await startedWith(argv);
      expect([role, chain.chainId]).toEqual(["sequencer", "APPCHAIN_DEVNET"]);
    }
  });

  test("accepts -p as the port", async () => {
    for (const argv of [
      ["sequencer", "--preset", "devnet", "-p", "5"],
      ["-p", "5", "--sequencer", "--preset", "devnet"],
      ["-p=5", "sequencer", "--preset", "devnet"],
    ]) {
      expect((await startedWith(argv)).rpc.port).toBe(5);
    }
  });

  test("is a full node without --sequencer", async () => {
    expect((await startedWith(["--preset", "sepolia"])).role).toBe("full");
  });

  test("has the documented defaults", async () => {
    const options = await startedWith(["sequencer", "--preset", "appchain"]);
    expect(options).toMatchObject({
      rpc: {
        host: "127.0.0.1",
        port: 9944,
        cors: "local",
        allowedHosts: null,
        adminTokenFile: null,
      },
      metrics: { host: "127.0.0.1", port: 9615 },
      gateway: null,
      l1: null,
      gasPrices: { l1GasPriceWei: null, blobGasPriceWei: null, strkPerEth: null },
      chargeFee: true,
      executionMemoryBytes: defaultExecutionMemoryMib(process.constrainedMemory()) * 2 ** 20,
      compilerMemoryBytes: 2 ** 30,
      compilerTimeoutMs: 60_000,
      compilerNiceness: 19,
      startTimeoutMs: 30_000,
      stallTimeoutMs: 20_000,
      warmUpTransfers: 200,
      devAccounts: null,
      log: { level: "info", format: "text" },
      basePath: resolve("appchain-data/APPCHAIN"),
      ephemeral: false,
      reset: false,
    });
  });

  test("is ephemeral or permanent, with the command line over the environment", async () => {
    const devnet = ["sequencer", "--preset", "devnet"];
    const temporary = { basePath: tmpdir(), ephemeral: true, reset: false };
    const kept = { basePath: resolve("data"), ephemeral: false };
    expect(await startedWith([...devnet, "--ephemeral", "--reset"])).toMatchObject(temporary);
    const folder = ["--base-path", "data"];
    expect(await startedWith([...devnet, ...folder, "--reset"])).toMatchObject({
      ...kept,
      reset: true,
    });
    const ofFolder = { APPCHAIN_BASE_PATH: "data" };
    expect(await startedWith([...devnet, "--ephemeral"], ofFolder)).toMatchObject(temporary);
    const ofEphemeral = { APPCHAIN_EPHEMERAL: "true" };
    expect(await startedWith([...devnet, ...folder], ofEphemeral)).toMatchObject(kept);
    for (const [argv, environment] of [
      [[...folder, "--ephemeral"], {}],
      [[], { ...ofFolder, ...ofEphemeral }],
    ] as const) {
      const { code, err } = await run([...devnet, ...argv], environment);
      expect([code, err]).toEqual([2, expect.stringContaining("cannot be combined with")]);
    }
  });

  test("creates a new chain in an incomplete folder on request, but not with a reset", async () => {
    const devnet = ["sequencer", "--preset", "devnet"];
    expect(await startedWith(devnet)).toMatchObject({ newChain: false });
    expect(await startedWith([...devnet, "--new-chain"])).toMatchObject({ newChain: true });
    const ephemeral = await startedWith([...devnet, "--new-chain", "--ephemeral"]);
    expect(ephemeral).toMatchObject({ newChain: false });
    const { code, err } = await run([...devnet, "--new-chain", "--reset"]);
    expect([code, err]).toEqual([2, expect.stringContaining("cannot be combined with")]);
  });

  test("accepts every option", async () => {
    const options = await startedWith([
      ..."sequencer --preset devnet --name n1 --base-path data --l1-endpoint http://l1:8545".split(
        " ",
      ),
      ..."--rpc-port 0 --rpc-external --rpc-cors all --rpc-max-request-size 1 --rpc-max-batch 0 --rpc-allowed-hosts a.org,b".split(
        " ",
      ),
      ..."--metrics-port off --gateway-port 8080 --gateway-external --log-level debug".split(" "),
      "--gateway-rate-limit=20",
      ..."--log-format json --l1-gas-price 5 --blob-gas-price 6 --strk-per-eth 0.5".split(" "),
      ..."--no-charge-fee --config-out c.yaml --private-key-file k".split(" "),
      ..."--dev-accounts 3 --dev-seed 18446744073709551615 --dev-balance 7".split(" "),
    ]);
    expect(options).toMatchObject({
      name: "n1",
      basePath: resolve("data"),
      l1: { endpoints: ["http://l1:8545"], finality: 10, gasPricePollMs: 10_000, oracle: null },
      rpc: {
        host: "0.0.0.0",
        port: 0,
        cors: "all",
        allowedHosts: ["a.org", "b"],
        maxRequestSizeBytes: 1_048_576,
        maxBatch: 0,
      },
      metrics: null,
      gateway: { host: "0.0.0.0", port: 8080, rateLimit: { perSecond: 20, burst: 100 } },
      log: { level: "debug", format: "json" },
      gasPrices: { l1GasPriceWei: 5n, blobGasPriceWei: 6n, strkPerEth: 0.5 },
      chargeFee: false,
      configOut: resolve("c.yaml"),
      privateKeyFile: resolve("k"),
      follow: null,
      devAccounts: {
        count: 3,
        seed: { accounts: "appchain", number: 18446744073709551615n },
        balance: 7n,
      },
    });
  });

  test("devnet has ten accounts by default", async () => {
    const counts = await Promise.all(
      [[], ["--dev-accounts", "2"], ["--dev-accounts", "0"]].map(
        async (more) =>
          (await startedWith(["sequencer", "--preset", "devnet", ...more])).devAccounts?.count,
      ),
    );
    expect(counts).toEqual([10, 2, undefined]);
  });

  test("overrides can be repeated, take lists, and combine with dedicated options", async () => {
    const { chain } = await startedWith([
      ..."sequencer --preset appchain --chain-config-override chain_id=MINE,execution_batch_size=9".split(
        " ",
      ),
      ..."--chain-config-override bouncer_config.block_max_capacity.gas=18446744073709551615".split(
        " ",
      ),
      ..."--block-time 5s --l2-gas-price 42".split(" "),
    ]);
    expect(chain).toMatchObject({
      chainId: "MINE",
      executionBatchSize: 9,
      blockTimeMs: 5000,
      bouncer: { capacity: { l1Gas: 18446744073709551615n } },
      l2GasPrice: { type: "fixed", price: 42n },
    });
  });

  test("the environment supplies defaults, and the command line overrides it", async () => {
    const environment = {
      APPCHAIN_PRESET: "mainnet",
      APPCHAIN_RPC_PORT: "7",
      APPCHAIN_SEQUENCER: "true",
      APPCHAIN_CHAIN_CONFIG_OVERRIDE: "sequencer_address=0x5",
    };
    const fromEnvironment = await startedWith(["node"], environment);
    expect(fromEnvironment).toMatchObject({
      role: "sequencer",
      rpc: { port: 7 },
      chain: { chainId: "SN_MAIN", sequencerAddress: 5n },
    });
    using folder = temporaryFolder();
    const path = folder.file("chain.yaml");
    writeFileSync(
      path,
      "chain_name: F\nchain_id: FILE\nnative_fee_token_address: 0x1\nparent_fee_token_address: 0x2\nsequencer_address: 0x3\n",
    );
    const { chain } = await startedWith(["node", "--chain-config-path", path], environment);
    expect(chain.chainId).toBe("FILE");
  });

  test("an option without effect is logged", async () => {
    const { notices } = await startedWith(
      "sequencer --preset devnet --gas-price-poll 1s".split(" "),
    );
    expect(notices.map(({ message }) => message)).toEqual([
      expect.stringContaining("--gas-price-poll has no effect"),
    ]);
  });

  test("the exit code is the node's", async () => {
    expect((await run(["sequencer", "--preset", "devnet"], {}, 1)).code).toBe(1);
  });

  test("a runtime error exits with 1 and prints only its message", async () => {
    const err: string[] = [];
    const code = await main(["sequencer", "--preset", "devnet"], {
      ...processContext(new AbortController().signal),
      environment: {},
      err: (line) => err.push(line),
      startNode: () => Promise.reject(new StorageError("STORAGE_LOCKED", "the folder is in use")),
    });
    expect([code, err]).toEqual([1, ["error: the folder is in use"]]);
  });
});

describe("other commands", () => {
  test("bootstrap reports all wrong variables and exits with 2", async () => {
    const { code, err } = await run(["bootstrap"], { ETH_CHAIN_ID: "1", L1_WAIT_TIME: "x" });
    expect(code).toBe(2);
    expect(err.split("\n").map((line) => line.split(":")[0] ?? "")).toEqual([
      "error",
      "  ETH_PRIV_KEY",
      "  ROLLUP_PRIV_KEY",
      "  APP_CHAIN_ID",
      "  L1_WAIT_TIME",
      "  VERIFIER_ADDRESS",
      "  L1_MULTISIG_ADDRESS",
      "  L2_MULTISIG_ADDRESS",
    ]);
  });
});

import { describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import { gasPriceOptions } from "#test/helpers/options.ts";
import { run, startedWith } from "./run.ts";

const MAINNET = {
  feeder: "https://feeder.alpha-mainnet.starknet.io/feeder_gateway",
  gateway: "https://alpha-mainnet.starknet.io/gateway",
};
const LOCAL = {
  feeder: "http://localhost:8080/feeder_gateway",
  gateway: "http://localhost:8080/gateway",
};

const messagesOf = async (line: string): Promise<readonly string[]> =>
  (await startedWith(line.split(" "))).notices.map(({ message }) => message);

describe("a full node", () => {
  test("follows the configured gateway, and verifies hashes by default", async () => {
    const { follow, role } = await startedWith(["node", "--preset", "mainnet"]);
    expect(role).toBe("full");
    expect(follow).toMatchObject({
      store: null,
      gateways: [MAINNET],
      gatewayKeyFile: null,
      stopAt: null,
      verify: "hashes",
      trustsCasm: false,
    });
  });

  test.each(["sepolia", "integration"])("of %s has its gateways", async (preset) => {
    const { follow } = await startedWith(["node", "--preset", preset]);
    const host = preset === "sepolia" ? "alpha-sepolia" : "integration-sepolia";
    expect(follow?.gateways).toEqual([
      {
        feeder: `https://feeder.${host}.starknet.io/feeder_gateway`,
        gateway: `https://${host}.starknet.io/gateway`,
      },
    ]);
  });

  test("follows given gateways in order instead of the configured one", async () => {
    const more = "--gateway-url http://localhost:8080 --gateway-url https://b.example/path/";
    const { follow } = await startedWith(`node --preset mainnet ${more}`.split(" "));
    expect(follow?.gateways).toEqual([
      LOCAL,
      {
        feeder: "https://b.example/path/feeder_gateway",
        gateway: "https://b.example/path/gateway",
      },
    ]);
  });

  test.each(["http://localhost:8080/", "http://localhost:8080/feeder_gateway/", LOCAL.gateway])(
    "accepts %s as the address of both halves",
    async (url) => {
      const { follow } = await startedWith(["node", "--preset", "devnet", "--gateway-url", url]);
      expect(follow?.gateways).toEqual([LOCAL]);
    },
  );

  test.each([
    ["feeder_gateway_url=http://localhost:8080", [LOCAL]],
    ["gateway_url=http://localhost:8080/gateway", [LOCAL]],
    [
      "feeder_gateway_url=http://localhost:8080/other,gateway_url=http://g:1",
      [{ feeder: "http://localhost:8080/other", gateway: "http://g:1/gateway" }],
    ],
  ])("follows %s of the configuration", async (override, gateways) => {
    const argv = ["node", "--preset", "devnet", "--chain-config-override", override];
    expect((await startedWith(argv)).follow?.gateways).toEqual(gateways);
  });

  test("is refused without a gateway, with the option to set", async () => {
    const { code, err, started } = await run(["node", "--preset", "appchain"]);
    expect([code, started.length]).toEqual([2, 0]);
    expect(err).toContain("--gateway-url URL");
    expect(err).toContain("preset appchain");
  });

  test("is refused without a configuration, like a sequencer", async () => {
    const { code, err } = await run(["node", "--gateway-url", "http://localhost:8080"]);
    expect(code).toBe(2);
    expect(err).toContain("give --chain-config-path FILE or --preset NAME");
  });

  test("accepts its options", async () => {
    const more = "--gateway-key-file k --sync-stop-at 0 --verify execution --trust-casm";
    expect((await startedWith(`node --preset mainnet ${more}`.split(" "))).follow).toMatchObject({
      gatewayKeyFile: resolve("k"),
      stopAt: 0,
      verify: "execution",
      trustsCasm: true,
    });
  });

  test.each([
    ["node --preset devnet --gateway-url http://g:1", 60_000],
    ["node --preset devnet --gateway-url http://g:1 --source-grace 90s", 90_000],
    [
      "sequencer --preset appchain --standby --publish-gate s3://chain/x?endpoint=http://s:1&region=r --source-grace 2min",
      120_000,
    ],
  ])("with %s stays ready for %i ms without news of its source", async (line, graceMs) => {
    const { sourceGraceMs, notices } = await startedWith(line.split(" "));
    expect(sourceGraceMs).toBe(graceMs);
    expect(JSON.stringify(notices)).not.toContain("--source-grace");
  });

  test.each([
    ["--source-grace", "0s"],
    ["--source-grace", "25h"],
    ["--source-grace", "soon"],
    ["--gateway-url", "ftp://x"],
    ["--gateway-url", "localhost:8080"],
    ["--sync-stop-at", "-1"],
    ["--verify", "nothing"],
  ])("refuses %s %s", async (flag, value) => {
    const { code, err } = await run(["node", "--preset", "mainnet", flag, value]);
    expect([code, err]).toEqual([2, expect.stringContaining(`${flag}: expected`)]);
  });

  test("has none of the producer's features", async () => {
    const options = await startedWith(
      "node --preset devnet --gateway-url http://localhost:8080".split(" "),
    );
    const { devnet, devAccounts, gasPrices, chain } = options;
    expect([devnet, devAccounts, chain.genesis]).toEqual([null, null, null]);
    expect(gasPrices).toEqual(gasPriceOptions());
  });

  test("ignores producer options with a notice, and accepts a chain id", async () => {
    const line =
      "node --preset devnet --gateway-url http://localhost:8080 --chain-id MINE --dev-accounts 3 --l1-gas-price 7 --dump-path d";
    expect((await startedWith(line.split(" "))).chain.chainId).toBe("MINE");
    expect(await messagesOf(line)).toEqual([
      "--dev-accounts has no effect: a full node makes no blocks",
      "--dump-path has no effect: a full node makes no blocks",
      "--l1-gas-price has no effect: a full node makes no blocks",
    ]);
  });
});

test("a sequencer ignores full-node options, with a notice", async () => {
  const line = "sequencer --preset devnet --gateway-url http://localhost:8080 --verify execution";
  expect((await startedWith(line.split(" "))).follow).toBeNull();
  expect(await messagesOf(line)).toEqual([
    "--gateway-url has no effect: it applies only to full nodes",
    "--verify has no effect: it applies only to full nodes",
  ]);
});

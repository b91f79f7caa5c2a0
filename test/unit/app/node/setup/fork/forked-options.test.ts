import { describe, expect, test } from "bun:test";
import { forkedOptions, type ForkedNodeOptions } from "#app/node/setup/fork/forked-options.ts";
import { forkSetupOf } from "#app/node/setup/fork.ts";
import type { NodeOptions } from "#app/node/setup/node-options.ts";
import { ConfigError } from "#base/errors/index.ts";
import { defaultsOf, nodeOptions as declaredOptions } from "#app/options/index.ts";
import { type BlockHeader } from "#protocol/chain/index.ts";
import { loadChainConfig } from "#protocol/config/index.ts";
import { forkPin } from "#test/helpers/fork-origin.ts";
import { DEVNET_OPTIONS, nodeOptions } from "#test/helpers/node-options.ts";

const PRICES: BlockHeader["gasPrices"] = {
  l1Gas: { wei: 1_000n, fri: 30_000n },
  l1DataGas: { wei: 7n, fri: 211n },
  l2Gas: { wei: 3n, fri: 99n },
};

/** Options after a fork, with fields of the chain configuration that the operator sets. */
async function forked(
  {
    header = {},
    chainId,
  }: { readonly header?: Partial<BlockHeader>; readonly chainId?: string } = {},
  changed: Partial<NodeOptions> = {},
  overrides: readonly string[] = [],
): Promise<ForkedNodeOptions> {
  const { networkUrls: _alias, ...settings } = defaultsOf(declaredOptions.fork);
  const source = { preset: "devnet", role: "sequencer", overrides } as const;
  const { config: chain, changedFields } = await loadChainConfig(source);
  const fork = { ...settings, urls: ["https://u:p@node.example:8443/key?t=1"], changedFields };
  const options = await nodeOptions({ chain, devnet: DEVNET_OPTIONS, fork, ...changed });
  return forkedOptions({ ...options, fork }, forkPin({ gasPrices: PRICES, ...header }, chainId));
}

const codesOf = ({ notices }: NodeOptions): readonly string[] => notices.map(({ code }) => code);

describe("the configuration of a fork", () => {
  test("has chain id and protocol version of the origin", async () => {
    const { chain } = await forked({ header: { protocolVersion: "0.13.4" } });
    expect(chain).toMatchObject({ chainId: "ORIGIN", latestProtocolVersion: "0.13.4" });
  });

  test("has the fee tokens of the preset with the origin's chain id", async () => {
    const { config } = await loadChainConfig({ preset: "sepolia", role: "full" });
    const { chain } = await forked({ chainId: "SN_SEPOLIA" });
    expect(chain.nativeFeeTokenAddress).toBe(config.nativeFeeTokenAddress);
    expect(chain.parentFeeTokenAddress).toBe(config.parentFeeTokenAddress);
  });

  test("keeps fields that the operator sets", async () => {
    const { chain } = await forked({}, {}, [
      ...["chain_id=MINE", "native_fee_token_address=0x12", "latest_protocol_version=0.14.4"],
      "l2_gas_price.price=5",
    ]);
    expect(chain).toMatchObject({
      chainId: "MINE",
      nativeFeeTokenAddress: 0x12n,
      latestProtocolVersion: "0.14.4",
      l2GasPrice: { price: 5n },
    });
  });

  test("has the newest known version below one that the program lacks, with a warning", async () => {
    const options = await forked({ header: { protocolVersion: "0.99.1" } });
    expect(options.chain.latestProtocolVersion).toBe("0.14.4");
    expect(codesOf(options)).toContain("FORK_OTHER_VERSION");
    const between = await forked({ header: { protocolVersion: "0.13.2.7" } });
    expect(between.chain.latestProtocolVersion).toBe("0.13.2.1");
    expect(codesOf(await forked())).not.toContain("FORK_OTHER_VERSION");
  });

  test("is refused for a version older than all known ones", async () => {
    const old = forked({ header: { protocolVersion: "0.12.3" } });
    expect(old).rejects.toThrow(ConfigError);
    await Bun.sleep(0);
    await old.catch((error: unknown) => {
      expect(String(error)).toContain("the fork block has protocol version 0.12.3");
    });
  });
});

describe("the prices of a fork", () => {
  test("are those of the fork block", async () => {
    const { devnet, gasPrices, chain } = await forked();
    expect(devnet?.gasPrices).toEqual(PRICES);
    expect(gasPrices).toEqual({ l1GasPriceWei: 1_000n, blobGasPriceWei: 7n, strkPerEth: 30 });
    expect(chain.l2GasPrice).toEqual({ type: "fixed", price: 99n });
  });

  test("give way to options of a development chain, unit by unit", async () => {
    const own = { ...DEVNET_OPTIONS, gasPrices: { l1Gas: { wei: 5n }, l2Gas: {} } };
    const { devnet } = await forked({}, { devnet: own });
    expect(devnet?.gasPrices).toEqual({ ...PRICES, l1Gas: { wei: 5n, fri: 30_000n } });
  });

  test("give way to options of the chain", async () => {
    const given = { l1GasPriceWei: 5n, blobGasPriceWei: null, strkPerEth: null };
    const { devnet, gasPrices } = await forked({}, { gasPrices: given }, ["l2_gas_price.price=6"]);
    expect(devnet?.gasPrices).toEqual({ l1Gas: {}, l1DataGas: PRICES.l1DataGas, l2Gas: {} });
    expect(gasPrices).toEqual({ l1GasPriceWei: 5n, blobGasPriceWei: 7n, strkPerEth: 30 });
    const rate = { l1GasPriceWei: null, blobGasPriceWei: null, strkPerEth: 2 };
    const rated = await forked({}, { gasPrices: rate });
    expect(rated.devnet?.gasPrices).toEqual({ l1Gas: {}, l1DataGas: {}, l2Gas: {} });
    expect(rated.gasPrices).toEqual({ l1GasPriceWei: 1_000n, blobGasPriceWei: 7n, strkPerEth: 2 });
  });

  test("omit those that the fork block does not have", async () => {
    const none = { wei: 0n, fri: 0n };
    const { devnet } = await forked({ header: { gasPrices: { ...PRICES, l2Gas: none } } });
    expect(devnet?.gasPrices.l2Gas).toEqual({});
  });
});

describe("the notices of a fork", () => {
  test("warn of signatures that are valid on the origin, unless the chain id differs", async () => {
    expect(codesOf(await forked())).toContain("FORK_SAME_CHAIN_ID");
    expect(codesOf(await forked({}, {}, ["chain_id=MINE"]))).not.toContain("FORK_SAME_CHAIN_ID");
  });

  test("say that roots cover local changes alone", async () => {
    expect(codesOf(await forked())).toContain("FORK_LOCAL_ROOTS");
  });
});

test("the setup of threads contains no secrets of the URLs", async () => {
  const { fork } = await forked();
  const setup = forkSetupOf(fork, forkPin(), "/data/fork.db");
  expect(setup.origins).toEqual(["https://node.example:8443"]);
  expect(Bun.inspect(setup)).not.toMatch(/u:p|key|t=1/);
});

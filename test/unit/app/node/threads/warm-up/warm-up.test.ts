import { beforeAll, expect, test } from "bun:test";
import type { CairoVm } from "#engine/cairo/index.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import { fixedL1Prices } from "#app/node/setup/l1-prices.ts";
import { warmUp } from "#app/node/threads/warm-up/warm-up.ts";
import { type ChainConfig, loadChainConfig } from "#protocol/config/index.ts";
import { fakeHeader } from "#test/helpers/fake-chain.ts";
import { nonceState } from "#test/helpers/mempool-world.ts";
import { ORDINARY_SETUP } from "#test/helpers/node-setup.ts";
import { gasPriceOptions } from "#test/helpers/options.ts";

let config: ChainConfig;
beforeAll(async () => {
  ({ config } = await loadChainConfig({ preset: "devnet", role: "sequencer" }));
});

test("executes the fee token's class if it has a contract, unless warm-up is disabled", () => {
  const l1Prices = fixedL1Prices(gasPriceOptions());
  const files = nodeFiles("/nowhere", null);
  const setup: NodeSetup = {
    config,
    files,
    chargeFees: true,
    l1Prices,
    executionMemoryBytes: 1,
    ...ORDINARY_SETUP,
    warmUpTransfers: 1,
  };
  const loaded: bigint[] = [];
  const stateWith = (token: bigint, ofToken = 7n) => ({
    ...nonceState(),
    classHashAt: (address: bigint) => (address === token ? ofToken : 0n),
    executableClass(classHash: bigint) {
      loaded.push(classHash);
      return undefined;
    },
  });
  const info = { ...fakeHeader({ number: 1 }), protocolVersion: config.latestProtocolVersion };
  warmUp(setup, {} as CairoVm, stateWith(1n), info);
  expect(loaded).toEqual([]);
  warmUp(setup, {} as CairoVm, stateWith(config.nativeFeeTokenAddress), info);
  expect(new Set(loaded)).toEqual(new Set([7n]));
  loaded.length = 0;
  warmUp(setup, {} as CairoVm, stateWith(config.nativeFeeTokenAddress, 1n), info);
  expect(new Set(loaded)).toEqual(new Set([1n]));
  loaded.length = 0;
  const cold = { ...setup, warmUpTransfers: 0 };
  warmUp(cold, {} as CairoVm, stateWith(config.nativeFeeTokenAddress), info);
  expect(loaded).toEqual([]);
});

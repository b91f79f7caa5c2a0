import { fixedL1Prices } from "#app/node/setup/l1-prices.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import { prepareFolder } from "#app/node/storage/folder/prepare.ts";
import { loadChainConfig } from "#protocol/config/index.ts";
import { ORDINARY_SETUP } from "./node-setup.ts";
import { gasPriceOptions } from "./options.ts";

/** Creates a development chain with only block 0 in `folder`. @returns the setup of its threads */
export async function newChain(folder: string): Promise<NodeSetup> {
  const { config } = await loadChainConfig({ preset: "devnet", role: "sequencer" });
  const l1Prices = fixedL1Prices(gasPriceOptions());
  const files = nodeFiles(folder, null);
  const setup = {
    config,
    files,
    chargeFees: true,
    l1Prices,
    executionMemoryBytes: 2 ** 28,
    ...ORDINARY_SETUP,
  };
  const { folder: taken } = await prepareFolder(setup, null);
  taken.keep();
  taken.release();
  return setup;
}

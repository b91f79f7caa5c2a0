import { forkSetupOf } from "#app/node/setup/fork.ts";
import { fixedL1Prices } from "#app/node/setup/l1-prices.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import { ORDINARY_START } from "#app/node/storage/folder/folder-request.ts";
import { prepareFork } from "#app/node/storage/folder/prepare-fork.ts";
import { loadChainConfig } from "#protocol/config/index.ts";
import { forkPin, originWith } from "./fork-origin.ts";
import { ORDINARY_SETUP } from "./node-setup.ts";
import { ownSeed } from "./own-seed.ts";

/** Creates a data directory with the first block of a fork after `FORK_BLOCK`, with two accounts. */
export async function makeForkFolder(path: string): Promise<void> {
  const { config } = await loadChainConfig({ preset: "devnet", role: "sequencer" });
  const files = nodeFiles(path, null);
  const options = {
    urls: ["http://a.example"],
    timeoutMs: 1_000,
    concurrency: 1,
    maxLimitedBytes: 1 << 20,
  };
  const setup = {
    ...ORDINARY_SETUP,
    config,
    files,
    chargeFees: true,
    executionMemoryBytes: 768 * 2 ** 20,
    l1Prices: fixedL1Prices({ l1GasPriceWei: null, blobGasPriceWei: null, strkPerEth: null }),
    fork: forkSetupOf(options, forkPin(), files.forkDatabase),
  };
  const setBy = { count: null, seed: null, balance: null };
  const dev = { count: 2, seed: ownSeed(0n), balance: 5n, setBy };
  const prepared = await prepareFork(setup, dev, ORDINARY_START, originWith(forkPin()));
  prepared.folder.keep();
  prepared.folder.release();
}

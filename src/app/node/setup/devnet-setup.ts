import type { ChainReader } from "#engine/state/index.ts";
import { createImpersonationPage } from "#services/admission/index.ts";
import { createDevPage, DevEnvironment } from "#services/sequencer/index.ts";
import type { NodeOptions } from "./node-options.ts";
import type { NodeSetup } from "./setup.ts";

/** Development settings for the threads; `null` where the features are off. */
export function devnetSetup({ devnet }: Pick<NodeOptions, "devnet">): Pick<NodeSetup, "devnet"> {
  if (devnet === null) return { devnet: null };
  const { blocks, startTime, gasPrices } = devnet;
  const page = createDevPage(startTime, Date.now());
  new DevEnvironment(page).setPrices(gasPrices);
  const impersonation = createImpersonationPage();
  return { devnet: { page, impersonation, blocks, genesisTimestamp: startTime ?? 0 } };
}

/** Resumes the time of a development chain from its newest block, if it differs from the system's. */
export function resumeTime(
  { devnet }: NodeSetup,
  chain: Pick<ChainReader, "latestNumber" | "header">,
): void {
  const newest = chain.header(chain.latestNumber() ?? -1);
  if (devnet === null || newest === undefined) return;
  new DevEnvironment(devnet.page).resume(newest.timestamp, Date.now());
}

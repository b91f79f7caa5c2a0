import { afterAll, afterEach, beforeAll } from "bun:test";
import { type RunningChain, startChain, type StartOptions } from "./binary.ts";
import { type TemporaryFolder, temporaryFolder } from "./temporary-folder.ts";

/** Includes the build of the executable, which the first file may trigger. */
const START_TIMEOUT_MS = 120_000;

/** Start options of a chain in an existing folder. */
export type ChainOptions = Omit<StartOptions, "basePath">;

/** A chain with a separate folder. Its members are those of the latest process. */
export interface UsedChain extends RunningChain {
  readonly folder: TemporaryFolder;
  /** Starts the chain in its folder, also again: with the first options by default. */
  start(options?: ChainOptions): Promise<void>;
}

/** Options of the first start, or a function that prepares the folder and returns them. */
type FirstOptions =
  ChainOptions | ((folder: TemporaryFolder) => ChainOptions | Promise<ChainOptions>);

/**
 * A chain for the tests of the calling file or `describe`: it is started before them and stopped
 * after them.
 */
export function useChain(options: FirstOptions = {}): UsedChain {
  const chain = chainIn(temporaryFolder(), options);
  beforeAll(() => chain.start(), START_TIMEOUT_MS);
  afterAll(() => end(chain));
  return chain;
}

/** Like {@link useChain}, but the tests start it. */
export function useStoppedChain(options: FirstOptions = {}): UsedChain {
  const chain = chainIn(temporaryFolder(), options);
  afterAll(() => end(chain));
  return chain;
}

/**
 * Starts chains in single tests of the calling file or `describe`; they are stopped after the test.
 */
export function useChains(): (options?: FirstOptions) => Promise<UsedChain> {
  const chains: UsedChain[] = [];
  afterEach(async () => {
    await Promise.all(chains.splice(0).map(end));
  });
  return async (options = {}) => {
    const chain = chainIn(temporaryFolder(), options);
    chains.push(chain);
    await chain.start();
    return chain;
  };
}

function chainIn(folder: TemporaryFolder, first: FirstOptions): UsedChain {
  let made: ChainOptions | undefined;
  const chain = {
    folder,
    async start(options) {
      made ??= typeof first === "function" ? await first(folder) : first;
      Object.assign(chain, await startChain({ basePath: folder.path, ...(options ?? made) }));
    },
    // Placeholder until it runs.
    stop: () => Promise.resolve(0),
  } as UsedChain;
  return chain;
}

async function end(chain: UsedChain): Promise<void> {
  await chain.stop();
  chain.folder[Symbol.dispose]();
}

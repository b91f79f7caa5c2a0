import { afterAll, afterEach, beforeAll } from "bun:test";
import { type RunningChain, startChain, type StartOptions } from "./binary.ts";
import { type TemporaryFolder, temporaryFolder } from "./temporary-folder.ts";

/** A file may build its executable first. */
const START_TIMEOUT_MS = 120_000;

/** How a chain is started in a folder that is there. */
export type ChainOptions = Omit<StartOptions, "basePath">;

/** A chain with a folder of its own. Its members are those of the process that was started last. */
export interface UsedChain extends RunningChain {
  readonly folder: TemporaryFolder;
  /** Starts it in its folder, before or after another process: as the first time unless told otherwise. */
  start(options?: ChainOptions): Promise<void>;
}

/** How a chain is started the first time, or what prepares its folder and tells that. */
type FirstOptions =
  ChainOptions | ((folder: TemporaryFolder) => ChainOptions | Promise<ChainOptions>);

/**
 * A chain for the tests of the file, or of the `describe`, that calls this: it is started before them and
 * stopped after them.
 */
export function useChain(options: FirstOptions = {}): UsedChain {
  const chain = chainIn(temporaryFolder(), options);
  beforeAll(() => chain.start(), START_TIMEOUT_MS);
  afterAll(() => end(chain));
  return chain;
}

/** As {@link useChain}; the tests themselves start it. */
export function useStoppedChain(options: FirstOptions = {}): UsedChain {
  const chain = chainIn(temporaryFolder(), options);
  afterAll(() => end(chain));
  return chain;
}

/**
 * Starts chains in single tests of the file, or of the `describe`, that calls this; they are stopped after
 * the test.
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
    // Until it runs.
    stop: () => Promise.resolve(0),
  } as UsedChain;
  return chain;
}

async function end(chain: UsedChain): Promise<void> {
  await chain.stop();
  chain.folder[Symbol.dispose]();
}

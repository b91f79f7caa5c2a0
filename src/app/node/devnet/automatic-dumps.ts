import { existsSync } from "node:fs";
import {
  composeDump,
  decodeDump,
  type DevnetContext,
  type DumpAccess,
  dumpedMethods,
  genesisNumber,
  loadDump,
  type ServerContext,
} from "#api/rpc/index.ts";
import { ConfigError } from "#base/errors/index.ts";
import { describeError, type Logger } from "#base/telemetry/index.ts";
import type { Generation } from "../setup/renewal.ts";
import type { RemoteThreads } from "../production/remote-threads.ts";

/** Dumps after blocks use at most one part in this many of the main thread's time. */
const DUTY = 10;

/** Minimum pause between two dumps after blocks, in milliseconds. */
const MIN_PAUSE_MS = 100;

/** Dependencies of {@link AutomaticDumps}. */
export interface AutomaticDumpsDeps {
  /** Nothing is dumped without the developer methods. */
  readonly context: ServerContext | DevnetContext;
  readonly remote: Pick<RemoteThreads, "onGrowth">;
  readonly log: Logger;
  readonly nextBlock: number;
  /** A moved fork loads no dump, and the chain before the move is not dumped. */
  readonly generation: Pick<Generation<unknown>, "isRenewal" | "isReplaced">;
}

/** Loads and writes the file of `--dump-path` without a request. */
export class AutomaticDumps {
  #atEnd: (() => Promise<void>) | undefined;

  /**
   * @param disposables - dumps when the node stops. Pass it before the parts that change the chain are added,
   *   so that they stop first
   */
  constructor(disposables: Pick<AsyncDisposableStack, "defer">) {
    disposables.defer(() => this.#atEnd?.());
  }

  /**
   * Loads the file into an empty chain, then dumps as `--dump-on` says.
   *
   * @throws {ConfigError} when the file cannot be loaded; it stays unchanged
   */
  async start(started: AutomaticDumpsDeps): Promise<void> {
    const { context, remote, log, nextBlock, generation } = started;
    if (!("devnet" in context)) return;
    const { dumps } = context.devnet;
    if (dumps.path === null) return;
    const { path, on } = dumps;
    if (existsSync(path) && !generation.isRenewal) {
      if (nextBlock > genesisNumber(context.devnet) + 1) {
        log.warn("the dump is not loaded: the data directory has a chain, which continues", {
          path,
        });
      } else {
        await loadAtStart(context, dumps, path);
        log.info("dump loaded", { path, newest_block: context.chain.latestNumber() ?? 0 });
      }
    }
    const write = async (): Promise<void> => {
      if (!generation.isReplaced) await writeDump(context, dumps, path, log);
    };
    if (on === "exit" || on === "block") this.#atEnd = write;
    if (on === "block") followBlocks(remote, write, () => context.chain.latestNumber());
  }
}

async function loadAtStart(context: DevnetContext, dumps: DumpAccess, path: string): Promise<void> {
  try {
    const dump = decodeDump(await dumps.read(path));
    await loadDump({ context, dumps, find: dumpedMethods }, dump, true);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "unknown reason";
    throw new ConfigError(`--dump-path ${path}: ${reason}`, [], { cause });
  }
}

async function writeDump(
  context: DevnetContext,
  dumps: DumpAccess,
  path: string,
  log: Logger,
): Promise<void> {
  try {
    const text = await composeDump(context, dumps);
    if (text !== "[]") dumps.write(path, text);
  } catch (error) {
    log.error("the chain was not dumped", { path, reason: describeError(error) });
  }
}

/** Writes a dump after each block, or after several blocks if writing takes long. */
function followBlocks(
  remote: Pick<RemoteThreads, "onGrowth">,
  write: () => Promise<void>,
  newest: () => number | undefined,
): void {
  let written = newest();
  let isBusy = false;
  const look = async (): Promise<void> => {
    if (isBusy || newest() === written) return;
    isBusy = true;
    written = newest();
    const startedMs = performance.now();
    await write();
    const pauseMs = Math.max(MIN_PAUSE_MS, (performance.now() - startedMs) * (DUTY - 1));
    setTimeout(() => {
      isBusy = false;
      void look();
    }, pauseMs).unref();
  };
  remote.onGrowth(() => void look());
}

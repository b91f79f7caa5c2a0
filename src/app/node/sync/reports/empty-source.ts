import type { Logger } from "#base/telemetry/index.ts";
import type { SourceName } from "../../setup/follow.ts";
import { MAX_SILENCE_MS } from "./gateway-silence.ts";

/** What a source without blocks is logged with. */
export interface EmptySourceDeps {
  readonly log: Logger;
  readonly sourceName: SourceName;
  readonly nowMs: () => number;
}

/** Logs a source that says it has no block although this node has blocks of it. */
export class EmptySource {
  readonly #deps: EmptySourceDeps;
  #sinceMs: number | undefined;
  #isSaid = false;

  constructor(deps: EmptySourceDeps) {
    this.#deps = deps;
  }

  /**
   * Records the source's newest block.
   *
   * @param blockNumber - `null`: it says that it has none
   * @param hasBlocks - whether a block is stored here
   * @returns writes a line of the log, if one is due
   */
  told(blockNumber: number | null, hasBlocks: boolean): (() => void) | undefined {
    const { log, sourceName, nowMs } = this.#deps;
    if (blockNumber !== null || !hasBlocks) {
      const wasSaid = this.#isSaid;
      this.#sinceMs = undefined;
      this.#isSaid = false;
      return wasSaid ? () => log.info(`${sourceName} has blocks again`) : undefined;
    }
    this.#sinceMs ??= nowMs();
    if (this.#isSaid || nowMs() - this.#sinceMs < MAX_SILENCE_MS) return undefined;
    this.#isSaid = true;
    return () => log.warn(`${sourceName} says that it has no block: the node keeps its own`);
  }
}

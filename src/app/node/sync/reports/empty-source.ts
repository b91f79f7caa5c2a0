import type { Logger } from "#base/telemetry/index.ts";
import type { SourceName } from "../../setup/follow.ts";
import { MAX_SILENCE_MS } from "./gateway-silence.ts";

/** Dependencies of {@link EmptySource}. */
export interface EmptySourceDeps {
  readonly log: Logger;
  readonly sourceName: SourceName;
  readonly nowMs: () => number;
}

/** Logs a source that claims to have no block although this node has blocks from it. */
export class EmptySource {
  readonly #deps: EmptySourceDeps;
  #sinceMs: number | undefined;
  #isLogged = false;

  constructor(deps: EmptySourceDeps) {
    this.#deps = deps;
  }

  /**
   * Records the source's newest block.
   *
   * @param blockNumber - `null` if the source reports none
   * @param hasBlocks - whether this node has stored a block
   * @returns a function that writes the log line, if one is due
   */
  reported(blockNumber: number | null, hasBlocks: boolean): (() => void) | undefined {
    const { log, sourceName, nowMs } = this.#deps;
    if (blockNumber !== null || !hasBlocks) {
      const wasLogged = this.#isLogged;
      this.#sinceMs = undefined;
      this.#isLogged = false;
      return wasLogged ? () => log.info(`${sourceName} has blocks again`) : undefined;
    }
    this.#sinceMs ??= nowMs();
    if (this.#isLogged || nowMs() - this.#sinceMs < MAX_SILENCE_MS) return undefined;
    this.#isLogged = true;
    return () => log.warn(`${sourceName} reports no blocks: the node keeps its blocks`);
  }
}

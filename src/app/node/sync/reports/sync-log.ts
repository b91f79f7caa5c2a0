import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { loggable, type Logger } from "#base/telemetry/index.ts";
import type { AcceptedMessage } from "#services/sequencer/index.ts";
import type { GatewayRequestEnded, SyncRefusal } from "#services/sync/index.ts";
import type { SourceName } from "../../setup/follow.ts";
import { DroppedPreConfirmed } from "./dropped-pre-confirmed.ts";
import { EmptySource } from "./empty-source.ts";
import { GatewaySilence } from "./gateway-silence.ts";
import type { TerminalLine } from "./terminal-line.ts";

/** Interval between log lines about the progress of sync, in milliseconds. */
export const PROGRESS_EVERY_MS = 60_000;

/** Window in which blocks per second are measured. */
const PACE_MS = 30_000;

/** Maximum distinct refusals logged in a row: a gateway may invent new errors endlessly. */
export const MAX_REFUSALS = 16;

/** Dependencies of {@link SyncLog}. */
export interface SyncLogDeps {
  readonly log: Logger;
  /** Shows sync progress continuously on a terminal. */
  readonly line: TerminalLine;
  readonly sourceName: SourceName;
  readonly nowMs: () => number;
}

/** Logs how a full node follows its chain. */
export class SyncLog {
  readonly #deps: SyncLogDeps;
  readonly #silence: GatewaySilence;
  readonly #emptySource: EmptySource;
  readonly #dropped: DroppedPreConfirmed;
  #isCatchingUp = true;
  #nextLineMs: number;
  /** Start of the current measurement. */
  #pace: { readonly atMs: number; readonly blockNumber: number } | undefined;
  #blocksPerSecond = 0;
  /** Refusals logged since the last accepted block: two gateways may be refused alternately. */
  readonly #refused = new Set<string>();

  constructor(deps: SyncLogDeps) {
    this.#deps = deps;
    this.#silence = new GatewaySilence(deps);
    this.#emptySource = new EmptySource(deps);
    this.#dropped = new DroppedPreConfirmed(deps);
    this.#nextLineMs = deps.nowMs() + PROGRESS_EVERY_MS;
  }

  /**
   * Logs a stored block; at debug level while catching up.
   *
   * @param highest - newest block reported by a gateway; `undefined` until the first report
   */
  imported(block: AcceptedMessage, highest: number | undefined): void {
    const { log, line } = this.#deps;
    const { blockNumber, blockHash, transactionCount, commitSeconds } = block;
    if (!this.#isCatchingUp) line.clear();
    log[this.#isCatchingUp ? "debug" : "info"](`block ${blockNumber} imported`, {
      hash: hexFromFelt(blockHash),
      transactions: transactionCount,
      commit_ms: Math.round(commitSeconds * 1000),
    });
    this.#count(blockNumber);
    if (this.#isCatchingUp && highest !== undefined) this.#progress(blockNumber, highest);
  }

  /** Logs the first key that the gateway reported, which blocks are checked with from now on. */
  keyPinned(publicKey: Felt): void {
    const { log, line, sourceName } = this.#deps;
    line.clear();
    const whose = `the key that signs blocks comes from ${sourceName} without verification`;
    log.warn(`${whose}: it is stored, and no other one is accepted`, {
      public_key: hexFromFelt(publicKey),
    });
  }

  /** Logs when the node falls behind or has caught up. */
  caughtUp(isCaughtUp: boolean, blockNumber: number): void {
    if (isCaughtUp !== this.#isCatchingUp) return;
    const { log, line, nowMs } = this.#deps;
    this.#isCatchingUp = !isCaughtUp;
    this.#nextLineMs = nowMs() + PROGRESS_EVERY_MS;
    line.clear();
    if (isCaughtUp) log.info("caught up with the chain", { block: blockNumber });
    else log.info("behind the chain", { block: blockNumber });
  }

  /** Logs when a gateway stops responding, and when it recovers. */
  requested(requested: GatewayRequestEnded): void {
    this.#say(this.#silence.requested(requested));
  }

  /** As {@link EmptySource.reported}. */
  sourceHead(blockNumber: number | null, hasBlocks: boolean): void {
    this.#say(this.#emptySource.reported(blockNumber, hasBlocks));
  }

  /** Logs a wrong pre-confirmed block that was dropped. */
  preConfirmedDropped(refusal: SyncRefusal): void {
    this.#say(this.#dropped.dropped(refusal));
  }

  /** Logs what is wrong with the next block, each refusal once; `null` if a block was accepted. */
  refused(refusal: SyncRefusal | null): void {
    const { log, line, sourceName } = this.#deps;
    if (refusal === null) {
      if (this.#refused.size === 0) return;
      this.#refused.clear();
      line.clear();
      log.info("blocks are accepted again");
      return;
    }
    const { check, blockNumber, message } = refusal;
    const refusalKey = `${check} ${blockNumber} ${message}`;
    if (this.#refused.has(refusalKey) || this.#refused.size >= MAX_REFUSALS) return;
    this.#refused.add(refusalKey);
    line.clear();
    const what = blockNumber === null ? `${sourceName} is` : `block ${blockNumber} is`;
    log.error(`${what} refused: the node stays at its newest block and retries`, {
      check,
      reason: loggable(message),
    });
  }

  #say(line: (() => void) | undefined): void {
    if (line === undefined) return;
    this.#deps.line.clear();
    line();
  }

  #count(blockNumber: number): void {
    const atMs = this.#deps.nowMs();
    const begin = this.#pace;
    if (begin === undefined || blockNumber <= begin.blockNumber) {
      this.#pace = { atMs, blockNumber };
      return;
    }
    const tookMs = atMs - begin.atMs;
    if (tookMs > 0) this.#blocksPerSecond = ((blockNumber - begin.blockNumber) * 1000) / tookMs;
    if (tookMs >= PACE_MS) this.#pace = { atMs, blockNumber };
  }

  #progress(blockNumber: number, highest: number): void {
    const { log, line, nowMs } = this.#deps;
    const left = Math.max(0, highest - blockNumber);
    const pace = this.#blocksPerSecond.toFixed(1);
    const eta = this.#blocksPerSecond > 0 ? durationText(left / this.#blocksPerSecond) : "unknown";
    line.say(`block ${blockNumber} of ${highest}, ${pace} blocks/s, ${eta} left`);
    if (nowMs() < this.#nextLineMs) return;
    this.#nextLineMs = nowMs() + PROGRESS_EVERY_MS;
    line.clear();
    log.info(`block ${blockNumber} imported`, { highest, blocks_per_s: Number(pace), eta });
  }
}

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** Formats a duration, cut to one or two units: `42 s`, `7 min`, `3 h 20 min`, `2 d 5 h`. */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < MINUTE) return `${whole} s`;
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} min`;
  if (whole < DAY) {
    return `${Math.floor(whole / HOUR)} h ${Math.floor((whole % HOUR) / MINUTE)} min`;
  }
  return `${Math.floor(whole / DAY)} d ${Math.floor((whole % DAY) / HOUR)} h`;
}

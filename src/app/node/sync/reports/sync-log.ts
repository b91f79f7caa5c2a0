import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { loggable, type Logger } from "#base/telemetry/index.ts";
import type { AcceptedMessage } from "#services/sequencer/index.ts";
import type { GatewayAsked, SyncRefusal } from "#services/sync/index.ts";
import type { SourceName } from "../../setup/follow.ts";
import { DroppedPreConfirmed } from "./dropped-pre-confirmed.ts";
import { EmptySource } from "./empty-source.ts";
import { GatewaySilence } from "./gateway-silence.ts";
import type { TerminalLine } from "./terminal-line.ts";

/** How often a line of the log says how far catching up is. */
export const PROGRESS_EVERY_MS = 60_000;

/** Over which time blocks a second are counted. */
const PACE_MS = 30_000;

/** Refusals that are said until blocks are taken again: a gateway may think of a new lie each time. */
export const MAX_REFUSALS = 16;

/** What the log of following a chain works with. */
export interface SyncLogDeps {
  readonly log: Logger;
  /** On a terminal it says how far catching up is, all the time. */
  readonly line: TerminalLine;
  readonly sourceName: SourceName;
  readonly nowMs: () => number;
}

/** Tells the log how a full node follows its chain. */
export class SyncLog {
  readonly #deps: SyncLogDeps;
  readonly #silence: GatewaySilence;
  readonly #emptySource: EmptySource;
  readonly #dropped: DroppedPreConfirmed;
  #isCatchingUp = true;
  #nextLineMs: number;
  /** Where the pace began to be counted. */
  #pace: { readonly atMs: number; readonly blockNumber: number } | undefined;
  #blocksPerSecond = 0;
  /** What was said since blocks were taken last: two gateways may be refused in turns. */
  readonly #refused = new Set<string>();

  constructor(deps: SyncLogDeps) {
    this.#deps = deps;
    this.#silence = new GatewaySilence(deps);
    this.#emptySource = new EmptySource(deps);
    this.#dropped = new DroppedPreConfirmed(deps);
    this.#nextLineMs = deps.nowMs() + PROGRESS_EVERY_MS;
  }

  /**
   * A block is stored. Each has a line, while catching up for details only.
   *
   * @param highest - newest block that a gateway told of; `undefined`: none yet
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

  /** The key that the gateway told first, and that blocks are checked with from now on. */
  keyPinned(publicKey: Felt): void {
    const { log, line, sourceName } = this.#deps;
    line.clear();
    const whose = `the key that signs blocks is the word of ${sourceName}`;
    log.warn(`${whose}: it is kept, and no other is taken`, { public_key: hexFromFelt(publicKey) });
  }

  /** The node is behind, or not any more. */
  caughtUp(isCaughtUp: boolean, blockNumber: number): void {
    if (isCaughtUp !== this.#isCatchingUp) return;
    const { log, line, nowMs } = this.#deps;
    this.#isCatchingUp = !isCaughtUp;
    this.#nextLineMs = nowMs() + PROGRESS_EVERY_MS;
    line.clear();
    if (isCaughtUp) log.info("caught up with the chain", { block: blockNumber });
    else log.info("behind the chain", { block: blockNumber });
  }

  /** A gateway was asked: its silence is said, and its end. */
  asked(asked: GatewayAsked): void {
    this.#say(this.#silence.asked(asked));
  }

  /** As {@link EmptySource.told}. */
  sourceHead(blockNumber: number | null, hasBlocks: boolean): void {
    this.#say(this.#emptySource.told(blockNumber, hasBlocks));
  }

  /** A pre-confirmed block is wrong and was dropped. */
  preConfirmedDropped(refusal: SyncRefusal): void {
    this.#say(this.#dropped.dropped(refusal));
  }

  /** What of the next block is not as it should be, once each; `null`: it has come in order. */
  refused(refusal: SyncRefusal | null): void {
    const { log, line, sourceName } = this.#deps;
    if (refusal === null) {
      if (this.#refused.size === 0) return;
      this.#refused.clear();
      line.clear();
      log.info("blocks are taken again");
      return;
    }
    const { check, blockNumber, message } = refusal;
    const said = `${check} ${blockNumber} ${message}`;
    if (this.#refused.has(said) || this.#refused.size >= MAX_REFUSALS) return;
    this.#refused.add(said);
    line.clear();
    const what = blockNumber === null ? `${sourceName} is` : `block ${blockNumber} is`;
    log.error(`${what} refused: the node stays at its newest block and asks again`, {
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

/** A time as people say it: two units at the most. */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < MINUTE) return `${whole} s`;
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} min`;
  if (whole < DAY) {
    return `${Math.floor(whole / HOUR)} h ${Math.floor((whole % HOUR) / MINUTE)} min`;
  }
  return `${Math.floor(whole / DAY)} d ${Math.floor((whole % DAY) / HOUR)} h`;
}

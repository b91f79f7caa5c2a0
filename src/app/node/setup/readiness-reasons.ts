import type { SyncRefusal } from "#services/sync/index.ts";
import type { SourceName } from "./follow.ts";

/**
 * All reasons of a role for which `/ready` answers 503, except missing blocks, which depend on the request.
 * Each is `undefined` if it does not apply.
 */
export interface ReadinessReasons {
  /** A thread makes no progress: see {@link stalledText}. */
  readonly stall: string | undefined;
  /** The network that the chain was forked from does not respond. */
  readonly fork: string | undefined;
  /** L1 contradicts the chain. */
  readonly l1: string | undefined;
  /** A block cannot be published: see {@link unpublishedText}. */
  readonly publication: string | undefined;
  /**
   * The followed source has a problem: {@link refusedText}, {@link silentText}, {@link missingText},
   * {@link unknownHeadText}.
   */
  readonly source: string | undefined;
}

/** Returns the reason for `/ready`: the one closest to the machine, since others may follow from it. */
export function readinessReason({
  stall,
  fork,
  l1,
  publication,
  source,
}: ReadinessReasons): string | undefined {
  return stall ?? fork ?? l1 ?? publication ?? source;
}

/** Reason: a thread has made no progress. */
export function stalledText(thread: string, silentMs: number): string {
  return `the ${thread} thread has made no progress for ${seconds(silentMs)}: the disk may hang, or the machine be overloaded`;
}

/** Reason: a committed block waits for the object store. */
export function unpublishedText(blockNumber: number, waitedMs: number, cause: string): string {
  return `block ${blockNumber} has been waiting for ${seconds(waitedMs)} to be published: ${cause}`;
}

/** Reason: a check has refused data of the source. */
export function refusedText(
  { check, blockNumber, message }: SyncRefusal,
  source: SourceName,
): string {
  const what = blockNumber === null ? source : `block ${blockNumber}`;
  return `${what} is refused (${check}): ${message}`;
}

/** Reason: no source has reported its newest block for a while. */
export function silentText(source: SourceName, silentMs: number): string {
  return `${NONE[source]} reported its newest block for ${seconds(silentMs)}`;
}

/** Reason: the next block has not arrived for a while although the source has it. */
export function missingText(
  blockNumber: number,
  waitedMs: number,
  { source, highest }: { readonly source: SourceName; readonly highest: number },
): string {
  return `block ${blockNumber} has not arrived for ${seconds(waitedMs)}, ${source} has blocks up to ${highest}`;
}

/** Reason: no source has reported its newest block since the start. */
export function unknownHeadText(source: SourceName): string {
  return `${NONE[source]} reported a block yet`;
}

/** Subjects of the texts; there may be several gateways, none of which responds. */
const NONE: Readonly<Record<SourceName, string>> = {
  "the gateway": "no gateway has",
  "the store": "the store has not",
};

function seconds(ms: number): string {
  return `${Math.floor(ms / 1000)} s`;
}

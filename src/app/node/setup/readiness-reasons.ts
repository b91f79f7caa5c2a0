import type { SyncRefusal } from "#services/sync/index.ts";
import type { SourceName } from "./follow.ts";

/**
 * Every reason of a role for which `/ready` answers 503, apart from missing blocks, which depend on the
 * request. Each is `undefined` where it does not apply.
 */
export interface ReadinessReasons {
  /** A thread makes no progress: see {@link stalledText}. */
  readonly stall: string | undefined;
  /** L1 contradicts the chain. */
  readonly l1: string | undefined;
  /** A block cannot be published: see {@link unpublishedText}. */
  readonly publication: string | undefined;
  /** Something is wrong with what the node follows: {@link refusedText}, {@link silentText},
   * {@link missingText}, {@link unknownHeadText}. */
  readonly source: string | undefined;
}

/** The reason that `/ready` reports: the one nearest to the machine, as the others may follow from it. */
export function readinessReason({
  stall,
  l1,
  publication,
  source,
}: ReadinessReasons): string | undefined {
  return stall ?? l1 ?? publication ?? source;
}

/** A thread has made no progress for so long. */
export function stalledText(thread: string, silentMs: number): string {
  return `the ${thread} thread has made no progress for ${seconds(silentMs)}: the disk may hang, or the machine be overloaded`;
}

/** A committed block waits for the object store. */
export function unpublishedText(blockNumber: number, waitedMs: number, cause: string): string {
  return `block ${blockNumber} has been waiting for ${seconds(waitedMs)} to be published: ${cause}`;
}

/** A check has refused what the source has. */
export function refusedText(
  { check, blockNumber, message }: SyncRefusal,
  source: SourceName,
): string {
  const what = blockNumber === null ? source : `block ${blockNumber}`;
  return `${what} is refused (${check}): ${message}`;
}

/** No source has told its newest block for so long. */
export function silentText(source: SourceName, silentMs: number): string {
  return `${NONE[source]} told its newest block for ${seconds(silentMs)}`;
}

/** The next block has not come for so long although the source has it. */
export function missingText(
  blockNumber: number,
  waitedMs: number,
  { source, highest }: { readonly source: SourceName; readonly highest: number },
): string {
  return `block ${blockNumber} has not come for ${seconds(waitedMs)}, ${source} has blocks up to ${highest}`;
}

/** No source has named its newest block since the start. */
export function unknownHeadText(source: SourceName): string {
  return `${NONE[source]} told of a block yet`;
}

/** There may be several gateways, of which none answers. */
const NONE: Readonly<Record<SourceName, string>> = {
  "the gateway": "no gateway has",
  "the store": "the store has not",
};

function seconds(ms: number): string {
  return `${Math.floor(ms / 1000)} s`;
}

import type { StateReader } from "#engine/state/index.ts";
import type { ExecutionRecord, MempoolStore } from "#io/storage/index.ts";
import type { MempoolService } from "./mempool-service.ts";
import type { MessageSuspicion, SuspectMessages } from "./suspect-messages.ts";
import { isCounting } from "./rejection-reasons.ts";

/** What a journal tells of a crash. */
export interface CrashRecord {
  /** @returns `undefined` when nothing was under way at the last stop */
  read(): ExecutionRecord | undefined;
  /** Forgets it, durably. */
  clear(): void;
}

/** What was under way at the last stop, by the kind of work. */
export interface CrashRecords {
  readonly executed: CrashRecord;
  readonly committed: CrashRecord;
  /** Of each thread that validated. */
  readonly validated: readonly CrashRecord[];
}

/**
 * Restores what was received before the last stop, with what the journals say about that stop.
 *
 * @param state - the state on which execution goes on
 * @returns what the executor has to know; `undefined`: nothing
 */
export async function reloadMempool(
  { executed, committed, validated }: CrashRecords,
  mempool: MempoolService,
  suspects: SuspectMessages,
  store: Pick<MempoolStore, "sync">,
  state: StateReader,
): Promise<MessageSuspicion | undefined> {
  const executedLast = executed.read();
  const committedLast = committed.read();
  mempool.reload(state, executedLast, committedLast);
  const suspicion = suspects.reload(executedLast, committedLast);
  for (const { read } of validated) mempool.noteValidation(read());
  // The journals may forget what the mempool's store is sure of.
  await store.sync();
  if (!isCounting(executedLast)) executed.clear();
  if (!isCounting(committedLast)) committed.clear();
  for (const { clear } of validated) clear();
  return suspicion;
}

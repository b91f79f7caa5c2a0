import type { StateReader } from "#engine/state/index.ts";
import type { ExecutionRecord, MempoolStore } from "#io/storage/index.ts";
import type { MempoolService } from "./mempool-service.ts";
import type { MessageSuspicion, SuspectMessages } from "./suspect-messages.ts";
import { isCounting } from "./rejection-reasons.ts";

/** A thread's crash journal. */
export interface CrashRecord {
  /** @returns `undefined` when nothing was in progress at the last stop */
  read(): ExecutionRecord | undefined;
  /** Deletes the record, durably. */
  clear(): void;
}

/** Work in progress at the last stop, by kind. */
export interface CrashRecords {
  readonly executed: CrashRecord;
  readonly committed: CrashRecord;
  /** One for each validating thread. */
  readonly validated: readonly CrashRecord[];
}

/**
 * Restores what was received before the last stop, taking the crash journals into account.
 *
 * @param state - the state on which execution continues
 * @returns suspect messages for the executor; `undefined` when none
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
  // Journal entries that are durable in the mempool store can be deleted.
  await store.sync();
  if (!isCounting(executedLast)) executed.clear();
  if (!isCounting(committedLast)) committed.clear();
  for (const { clear } of validated) clear();
  return suspicion;
}

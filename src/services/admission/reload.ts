import type { StateReader } from "#engine/state/index.ts";
import { clearExecutionRecord, type MempoolStore, readExecutionRecord } from "#io/storage/index.ts";
import type { MempoolService } from "./mempool-service.ts";
import { isCounting } from "./rejection-reasons.ts";

/** Paths of the journals that tell of a death. */
export interface JournalFiles {
  readonly executionJournal: string;
  readonly commitJournal: string;
  readonly validationJournal: string;
}

/**
 * Takes back what was received before the last stop, with what the journals say about that stop.
 *
 * @param state - the state on which execution goes on
 */
export async function reloadMempool(
  { executionJournal, commitJournal, validationJournal }: JournalFiles,
  mempool: MempoolService,
  store: Pick<MempoolStore, "sync">,
  state: StateReader,
): Promise<void> {
  const executed = readExecutionRecord(executionJournal);
  const committed = readExecutionRecord(commitJournal);
  mempool.reload(state, executed, committed);
  mempool.noteValidation(readExecutionRecord(validationJournal));
  // The journals may forget what the mempool's store is sure of.
  await store.sync();
  if (!isCounting(executed)) clearExecutionRecord(executionJournal);
  if (!isCounting(committed)) clearExecutionRecord(commitJournal);
  clearExecutionRecord(validationJournal);
}

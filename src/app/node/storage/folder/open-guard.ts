import { ExecutionJournal, readExecutionRecord } from "#io/storage/index.ts";
import { ExecutionGuard } from "#services/admission/index.ts";

/** Execution guard of a thread, with its journal. */
export interface OpenGuard {
  readonly guard: ExecutionGuard;
  /** Closes the journal. */
  readonly close: () => void;
}

/**
 * Opens a thread's journal. The guard gets the record of the work in progress at the last stop.
 *
 * @param path - the thread's journal
 * @param onBegin - called before each transaction and block that the thread processes
 * @throws {StorageError} when the file cannot be read or written
 */
export function openGuard(path: string, onBegin: () => void): OpenGuard {
  const last = readExecutionRecord(path);
  const journal = new ExecutionJournal(path);
  const noted = {
    begin(...work: Parameters<ExecutionJournal["begin"]>): void {
      onBegin();
      journal.begin(...work);
    },
    end: () => journal.end(),
    died: (cause: string) => journal.died(cause),
  };
  return { guard: new ExecutionGuard(noted, last), close: () => journal.close() };
}

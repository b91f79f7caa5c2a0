import { ExecutionJournal, readExecutionRecord } from "#io/storage/index.ts";
import { ExecutionGuard } from "#services/admission/index.ts";

/** The guard of what a thread works on, with the journal that it writes. */
export interface OpenGuard {
  readonly guard: ExecutionGuard;
  /** Closes the journal. */
  readonly close: () => void;
}

/**
 * Opens a thread's journal. What it was working on at the last stop is known to the guard.
 *
 * @param path - the thread's journal
 * @param onBegin - called before each transaction and block that the thread works on
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

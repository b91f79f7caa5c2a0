import { type NodeError, StorageError } from "#errors/index.ts";
import type { Felt } from "#primitives/index.ts";
import { ExecutionJournal } from "#storage/index.ts";
import { describeError } from "#telemetry/index.ts";

/**
 * Executes or validates with a record of what it works on, so that a transaction that ends the thread
 * or the whole process is known at the next start.
 */
export class ExecutionGuard {
  readonly #journal: Pick<ExecutionJournal, "begin" | "end" | "died">;
  #attempt = 1;

  constructor(journal: Pick<ExecutionJournal, "begin" | "end" | "died">) {
    this.#journal = journal;
  }

  /** To be called before each transaction, within {@link run}. */
  beforeTransaction(hash: Felt): void {
    this.#journal.begin(hash, this.#attempt);
  }

  /**
   * Runs a batch. What it throws is blamed on the transaction that is being executed, save for a
   * database that fails.
   *
   * @throws whatever `work` throws
   */
  run<T>(attempt: number, work: () => T): T {
    this.#attempt = attempt;
    try {
      const result = work();
      this.#journal.end();
      return result;
    } catch (error) {
      if (error instanceof StorageError) this.#journal.end();
      else this.#journal.died(describeError(error));
      throw error;
    }
  }
}

/**
 * Blames what a thread was working on when it ended by itself. A journal that can not be written leaves
 * a suspect behind instead.
 *
 * @param path - the thread's journal
 */
export function blameForDeath(path: string, error: NodeError): void {
  try {
    const journal = new ExecutionJournal(path);
    journal.died(describeError(error));
    journal.close();
  } catch (failure) {
    if (!(failure instanceof StorageError)) throw failure;
  }
}

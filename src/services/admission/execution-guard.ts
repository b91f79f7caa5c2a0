import { type NodeError, StorageError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { ExecutionJournal, type ExecutionRecord, UNNAMED } from "#io/storage/index.ts";
import { describeError } from "#base/telemetry/index.ts";

/**
 * Executes, validates or makes blocks with a record of what it works on, so that a transaction that
 * ends the thread or the whole process is known at the next start. Work on several transactions
 * together is recorded without a name; how often the process died of it in a row is counted.
 */
export class ExecutionGuard {
  readonly #journal: Pick<ExecutionJournal, "begin" | "end" | "died">;
  #attempt = 1;
  #unnamedCrashes: number;

  /** @param last - what the journal said at the start */
  constructor(journal: Pick<ExecutionJournal, "begin" | "end" | "died">, last?: ExecutionRecord) {
    this.#journal = journal;
    this.#unnamedCrashes = last?.hash === UNNAMED && last.cause === null ? last.attempt : 0;
  }

  /** To be called before each transaction, within {@link run}. */
  beforeTransaction(hash: Felt): void {
    this.#journal.begin(hash, this.#attempt);
  }

  /** To be called before work on transactions of one block together, within {@link run}. */
  beforeBlock(hashes: readonly Felt[]): void {
    const [first] = hashes;
    if (first !== undefined && hashes.length === 1) this.#journal.begin(first, this.#attempt);
    else this.#journal.begin(UNNAMED, this.#unnamedCrashes + 1);
  }

  /** Makes a block of transactions, or a part of that, in the way of {@link run}. */
  runBlock<T>(attempt: number, hashes: readonly Felt[], work: () => T): T {
    const result = this.run(attempt, () => {
      this.beforeBlock(hashes);
      return work();
    });
    this.#unnamedCrashes = 0;
    return result;
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
 * Blames what a thread was working on when it ended by itself. A journal that cannot be written leaves
 * a quarantined transaction behind instead.
 *
 * @param path - the thread's journal
 */
export function blameForCrash(path: string, error: NodeError): void {
  try {
    const journal = new ExecutionJournal(path);
    journal.died(describeError(error));
    journal.close();
  } catch (failure) {
    if (!(failure instanceof StorageError)) throw failure;
  }
}

import { type NodeError, OriginError, StorageError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { ExecutionJournal, type ExecutionRecord, UNNAMED } from "#io/storage/index.ts";
import { describeError } from "#base/telemetry/index.ts";

/**
 * Journals the transaction being executed, validated or built into a block, so that the next start can
 * identify a transaction that crashed the thread or the process. Work on several transactions together is
 * recorded without a hash; consecutive process crashes during such work are counted.
 */
export class ExecutionGuard {
  readonly #journal: Pick<ExecutionJournal, "begin" | "end" | "died">;
  #attempt = 1;
  #unnamedCrashes: number;

  /** @param last - the journal's record at startup */
  constructor(journal: Pick<ExecutionJournal, "begin" | "end" | "died">, last?: ExecutionRecord) {
    this.#journal = journal;
    this.#unnamedCrashes = last?.hash === UNNAMED && last.cause === null ? last.attempt : 0;
  }

  /** Must be called before each transaction, within {@link run}. */
  beforeTransaction(hash: Felt): void {
    this.#journal.begin(hash, this.#attempt);
  }

  /** Must be called before joint work on the transactions of one block, within {@link run}. */
  beforeBlock(hashes: readonly Felt[]): void {
    const [first] = hashes;
    if (first !== undefined && hashes.length === 1) this.#journal.begin(first, this.#attempt);
    else this.#journal.begin(UNNAMED, this.#unnamedCrashes + 1);
  }

  /**
   * Builds a block of transactions, or a part of it, under {@link run}.
   *
   * @param attempt - as in {@link run}
   */
  runBlock<T>(attempt: number, hashes: readonly Felt[], work: () => T): T {
    const result = this.run(attempt, () => {
      this.beforeBlock(hashes);
      return work();
    });
    this.#unnamedCrashes = 0;
    return result;
  }

  /**
   * Runs a batch. An error is blamed on the transaction being executed, unless the database or a fork's origin failed.
   *
   * @param attempt - recorded in the journal: 1, or more for a transaction that was being executed in a crash
   * @throws whatever `work` throws
   */
  run<T>(attempt: number, work: () => T): T {
    this.#attempt = attempt;
    try {
      const result = work();
      this.#journal.end();
      return result;
    } catch (error) {
      if (error instanceof StorageError || error instanceof OriginError) this.#journal.end();
      else this.#journal.died(describeError(error));
      throw error;
    }
  }
}

/**
 * Blames a thread's exit on the transaction that it was working on. If the journal cannot be written, the
 * transaction ends up in quarantine instead.
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

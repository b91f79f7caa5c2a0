/** Processor time of one transfer in milliseconds, by part. */
export interface TransferCosts {
  readonly main: number;
  /** Complete admission with one thread. */
  readonly admission: number;
  /** Part of admission that remains besides validators; `null` if not measured. */
  readonly mempool: number | null;
  /** All validators together; `null` if not measured. */
  readonly validation: number | null;
  readonly executor: number;
  /** Committer without helpers. */
  readonly committer: number;
  /** Part of the committer: hashes that helpers can share. */
  readonly hashing: number;
  /** The runtime's threads, and those that only receive blocks. */
  readonly others: number;
}

/** A computer, and the thread options of a node on it. */
export interface Machine {
  /** Cores for the node: senders use others. */
  readonly cores: number;
  /** `--admission-threads`. */
  readonly admissionThreads: number;
  /** Threads that help the committer. */
  readonly hashThreads: number;
}

/** Maximum throughput of a machine. */
export interface Prediction {
  readonly transfersPerSecond: number;
  /** The saturated part. */
  readonly limit: string;
}

/**
 * Predicts the maximum transfers per second: each thread does one thing at a time, and all threads
 * share the cores. The model ignores interference between threads and waits for the disk.
 *
 * @returns `null` if it depends on a value that was not measured
 */
export function predict(costs: TransferCosts, machine: Machine): Prediction | null {
  const { cores, admissionThreads, hashThreads } = machine;
  const { mempool, validation } = costs;
  const committer = costs.committer - costs.hashing * (hashThreads / (hashThreads + 1));
  const busy: [limit: string, ms: number][] = [
    ["main", costs.main],
    ["executor", costs.executor],
    ["committer", committer],
  ];
  let admission = costs.admission;
  if (admissionThreads === 1) busy.push(["admission", admission]);
  else {
    if (mempool === null || validation === null) return null;
    admission = mempool + validation;
    busy.push(["admission", mempool], ["validators", validation / admissionThreads]);
  }
  const all = costs.main + admission + costs.executor + costs.committer + costs.others;
  busy.push(["cores", all / cores]);
  const [limit, ms] = busy.reduce((a, b) => (b[1] > a[1] ? b : a));
  return { transfersPerSecond: 1000 / ms, limit };
}

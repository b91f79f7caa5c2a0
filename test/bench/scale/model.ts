/** Processor time that one transfer takes, in milliseconds, by what takes it. */
export interface TransferCosts {
  readonly main: number;
  /** All of admission where it is one thread. */
  readonly admission: number;
  /** What stays in it beside validators; `null`: not measured. */
  readonly mempool: number | null;
  /** All validators together; `null`: not measured. */
  readonly validation: number | null;
  readonly executor: number;
  /** Without the help of others. */
  readonly committer: number;
  /** Of the committer's: hashes that others may help with. */
  readonly hashing: number;
  /** The runtime's own threads, and those that only hear of blocks. */
  readonly others: number;
}

/** A computer, and how a node is started on it. */
export interface Machine {
  /** Left to the node: whoever sends the transfers has others. */
  readonly cores: number;
  /** `--admission-threads`. */
  readonly admissionThreads: number;
  /** Threads that help the committer. */
  readonly hashThreads: number;
}

/** What a machine can do at most. */
export interface Prediction {
  readonly transfersPerSecond: number;
  /** What is busy all the time then. */
  readonly limit: string;
}

/**
 * The most transfers a second: a thread does one thing at a time, and all threads together have the
 * cores. Threads do not slow each other down in it, and nobody waits for the disk.
 *
 * @returns `null` where it depends on what was not measured
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

/** Counts of a group of tests. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** Tests that were skipped because the fixtures are missing. */
  readonly leftOut: number;
  /** Tests that were skipped because a system library is missing. */
  readonly lacking: number;
}

/** Cost of a run so far, by part. */
export interface PartCost {
  readonly part: string;
  seconds: number;
  cpuSeconds: number;
}

/** Results of a run, collected check by check. */
export class Summary {
  #passed = 0;
  #failed = 0;
  #leftOut = 0;
  #lacking = 0;
  readonly #failures: string[] = [];
  readonly #costs: PartCost[] = [];

  /** Tests and checks that passed. */
  get passed(): number {
    return this.#passed;
  }

  /** Tests and checks that failed. */
  get failed(): number {
    return this.#failed;
  }

  /** Tests that were skipped for missing fixtures. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** Tests that were skipped for a missing system library. */
  get lacking(): number {
    return this.#lacking;
  }

  /** Each failure with the check that it belongs to. */
  get failures(): readonly string[] {
    return this.#failures;
  }

  /** Costs by part, in the order in which the parts began. */
  get costs(): readonly Readonly<PartCost>[] {
    return this.#costs;
  }

  /** Last line of a run. */
  get verdict(): string {
    return `${this.#passed} passed, ${this.#failed} failed`;
  }

  /** Adds the counts of a group of tests. */
  count({ passed, failed, leftOut, lacking }: Counts): void {
    this.#passed += passed;
    this.#failed += failed;
    this.#leftOut += leftOut;
    this.#lacking += lacking;
  }

  /** Adds one check that passed. */
  pass(): void {
    this.#passed++;
  }

  /** Adds failures that belong together; `texts` are printed at the end. */
  fail(count: number, ...texts: readonly string[]): void {
    this.#failed += count;
    this.#failures.push(...texts);
  }

  /** Adds texts about failures that {@link count} has counted. */
  explain(...texts: readonly string[]): void {
    this.#failures.push(...texts);
  }

  /** Adds time of a part. */
  spendTime(part: string, seconds: number): void {
    this.#costOf(part).seconds += seconds;
  }

  /** Adds processor time of a part. */
  spendCpu(part: string, cpuSeconds: number): void {
    this.#costOf(part).cpuSeconds += cpuSeconds;
  }

  #costOf(part: string): PartCost {
    const known = this.#costs.find((cost) => cost.part === part);
    if (known !== undefined) return known;
    const cost = { part, seconds: 0, cpuSeconds: 0 };
    this.#costs.push(cost);
    return cost;
  }
}

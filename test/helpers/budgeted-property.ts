import type fc from "fast-check";

/** A synchronous or asynchronous property of fast-check. */
type AnyProperty<T> = fc.IProperty<T> | fc.IAsyncProperty<T>;

/**
 * Property that stops running cases when its time is over: the remaining ones pass without a run.
 * After a failure there is no limit, so that the case can be shrunk.
 */
export class BudgetedProperty<T> {
  readonly #property: AnyProperty<T>;
  readonly #budgetMs: number;
  readonly #minRuns: number;
  readonly #now: () => number;
  #startMs: number | undefined;
  #tried = 0;
  #hasFailed = false;
  #last: fc.Value<T> | undefined;

  /**
   * @param budgetMs - counted from the first case
   * @param minRuns - minimum number of cases that run in any case
   */
  constructor(
    property: AnyProperty<T>,
    budgetMs: number,
    minRuns: number,
    now: () => number = () => performance.now(),
  ) {
    this.#property = property;
    this.#budgetMs = budgetMs;
    this.#minRuns = minRuns;
    this.#now = now;
  }

  /** Part of the interface of fast-check. */
  isAsync(): boolean {
    return this.#property.isAsync();
  }

  /** Generates a case, or returns the previous one again if it will not run. */
  generate(random: fc.Random, runId?: number): fc.Value<T> {
    if (this.#last === undefined || !this.#isOver()) {
      this.#last = this.#property.generate(random, runId);
    }
    return this.#last;
  }

  /** Returns smaller cases. */
  shrink(value: fc.Value<T>): fc.Stream<fc.Value<T>> {
    return this.#property.shrink(value);
  }

  /** Runs a case. */
  run(value: T): ReturnType<AnyProperty<T>["run"]> {
    if (this.#isOver()) return null;
    this.#startMs ??= this.#now();
    this.#tried++;
    const result = this.#property.run(value);
    if (!(result instanceof Promise)) return this.#noted(result);
    return result.then((ended) => this.#noted(ended));
  }

  /** Delegates to the property. */
  runBeforeEach(): Promise<void> | void {
    return this.#isOver() ? undefined : this.#property.runBeforeEach();
  }

  /** Delegates to the property. */
  runAfterEach(): Promise<void> | void {
    return this.#isOver() ? undefined : this.#property.runAfterEach();
  }

  #isOver(): boolean {
    if (this.#hasFailed || this.#tried < this.#minRuns || this.#startMs === undefined) return false;
    return this.#now() - this.#startMs > this.#budgetMs;
  }

  /** Records whether a case failed; an unmet precondition is no failure. */
  #noted<R>(result: R): R {
    if (result !== null && typeof result === "object" && "error" in result) this.#hasFailed = true;
    return result;
  }
}

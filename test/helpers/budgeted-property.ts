import type fc from "fast-check";

/** A property of fast-check in either form. */
type AnyProperty<T> = fc.IProperty<T> | fc.IAsyncProperty<T>;

/**
 * A property that stops trying cases when its time is up: the remaining ones pass unseen. Once a case has
 * failed there is no limit, so that it is reduced to the smallest one.
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
   * @param minRuns - cases that are tried however long they take
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

  /** As fast-check asks for it. */
  isAsync(): boolean {
    return this.#property.isAsync();
  }

  /** Makes a case, or gives the last one again when it is not going to be tried. */
  generate(random: fc.Random, runId?: number): fc.Value<T> {
    if (this.#last === undefined || !this.#isOver()) {
      this.#last = this.#property.generate(random, runId);
    }
    return this.#last;
  }

  /** Smaller cases. */
  shrink(value: fc.Value<T>): fc.Stream<fc.Value<T>> {
    return this.#property.shrink(value);
  }

  /** Tries a case. */
  run(value: T): ReturnType<AnyProperty<T>["run"]> {
    if (this.#isOver()) return null;
    this.#startMs ??= this.#now();
    this.#tried++;
    const result = this.#property.run(value);
    if (!(result instanceof Promise)) return this.#noted(result);
    return result.then((ended) => this.#noted(ended));
  }

  /** As the property has it. */
  runBeforeEach(): Promise<void> | void {
    return this.#isOver() ? undefined : this.#property.runBeforeEach();
  }

  /** As the property has it. */
  runAfterEach(): Promise<void> | void {
    return this.#isOver() ? undefined : this.#property.runAfterEach();
  }

  #isOver(): boolean {
    if (this.#hasFailed || this.#tried < this.#minRuns || this.#startMs === undefined) return false;
    return this.#now() - this.#startMs > this.#budgetMs;
  }

  /** Remembers whether a case failed; a case outside the property's preconditions did not. */
  #noted<R>(result: R): R {
    if (result !== null && typeof result === "object" && "error" in result) this.#hasFailed = true;
    return result;
  }
}

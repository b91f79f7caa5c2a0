import type { HistogramConfiguration } from "prom-client";
import { Counter, Histogram } from "./prom-client.ts";

type Labels<T extends string> = Readonly<Record<T, string>>;

/** Adds to the counter of one combination of label values of a metric. */
export interface Tally {
  add(): void;
}

/**
 * Counter for per-request events. Counts in plain numbers and updates the metric when it is read, because
 * prom-client hashes the labels on every increment.
 */
export class TallyCounter<T extends string> extends Counter<T> {
  readonly #tallies: { readonly labels: Labels<T>; count: number }[] = [];

  /** Creates the counter of one series; the series appears once it has counted something. */
  tally(labels: Labels<T>): Tally {
    const tally = { labels, count: 0, add: () => void tally.count++ };
    this.#tallies.push(tally);
    return tally;
  }

  override get(): ReturnType<Counter<T>["get"]> {
    for (const tally of this.#tallies) {
      if (tally.count > 0) this.inc(tally.labels, tally.count);
      tally.count = 0;
    }
    return super.get();
  }
}

/** Records durations, in seconds, for one combination of label values of a metric. */
export interface TimeSeries {
  /** @param seconds - finite */
  observe(seconds: number): void;
}

/** Histogram for per-request durations, built like {@link TallyCounter}. */
export class TallyHistogram<T extends string> extends Histogram<T> {
  readonly #config: HistogramConfiguration<T>;
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, Times>();

  /** @param config - with `buckets`: ascending upper bounds */
  constructor(config: HistogramConfiguration<T> & { readonly buckets: number[] }) {
    super(config);
    this.#config = config;
    this.#bounds = config.buckets;
  }

  /** Returns the recorder of one series; the series appears once it has recorded a duration. */
  series(labels: Labels<T>): TimeSeries {
    const key = JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
    const known = this.#series.get(key) ?? new Times(labels, this.#bounds);
    this.#series.set(key, known);
    return known;
  }

  /** Overrides the prom-client method that the registry and `get` read, in the same format. */
  getForPromString(): Promise<{ readonly values: readonly Line[] }> {
    const { name, help } = this.#config;
    const values = [...this.#series.values()].flatMap((times) => times.values(name));
    return Promise.resolve({ name, help, type: "histogram", values, aggregator: "sum" });
  }
}

interface Line {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

class Times implements TimeSeries {
  readonly #labels: Readonly<Record<string, string>>;
  readonly #bounds: readonly number[];
  /** Counts per smallest bound that is not exceeded; the last entry counts values above all bounds. */
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(labels: Readonly<Record<string, string>>, bounds: readonly number[]) {
    this.#labels = labels;
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(seconds: number): void {
    const bounds = this.#bounds;
    let index = 0;
    while (index < bounds.length && seconds > (bounds[index] as number)) index++;
    this.#counts[index] = (this.#counts[index] as number) + 1;
    this.#sum += seconds;
  }

  /** Lines of the series, with cumulative bucket counts; empty before the first duration. */
  values(name: string): readonly Line[] {
    let count = 0;
    const buckets = [...this.#bounds, "+Inf"].map((le, i): Line => {
      count += this.#counts[i] as number;
      return { metricName: `${name}_bucket`, labels: { le, ...this.#labels }, value: count };
    });
    if (count === 0) return [];
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels: this.#labels, value: this.#sum },
      { metricName: `${name}_count`, labels: this.#labels, value: count },
    ];
  }
}

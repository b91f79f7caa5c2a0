import { type Way, WAYS } from "#test/helpers/sierra/fuzz/made-up-class.ts";
import type { Outcome } from "#test/helpers/sierra/fuzz/outcome.ts";
import type { ReferenceOutcome } from "./reference.ts";

/** Whether two compilers agree, have a known difference, or differ. */
export type Verdict = "same" | "known" | "different";

/** Counts the results of two compilers for the classes of each way. */
export class Tally {
  readonly #counts = new Map<Way, Map<string, number>>();
  /** Number of classes with different results. */
  differences = 0;

  /** Counts a class; for refusals also their codes, and panics of the reference. */
  add(way: Way, ours: Outcome | Error, theirs: ReferenceOutcome, verdict: Verdict): void {
    this.#count(way, "compared");
    if (verdict !== "same" || ours instanceof Error) {
      if (verdict !== "known") this.differences++;
      return this.#count(way, verdict);
    }
    this.#count(way, ours.kind === "compiled" ? "both compiled" : "both refused");
    if (ours.kind === "refused") this.#count(way, ours.code ?? "refused");
    if (theirs.kind === "panicked" || theirs.kind === "late") this.#count(way, theirs.kind);
  }

  /** Table with a line for each way. */
  table(): string {
    return WAYS.map((way) => {
      const counts = [...(this.#counts.get(way) ?? [])].map(([what, count]) => `${what} ${count}`);
      return `  ${way}: ${counts.join(", ")}`;
    }).join("\n");
  }

  #count(way: Way, what: string): void {
    const counts = this.#counts.get(way) ?? new Map<string, number>();
    counts.set(what, (counts.get(what) ?? 0) + 1);
    this.#counts.set(way, counts);
  }
}

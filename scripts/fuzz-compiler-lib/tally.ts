import { type Way, WAYS } from "#test/helpers/sierra/fuzz/made-up-class.ts";
import type { Outcome } from "#test/helpers/sierra/fuzz/outcome.ts";
import type { ReferenceOutcome } from "./reference.ts";

/** Whether two compilers agree, differ as is known, or differ. */
export type Verdict = "same" | "known" | "different";

/** Counts what two compilers said to the classes of each way. */
export class Tally {
  readonly #counts = new Map<Way, Map<string, number>>();
  /** Classes that they differ about. */
  differences = 0;

  /** Counts a class; of refusals their codes, and those that the reference ends with a panic, too. */
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

  /** A line for each way. */
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

import { RecentMap } from "#base/primitives/index.ts";
import { type OriginQuery, originQueryText } from "#io/origin/index.ts";

/** Maximum number of remembered values, some 200 bytes each. */
const MAX_VALUES = 16_384;

/** Remembers which values were announced, so that a transaction announces only what is new in it. */
export class Announcements {
  readonly #announced = new RecentMap<string, true>(MAX_VALUES);

  /** Records values. @returns those that were not announced before, or so long ago that it is forgotten */
  add(queries: readonly OriginQuery[]): readonly OriginQuery[] {
    return queries.filter((query) => {
      const text = originQueryText(query);
      if (this.#announced.touch(text) !== undefined) return false;
      this.#announced.set(text, true);
      return true;
    });
  }
}

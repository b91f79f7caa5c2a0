import { OriginError } from "#base/errors/index.ts";
import { type OriginQuery, originQueryText } from "./query.ts";

/** Error code of {@link OriginMissing}. */
export const ORIGIN_NOT_HERE = "ORIGIN_NOT_HERE";

/**
 * Error of a thread that does not wait for the origin and lacks values of it: repeat the work once
 * they are fetched.
 */
export class OriginMissing extends OriginError {
  readonly queries: readonly OriginQuery[];

  /** @param queries - one or more */
  constructor(queries: readonly OriginQuery[]) {
    const names = queries.map(originQueryText).join(", ");
    super(ORIGIN_NOT_HERE, `values of the fork's origin are not fetched yet: ${names}`, true);
    this.queries = queries;
  }
}

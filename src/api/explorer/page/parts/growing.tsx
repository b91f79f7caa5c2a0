import type { Child } from "hono/jsx";
import { useState } from "hono/jsx/dom";

/** Entries that are shown at first, and those that each click adds: thousands at once would freeze the page. */
const STEP = 100;

/** Shows the first entries of a long list, and a button that adds more. */
export function Growing<T>({
  of,
  what,
  children,
}: {
  readonly of: readonly T[];
  /** Names the entries, such as `events`. */
  readonly what: string;
  readonly children: (shown: readonly T[]) => Child;
}) {
  const [limit, setLimit] = useState(STEP);
  return (
    <>
      {children(of.slice(0, limit))}
      {of.length > limit ? (
        <div class="pager">
          <button type="button" onClick={() => setLimit(limit + STEP)}>
            Show more
          </button>
          <span class="muted">
            {limit.toLocaleString("en")} of {of.length.toLocaleString("en")} {what}
          </span>
        </div>
      ) : null}
    </>
  );
}

import type { Child } from "hono/jsx";
import { useState } from "hono/jsx/dom";
import { type Json, type JsonObject, listOf, numberOf, objectOf, textOf } from "../rpc/json.ts";
import { api } from "../state/chain.ts";
import { useLoad } from "../state/load.ts";
import { Card, Empty, Show } from "./basic.tsx";

/** List of the explorer's index, in pages. */
export function IndexList({
  path,
  query,
  what,
  children,
}: {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Names the entries, such as `transfers`. */
  readonly what: string;
  readonly children: (items: readonly Json[]) => Child;
}) {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const after = cursors.at(-1) ?? null;
  const key = `${path} ${JSON.stringify(query)} ${after}`;
  const loaded = useLoad(key, () => api.get(path, { ...query, after }), { isLive: after === null });
  return (
    <Card>
      <Show loaded={loaded} what={`list of ${what}`}>
        {(page) => (
          <>
            <Coverage page={page} />
            {listOf(page["items"]).length === 0 ? (
              <Empty>No {what}.</Empty>
            ) : (
              children(listOf(page["items"]))
            )}
            <div class="pager">
              <button
                type="button"
                disabled={cursors.length === 0}
                onClick={() => setCursors(cursors.slice(0, -1))}
              >
                Newer
              </button>
              <button
                type="button"
                disabled={textOf(page["next"]) === ""}
                onClick={() => setCursors([...cursors, textOf(page["next"])])}
              >
                Older
              </button>
            </div>
          </>
        )}
      </Show>
    </Card>
  );
}

/** Says that the index is still being filled. */
function Coverage({ page }: { readonly page: JsonObject }) {
  const { to, from } = objectOf(page["indexed"]);
  const start = numberOf(from) ?? 0;
  const end = numberOf(to);
  const head = numberOf(page["head"]);
  if (end !== null && (head === null || head <= end)) {
    return start === 0 ? null : (
      <p class="loading">From block {start} on: the index has no earlier blocks.</p>
    );
  }
  return (
    <p class="loading">
      The index is being filled: {end === null ? "no block yet" : `up to block ${end}`}.
    </p>
  );
}

import { useState } from "hono/jsx/dom";
import { countText } from "../decode/amounts.ts";
import { visibleText } from "../decode/visible-text.ts";
import { Copy } from "./hash.tsx";

/** Characters that are shown at first: the layout of a megabyte would freeze the page. */
const SHOWN = 20_000;
/** Characters that each click adds. */
const STEP = 200_000;

/** JSON document or other long text as it is, which can be copied whole. */
export function Raw({ text }: { readonly text: string }) {
  const [limit, setLimit] = useState(SHOWN);
  return (
    <section class="card">
      <header>
        <span class="muted">{countText(text.length)} characters</span>
        <span class="more">
          <Copy text={text} what="the whole text" />
        </span>
      </header>
      <pre tabIndex={0}>{visibleText(text.slice(0, limit), limit)}</pre>
      {text.length > limit ? (
        <div class="pager">
          <button type="button" onClick={() => setLimit(limit + STEP)}>
            Show more
          </button>
        </div>
      ) : null}
    </section>
  );
}

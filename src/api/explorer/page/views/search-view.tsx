import { useEffect } from "hono/jsx/dom";
import { Card, Empty, Show } from "../parts/basic.tsx";
import { lookupsOf } from "../decode/search.ts";
import { visibleText } from "../decode/visible-text.ts";
import { Hash } from "../parts/hash.tsx";
import { objectOf } from "../rpc/json.ts";
import { PageError } from "../rpc/page-error.ts";
import { rpc } from "../state/chain.ts";
import { labels } from "../state/labels.ts";
import { nodeStatus } from "../state/node-status.ts";
import { useLoad } from "../state/load.ts";
import { hrefOf } from "../state/route.ts";

/** Something that a search found. */
interface Hit {
  readonly kind: string;
  readonly text: string;
  readonly href: string;
}

/** Hits of a search; a single one is opened. */
export function SearchView({ text }: { readonly text: string }) {
  const loaded = useLoad(`search ${text}`, () => search(text.trim()));
  const found = loaded.state === "ready" ? loaded.value.filter(({ href }) => href !== "") : [];
  const only = loaded.state === "ready" && found.length === 1 ? found[0] : undefined;
  useEffect(() => {
    if (only !== undefined) globalThis.location.replace(only.href);
  }, [only?.href]);
  return (
    <>
      <div class="title">
        <h1>Search</h1>
        <span class="sub">{visibleText(text, 200)}</span>
      </div>
      <Card>
        <Show loaded={loaded} what="search result">
          {(hits) => <Hits hits={hits} />}
        </Show>
      </Card>
    </>
  );
}

function Hits({ hits }: { readonly hits: readonly Hit[] }) {
  if (hits.length === 0) {
    return (
      <Empty>
        Nothing found. Search for a block number, the hash of a block, transaction or class, the
        address of a contract, or a label.
      </Empty>
    );
  }
  return (
    <table>
      <tbody>
        {hits.map(({ kind, text, href }) => (
          <tr key={`${kind} ${text}`}>
            <td>{visibleText(kind)}</td>
            <td class="wide">
              {href === "" ? <Hash felt={text} isWhole /> : <a href={href}>{visibleText(text)}</a>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** View of each kind of subject. */
const VIEWS = { block: "block", transaction: "tx", contract: "contract", class: "class" } as const;

async function search(text: string): Promise<readonly Hit[]> {
  const lookups = lookupsOf(text);
  const asked = lookups.flatMap(({ kind, id, call }) =>
    call === null || !(kind in VIEWS) ? [] : [{ kind: kind as keyof typeof VIEWS, id, call }],
  );
  const results = await rpc.batch(asked.map(({ call }) => call));
  const found = asked
    .filter((_, i) => !(results[i] instanceof PageError))
    .map(({ kind, id }) => ({ kind, text: id, href: hrefOf(VIEWS[kind], id) }));
  return [
    ...labelHits(text),
    ...found,
    ...tokenHits(text),
    ...lookups.flatMap(({ kind, id }) => feltHits(kind, id)),
  ];
}

/** The fee tokens are the contracts that every chain has. */
function tokenHits(text: string): readonly Hit[] {
  const tokens = objectOf(nodeStatus.value?.["fee_tokens"]);
  return Object.entries(tokens).flatMap(([name, address]) =>
    name === text.toLowerCase() && typeof address === "string"
      ? [{ kind: `Token ${name.toUpperCase()}`, text: address, href: hrefOf("contract", address) }]
      : [],
  );
}

/** A selector and the felt of a short string are shown without a view. */
function feltHits(kind: string, id: string): readonly Hit[] {
  if (kind === "text") return [{ kind: "Felt of this short string", text: id, href: "" }];
  return kind === "selector" ? [{ kind: "Selector of this name", text: id, href: "" }] : [];
}

function labelHits(text: string): readonly Hit[] {
  const wanted = text.toLowerCase();
  return [...labels.value]
    .filter(([, name]) => wanted !== "" && name.toLowerCase().includes(wanted))
    .map(([felt, name]) => ({
      kind: `Label “${name}”`,
      text: felt,
      href: hrefOf("contract", felt),
    }));
}

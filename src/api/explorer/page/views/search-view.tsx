import { useEffect } from "hono/jsx/dom";
import { Card, Empty, Show } from "../parts/basic.tsx";
import { visibleText } from "../decode/visible-text.ts";
import { Hash } from "../parts/hash.tsx";
import { objectOf, textOf } from "../rpc/json.ts";
import { rpc } from "../state/chain.ts";
import { abiOfClass } from "../state/classes.ts";
import { findHits, type FindPort, type Hit } from "../state/find.ts";
import { labels } from "../state/labels.ts";
import { nodeStatus } from "../state/node-status.ts";
import { useLoad } from "../state/load.ts";
import { hrefOf } from "../state/route.ts";
import { tokenInfo } from "../state/tokens.ts";

const PORT: FindPort = {
  batch: (calls) => rpc.batch(calls),
  abiOfClass,
  symbolOf: async (token) => (await tokenInfo(token)).symbol,
  get feeTokens() {
    const tokens = Object.entries(objectOf(nodeStatus.value?.["fee_tokens"]));
    return Object.fromEntries(tokens.map(([name, address]) => [name, textOf(address)]));
  },
  get labels() {
    return labels.value;
  },
};

/** Hits of a search; a single one is opened. */
export function SearchView({ text }: { readonly text: string }) {
  const loaded = useLoad(`search ${text}`, () => findHits(text, PORT));
  const found = loaded.state === "ready" ? loaded.value.filter(({ isSubject }) => isSubject) : [];
  const link = found.length === 1 ? found[0]?.link : undefined;
  const href = link ? hrefOf(link.view, link.id) : undefined;
  useEffect(() => {
    if (href !== undefined) globalThis.location.replace(href);
  }, [href]);
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
        address of a contract, a label, or the name of a known contract or function.
      </Empty>
    );
  }
  return (
    <table>
      <tbody>
        {hits.map(({ kind, text, link }) => (
          <tr key={`${kind} ${text}`}>
            <td>{visibleText(kind)}</td>
            <td class="wide">
              {link === null ? (
                <Hash felt={text} isWhole />
              ) : (
                <a href={hrefOf(link.view, link.id)}>{visibleText(text)}</a>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

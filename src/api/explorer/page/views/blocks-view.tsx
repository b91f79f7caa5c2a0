import { BlockTable } from "../parts/block-table.tsx";
import { Card, Show } from "../parts/basic.tsx";
import { EmptyChain } from "../parts/empty-chain.tsx";
import { newestBlock } from "../rpc/blocks.ts";
import { type JsonObject, numberOf } from "../rpc/json.ts";
import { blocksBelow } from "../rpc/recent-blocks.ts";
import { api } from "../state/chain.ts";
import { useLoad } from "../state/load.ts";
import { hrefOf } from "../state/route.ts";

const PAGE = 25;

/** All blocks, in pages. */
export function BlocksView({ before }: { readonly before: string | null }) {
  const loaded = useLoad(`blocks ${before}`, () => load(before), { isLive: before === null });
  return (
    <>
      <div class="title">
        <h1>Blocks</h1>
      </div>
      <Show loaded={loaded} what="list of blocks">
        {(blocks) => (blocks.length === 0 ? <EmptyChain /> : <Page blocks={blocks} />)}
      </Show>
    </>
  );
}

async function load(before: string | null): Promise<readonly JsonObject[]> {
  const newest = before === null ? await newestBlock() : Number(before) - 1;
  return newest === null ? [] : blocksBelow(api, newest + 1, PAGE, 0);
}

function Page({ blocks }: { readonly blocks: readonly JsonObject[] }) {
  const oldest = numberOf(blocks.at(-1)?.["block_number"]) ?? 0;
  return (
    <Card>
      <BlockTable blocks={blocks} />
      <div class="pager">
        <a class="button" href={hrefOf("blocks")}>
          Newest
        </a>
        {oldest > 0 ? (
          <a class="button" href={hrefOf("blocks", "", { before: String(oldest) })}>
            Older
          </a>
        ) : null}
      </div>
    </Card>
  );
}

import { useState } from "hono/jsx/dom";
import type { Abi } from "../../abi/abi.ts";
import { feltsOf } from "../../decode/calls.ts";
import { Card, Empty, Show } from "../../parts/basic.tsx";
import { EventList } from "../../parts/event-list.tsx";
import { type Json, listOf, objectOf, textOf } from "../../rpc/json.ts";
import { rpc } from "../../state/chain.ts";
import { useLoad } from "../../state/load.ts";

const PAGE = 50;

/** Events of a contract, oldest first, in pages. */
export function ContractEvents({
  address,
  abi,
}: {
  readonly address: string;
  readonly abi: Abi | undefined;
}) {
  const [tokens, setTokens] = useState<readonly string[]>([]);
  const token = tokens.at(-1);
  const filter = { from_block: { block_number: 0 }, to_block: "latest", address, chunk_size: PAGE };
  const load = async (): Promise<Json> =>
    rpc.call("starknet_getEvents", {
      filter: token === undefined ? filter : { ...filter, continuation_token: token },
    });
  const loaded = useLoad(`events ${address} ${token}`, load);
  return (
    <Card>
      <Show loaded={loaded} what="events">
        {(page) => {
          const { events, continuation_token } = objectOf(page);
          const shown = listOf(events).map((one, index) => ({
            transactionHash: textOf(objectOf(one)["transaction_hash"]),
            index,
            emitter: textOf(objectOf(one)["from_address"]),
            keys: feltsOf(objectOf(one)["keys"]),
            data: feltsOf(objectOf(one)["data"]),
          }));
          return (
            <>
              {shown.length === 0 ? (
                <Empty>No events.</Empty>
              ) : (
                <EventList events={shown} abiOf={() => abi} />
              )}
              <div class="pager">
                <button
                  type="button"
                  disabled={tokens.length === 0}
                  onClick={() => setTokens(tokens.slice(0, -1))}
                >
                  Earlier
                </button>
                <button
                  type="button"
                  disabled={textOf(continuation_token) === ""}
                  onClick={() => setTokens([...tokens, textOf(continuation_token)])}
                >
                  Later
                </button>
              </div>
            </>
          );
        }}
      </Show>
    </Card>
  );
}

import {
  array,
  type Decoder,
  felt,
  integer,
  isJsonObject,
  type JsonValue,
  nullable,
  object,
  text,
} from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { RpcParams } from "#io/client/index.ts";
import { wrongAnswer } from "../../errors.ts";
import type { OriginEventQuery } from "../../query.ts";
import type { OriginCall, OriginTask } from "../../rpc/pending.ts";
import type { OriginCaller } from "../caller.ts";
import { largeCall, numberId } from "../calls.ts";
import { type ForkPoint, requireSameHash } from "../fork-blocks.ts";

const emittedEvent = object(
  { from_address: felt, keys: array(felt), data: array(felt), transaction_hash: felt },
  { block_hash: felt, block_number: integer() },
);

const pageForm = object({ events: array(emittedEvent) }, { continuation_token: nullable(text) });

type EmittedEvent = ReturnType<typeof emittedEvent.decode>;

/** Event of a page. */
export interface PagedEvent {
  /** As the origin returned it. */
  readonly json: JsonValue;
  readonly block: number;
  /** Whether it has one of the searched addresses: an old origin returns those of all. */
  readonly isSearched: boolean;
}

/** Page of events, as one URL returned it. */
export interface EventPage {
  /** Name of the URL. */
  readonly url: string;
  readonly events: readonly PagedEvent[];
  /** Token of the URL for the next page; `null` after the last one. */
  readonly token: string | null;
}

const answer: Decoder<
  { readonly rows: readonly JsonValue[] } & ReturnType<typeof pageForm.decode>
> = {
  describe: pageForm.describe,
  decode(value, path) {
    const page = pageForm.decode(value, path);
    const rows = isJsonObject(value) ? value["events"] : undefined;
    return { ...page, rows: Array.isArray(rows) ? rows : [] };
  },
};

/**
 * Reads one page of an event search.
 *
 * @param query - its token is that of `url`
 * @param url - name of the URL that must respond; `undefined` for any
 * @throws {RpcRefusal} when the URL responds with an error
 * @throws {OriginError} ORIGIN_BAD_ANSWER for an event that does not match the filter, and as `OriginCaller.read`
 */
export async function readPage(
  caller: OriginCaller,
  fork: ForkPoint,
  { query, url }: { readonly query: OriginEventQuery; readonly url: string | undefined },
  task: OriginTask,
): Promise<EventPage> {
  const call = { ...eventsCall(query), ...(url === undefined ? {} : { only: url }) };
  const { value, name } = await caller.read(call, answer, task);
  const events = value.events.map((event, index): PagedEvent => {
    const { block_number: block, block_hash: hash, from_address: emitter } = event;
    if (block === undefined || !matches(event, block, query)) {
      throw wrongAnswer(`${name} returned an event that does not match "${task.what}"`);
    }
    if (block === fork.number && hash !== undefined) {
      requireSameHash(name, fork.number, fork.hash, hash);
    }
    const { addresses } = query;
    const isSearched = addresses.length === 0 || addresses.includes(emitter);
    return { json: value.rows[index] ?? null, block, isSearched };
  });
  return { url: name, events, token: value.continuation_token ?? null };
}

function eventsCall(query: OriginEventQuery): OriginCall {
  const { fromBlock, toBlock, addresses, keys, token, chunkSize } = query;
  const list = addresses.map(hexFromFelt);
  return {
    ...largeCall("getEvents", {}),
    params: ({ hasFlags }): RpcParams => {
      const filter: Record<string, JsonValue> = {
        from_block: numberId(fromBlock),
        to_block: numberId(toBlock),
        keys: keys.map((position) => position.map(hexFromFelt)),
        chunk_size: chunkSize,
      };
      const [first] = list;
      // Versions before 0.10 search one address: for several, the caller chooses among the events of all.
      if (first !== undefined && list.length === 1) filter["address"] = first;
      else if (list.length > 1 && hasFlags) filter["address"] = list;
      if (token !== null) filter["continuation_token"] = token;
      return { filter };
    },
  };
}

function matches(event: EmittedEvent, block: number, query: OriginEventQuery): boolean {
  const { fromBlock, toBlock, addresses, keys } = query;
  if (block < fromBlock || block > toBlock) return false;
  if (addresses.length === 1 && !addresses.includes(event.from_address)) return false;
  return keys.every((accepted, position) => {
    const key = event.keys[position];
    return accepted.length === 0 || (key !== undefined && accepted.includes(key));
  });
}

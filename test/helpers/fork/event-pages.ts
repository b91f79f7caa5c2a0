import { expect } from "bun:test";
import { rawCall, type RunningChain } from "../binary.ts";

/** An event as in a response. */
export interface FoundEvent {
  readonly transaction_hash: string;
  readonly block_number?: number;
  readonly block_hash?: string;
  readonly from_address: string;
  readonly keys: readonly string[];
  readonly data: readonly string[];
}

/** A filter without a page size. */
export type EventFilter = Readonly<Record<string, unknown>>;

/**
 * All events of a filter, in pages of a size. No page is larger.
 *
 * @param afterFirst - runs between the first page and the second
 */
export async function allEvents(
  { url }: Pick<RunningChain, "url">,
  path: string,
  filter: EventFilter,
  pageSize: number,
  afterFirst: () => Promise<void> = () => Promise.resolve(),
): Promise<FoundEvent[]> {
  const found: FoundEvent[] = [];
  let token: string | undefined;
  do {
    const page = {
      chunk_size: pageSize,
      ...(token === undefined ? {} : { continuation_token: token }),
    };
    const { result, error } = await rawCall(url + path, "starknet_getEvents", [
      { ...filter, ...page },
    ]);
    expect(error).toBeUndefined();
    const { events, continuation_token } = result as {
      readonly events: readonly FoundEvent[];
      readonly continuation_token?: string;
    };
    expect(events.length).toBeLessThanOrEqual(pageSize);
    if (found.length === 0 && continuation_token !== undefined) await afterFirst();
    found.push(...events);
    token = continuation_token;
  } while (token !== undefined);
  return found;
}

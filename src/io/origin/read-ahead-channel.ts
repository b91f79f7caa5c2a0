import { ADDRESS_BOUND } from "#base/primitives/index.ts";
import type { OriginChannel } from "./channel.ts";
import type { OriginQuery } from "./query.ts";

/** Contract with the aliases that a block allocates for the addresses and storage keys that it changes. */
const ALIAS_CONTRACT = 2n;

/** First address or storage key that has an alias; smaller ones represent themselves. */
const FIRST_ALIAS = 0x80n;

/** Returns a query with its {@link companionsOf}. */
export function withCompanions(query: OriginQuery): readonly OriginQuery[] {
  return [query, ...companionsOf(query)];
}

/**
 * Returns the queries that execution is likely to need after one. Values of a batch take one request, so
 * fetching them together saves requests.
 *
 * - A storage variable is often the low half of a number of 256 bits; a block that writes it reads its alias.
 * - The nonce of an account is read before its class; a block that changes it reads the address's alias.
 */
function companionsOf(query: OriginQuery): readonly OriginQuery[] {
  switch (query.kind) {
    case "storage": {
      const { block, address, key } = query;
      if (address <= ALIAS_CONTRACT) return [];
      const next: OriginQuery = { kind: "storage", block, address, key: key + 1n };
      const hasNext = next.key < ADDRESS_BOUND;
      return [...(hasNext ? [next] : []), ...aliasQueries(block, key)];
    }
    case "nonce": {
      const { block, address } = query;
      return [{ kind: "classHash", block, address }, ...aliasQueries(block, address)];
    }
    default:
      return [];
  }
}

/** Returns the query for the alias of an address or storage key; empty if it has none. */
export function aliasQueries(block: number, key: bigint): readonly OriginQuery[] {
  if (key < FIRST_ALIAS) return [];
  return [{ kind: "storage", block, address: ALIAS_CONTRACT, key }];
}

/** Channel of a thread that executes transactions: fetches values with their likely companions. */
export class ReadAheadChannel implements OriginChannel {
  readonly #channel: OriginChannel;

  constructor(channel: OriginChannel) {
    this.#channel = channel;
  }

  ask(query: OriginQuery, companions: readonly OriginQuery[] = []): Uint8Array | null {
    return this.#channel.ask(query, [...companionsOf(query), ...companions]);
  }

  require(queries: readonly OriginQuery[]): void {
    this.#channel.require(queries);
  }
}

import { FairLevel, type Next } from "./fair-level.ts";

/** Client that waits: one connection, distinguished by identity. */
export interface Client {
  /** Connections from one address share the share of that address. */
  readonly address: string;
}

/** Waiting item and its client. */
export interface Waiting<T> {
  readonly client: Client;
  readonly item: T;
}

/** Client to queue under for requests that belong to no connection. */
export const NOBODY: Client = { address: "" };

/** Waiting items of one connection. */
interface Line<T> {
  readonly items: T[];
  /**
   * Expected cost of the first item, computed when it became first: choosing the next item reads the cost of
   * every line.
   */
  costMs: number;
}

type Connections<T> = FairLevel<Client, Line<T>>;

/**
 * Queue that divides a resource equally between addresses, and within an address equally between connections;
 * {@link FairLevel} documents the rules of both levels. Each connection is served in order of arrival; a
 * single one gets everything. Cheap items come before expensive ones, and new clients before clients that
 * have waited longer.
 */
export class FairQueue<T> {
  readonly #addresses = new FairLevel<string, Connections<T>>();
  readonly #costMs: (item: T) => number;
  #size = 0;

  /** @param costMs - expected cost of an item, on the scale of {@link charge} */
  constructor(costMs: (item: T) => number) {
    this.#costMs = costMs;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds an item behind the others of its client. */
  push(client: Client, item: T): void {
    const connections = this.#addresses.enter(client.address, () => new FairLevel());
    const line = connections.enter(client, () => ({ items: [], costMs: 0 }));
    if (line.items.push(item) === 1) line.costMs = this.#costMs(item);
    this.#size++;
  }

  /**
   * Removes and returns the next item.
   *
   * @param isReady - clients for which it returns `false` are skipped and keep waiting
   */
  shift(isReady: (client: Client) => boolean = anybody): Waiting<T> | undefined {
    return this.shiftIf(() => true, isReady);
  }

  /** Removes and returns the next item if `isWanted` accepts it; otherwise changes nothing. */
  shiftIf(
    isWanted: (item: T) => boolean,
    isReady: (client: Client) => boolean = anybody,
  ): Waiting<T> | undefined {
    const address = this.#addresses.peek((connections) => peek(connections, isReady)?.costMs);
    const connection = address && peek(address.value, isReady);
    const item = connection?.value.items[0];
    if (address === undefined || connection === undefined || item === undefined) return undefined;
    if (!isWanted(item)) return undefined;
    this.#addresses.serve(address);
    address.value.serve(connection);
    const { key: client } = connection;
    this.remove(client, item);
    return { client, item };
  }

  /** Adds time that was spent on a client; negative if less was spent than previously charged. */
  charge(client: Client, ms: number): void {
    const { address } = client;
    this.#addresses.charge(address, ms);
    this.#addresses.find(address)?.charge(client, ms);
  }

  /** Removes an item of a client, at any position. @returns whether it was found */
  remove(client: Client, item: T): boolean {
    const connections = this.#addresses.get(client.address);
    const line = connections?.get(client);
    const index = line?.items.indexOf(item) ?? -1;
    if (connections === undefined || line === undefined || index === -1) return false;
    line.items.splice(index, 1);
    this.#size--;
    const [first] = line.items;
    if (first === undefined) connections.leave(client);
    else if (index === 0) line.costMs = this.#costMs(first);
    if (connections.isEmpty) this.#addresses.leave(client.address);
    return true;
  }
}

const anybody = (): boolean => true;

function peek<T>(
  connections: Connections<T>,
  isReady: (client: Client) => boolean,
): Next<Client, Line<T>> | undefined {
  return connections.peek(({ costMs }, client) => (isReady(client) ? costMs : undefined));
}

import { FairLevel, type Next } from "./fair-level.ts";

/** Who waits: one connection, told from others by identity. */
export interface Client {
  /** Connections of one address share what an address gets. */
  readonly address: string;
}

/** Something that waits, and for whom. */
export interface Waiting<T> {
  readonly client: Client;
  readonly item: T;
}

/** Client of requests that come from nobody in particular. */
export const NOBODY: Client = { address: "" };

/** What waits for a connection. */
interface Line<T> {
  readonly items: T[];
  /**
   * What the first one is expected to take, as it was when it came to stand there: looking for the next
   * item asks this of all who wait.
   */
  costMs: number;
}

type Connections<T> = FairLevel<Client, Line<T>>;

/**
 * A queue that divides a resource equally between addresses, and within an address equally between connections;
 * {@link FairLevel} has the rules of both. A connection is served in order of arrival, and one that is alone gets
 * everything. Cheap items come before expensive ones, and clients that begin to wait before those that wait on.
 */
export class FairQueue<T> {
  readonly #addresses = new FairLevel<string, Connections<T>>();
  readonly #costMs: (item: T) => number;
  #size = 0;

  /** @param costMs - what an item is expected to take, on the scale of {@link charge} */
  constructor(costMs: (item: T) => number) {
    this.#costMs = costMs;
  }

  /** How many items wait. */
  get size(): number {
    return this.#size;
  }

  /** Puts an item behind the others of its client. */
  push(client: Client, item: T): void {
    const connections = this.#addresses.enter(client.address, () => new FairLevel());
    const line = connections.enter(client, () => ({ items: [], costMs: 0 }));
    if (line.items.push(item) === 1) line.costMs = this.#costMs(item);
    this.#size++;
  }

  /**
   * Takes the next item out.
   *
   * @param isReady - clients of which this does not hold are passed over, and wait
   */
  shift(isReady: (client: Client) => boolean = anybody): Waiting<T> | undefined {
    return this.shiftIf(() => true, isReady);
  }

  /** Takes the next item out if it is wanted; otherwise nothing changes. */
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

  /** Counts what was spent on a client; negative when less was spent than counted before. */
  charge(client: Client, ms: number): void {
    const { address } = client;
    this.#addresses.charge(address, ms);
    this.#addresses.find(address)?.charge(client, ms);
  }

  /** Takes an item of a client out, wherever it stands. @returns whether it was there */
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

import type { Client } from "#api/rpc/index.ts";
import { type QueryJob, sizeBytesOf } from "./query-job.ts";

/** How much may wait for query threads. */
export interface WaitingLimits {
  /** Most jobs. */
  readonly maxCount: number;
  /** Most bytes of them. */
  readonly maxSizeBytes: number;
  /** Most queries of one connection. */
  readonly maxPerConnection: number;
}

/** As many of a connection as a WebSocket has in hand, each a batch. */
export const WAITING_LIMITS: WaitingLimits = {
  maxCount: 4_096,
  maxSizeBytes: 128 << 20,
  maxPerConnection: 64,
};

interface Holding {
  count: number;
  sizeBytes: number;
}

type Measure = keyof Holding;

interface Connection extends Holding {
  /** Oldest first, with their bytes. */
  readonly jobs: Map<QueryJob, number>;
}

interface Address extends Holding {
  readonly connections: Map<Client, Connection>;
}

/**
 * The jobs that wait, by whom they wait for. When there is no room, those with most make it: the newest
 * job of the largest connection of the largest address goes.
 */
export class WaitingJobs {
  readonly #limits: WaitingLimits;
  readonly #addresses = new Map<string, Address>();
  readonly #total: Holding = { count: 0, sizeBytes: 0 };

  constructor(limits: WaitingLimits) {
    this.#limits = limits;
  }

  /** How many jobs wait, and their bytes. */
  get total(): Readonly<Holding> {
    return this.#total;
  }

  /** Lets a job in without asking whether there is room. */
  add(job: QueryJob): void {
    const { client, work } = job;
    const address = this.#addresses.get(client.address) ?? {
      ...{ count: 0, sizeBytes: 0 },
      connections: new Map<Client, Connection>(),
    };
    const connection = address.connections.get(client) ?? {
      ...{ count: 0, sizeBytes: 0 },
      jobs: new Map<QueryJob, number>(),
    };
    this.#addresses.set(client.address, address);
    address.connections.set(client, connection);
    const sizeBytes = sizeBytesOf(work);
    connection.jobs.set(job, sizeBytes);
    for (const holding of [this.#total, address, connection]) {
      holding.count++;
      holding.sizeBytes += sizeBytes;
    }
  }

  /** A job waits no more. */
  remove(job: QueryJob): void {
    const { client } = job;
    const address = this.#addresses.get(client.address);
    const connection = address?.connections.get(client);
    const sizeBytes = connection?.jobs.get(job);
    if (address === undefined || connection === undefined || sizeBytes === undefined) return;
    connection.jobs.delete(job);
    for (const holding of [this.#total, address, connection]) {
      holding.count--;
      holding.sizeBytes -= sizeBytes;
    }
    if (connection.count === 0) address.connections.delete(client);
    if (address.count === 0) this.#addresses.delete(client.address);
  }

  /**
   * What has to go so that a job can wait.
   *
   * @returns nothing when there is room; the job itself when nobody has more than its client
   */
  inTheWay(job: QueryJob): QueryJob | undefined {
    const { maxCount, maxSizeBytes, maxPerConnection } = this.#limits;
    const { client, work } = job;
    const own = this.#addresses.get(client.address)?.connections.get(client);
    if (work.kind === "query" && (own?.count ?? 0) >= maxPerConnection) return job;
    if (this.#total.count >= maxCount) return this.#newestOfLargest(job, "count", 1);
    const sizeBytes = sizeBytesOf(work);
    if (sizeBytes > maxSizeBytes) return job;
    return this.#total.sizeBytes + sizeBytes > maxSizeBytes
      ? this.#newestOfLargest(job, "sizeBytes", sizeBytes)
      : undefined;
  }

  #newestOfLargest(job: QueryJob, measure: Measure, added: number): QueryJob {
    const { client } = job;
    const own = this.#addresses.get(client.address);
    const address = largest(this.#addresses.values(), measure);
    if (address === undefined) return job;
    const isOwn = address === own;
    if (!isOwn && address[measure] <= (own?.[measure] ?? 0) + added) return job;
    const connection = largest(address.connections.values(), measure);
    const held = own?.connections.get(client)?.[measure] ?? 0;
    if (connection === undefined || (isOwn && connection[measure] <= held + added)) return job;
    return [...connection.jobs.keys()].at(-1) ?? job;
  }
}

function largest<T extends Holding>(holdings: Iterable<T>, measure: Measure): T | undefined {
  let largest: T | undefined;
  for (const holding of holdings) {
    if (largest === undefined || holding[measure] > largest[measure]) largest = holding;
  }
  return largest;
}

import type { Client } from "#api/rpc/index.ts";
import { type QueryJob, sizeBytesOf } from "./query-job.ts";

/** Limits of the queue for query threads. */
export interface WaitingLimits {
  readonly maxCount: number;
  /** Maximum total size of the jobs. */
  readonly maxSizeBytes: number;
  /** Maximum queries of one connection. */
  readonly maxPerConnection: number;
}

/**
 * Default limits of the queue for query threads. The maximum per connection is the number of queries that one
 * WebSocket can have in flight: 16 batches of 4 queries each.
 */
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
  /** Jobs with their sizes, oldest first. */
  readonly jobs: Map<QueryJob, number>;
}

interface Address extends Holding {
  readonly connections: Map<Client, Connection>;
}

/**
 * Waiting jobs by client. When the queue is full, the largest client makes room: the newest job of the
 * largest connection of the largest address is evicted.
 */
export class WaitingJobs {
  readonly #limits: WaitingLimits;
  readonly #addresses = new Map<string, Address>();
  readonly #total: Holding = { count: 0, sizeBytes: 0 };

  constructor(limits: WaitingLimits) {
    this.#limits = limits;
  }

  /** Number and total size of the waiting jobs. */
  get total(): Readonly<Holding> {
    return this.#total;
  }

  /** Adds a job without checking the limits. */
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

  /** Removes a job; ignores unknown ones. */
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
   * Returns the job to evict so that another one fits.
   *
   * @returns `undefined` if there is room; the job itself if no client has more than its own
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

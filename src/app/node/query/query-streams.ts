import type { AnswerStream, Client } from "#api/rpc/index.ts";
import { NodeError } from "#base/errors/index.ts";
import type { QueryAnswer } from "../threads/query-messages.ts";
import { QueryJob } from "./query-job.ts";
import type { QuerySlot, Running } from "./query-slot.ts";

/**
 * Maximum concurrent long responses: of all clients together, and to one client address. Each may keep a trace
 * of some hundred MiB.
 */
export const MAX_STREAMS = { inAll: 4, ofAddress: 2 } as const;

/**
 * Time without a read by its client after which a long response may be ended in favour of others,
 * in milliseconds.
 */
export const PATIENCE_MS = 5_000;

const REST_KIND = { kind: "rest", exact: "" } as const;

const GAVE_WAY = "its client did not read, and other clients need the capacity";

/** Dependencies of {@link QueryStreams}. */
export interface QueryStreamsDeps {
  /** Notifies the pool that bytes are needed. */
  readonly wake: () => void;
  readonly nowMs: () => number;
}

/**
 * Long responses whose unfinished rest a query thread keeps. The thread continues one when its client reads
 * on, between its other jobs. Both get equal processor time while both wait.
 */
export class QueryStreams {
  readonly #deps: QueryStreamsDeps;
  readonly #open = new Set<QueryStream>();
  #restMs = 0;
  #otherMs = 0;

  constructor(deps: QueryStreamsDeps) {
    this.#deps = deps;
  }

  /**
   * Opens the stream of a response whose rest a thread keeps.
   *
   * @param order - id of the answered order
   * @returns `undefined` if there is no capacity
   */
  open(slot: QuerySlot, client: Client, order: number): AnswerStream | undefined {
    if (!this.#makeRoom(client)) return undefined;
    if (this.#open.size === 0) this.#restMs = this.#otherMs;
    const over = (): void => void this.#open.delete(stream);
    const stream = new QueryStream(slot, client, order, { ...this.#deps, over });
    this.#open.add(stream);
    this.#deps.wake();
    return stream;
  }

  /**
   * Returns the stream job that an idle thread should run next.
   *
   * @param othersWait - whether other jobs wait for a thread
   */
  next(slot: QuerySlot, othersWait: boolean): Running | undefined {
    const stream = this.#wantedOf(slot);
    if (stream === undefined) return undefined;
    if (!othersWait) this.#otherMs = Math.max(this.#otherMs, this.#restMs);
    if (this.#restMs > this.#otherMs) return undefined;
    return { job: stream.begin(), lane: "long", countedMs: 0 };
  }

  /** Adds the processor time of a job. */
  spent(isRest: boolean, processorMs: number): void {
    if (isRest) this.#restMs += processorMs;
    else this.#otherMs += processorMs;
  }

  /** Delivers the answer to a job of {@link next}. */
  deliver(job: QueryJob, answer: QueryAnswer): void {
    for (const stream of this.#open) if (stream.job === job) stream.deliver(answer);
  }

  /** Fails all streams. */
  fail(reason: string): void {
    for (const stream of [...this.#open]) stream.fail(reason);
  }

  #wantedOf(slot: QuerySlot): QueryStream | undefined {
    for (const stream of this.#open) {
      if (stream.slot !== slot || !stream.isWanted) continue;
      // Moved to the end, behind the other streams.
      this.#open.delete(stream);
      this.#open.add(stream);
      return stream;
    }
    return undefined;
  }

  #makeRoom({ address }: Client): boolean {
    const all = [...this.#open];
    const own = all.filter(({ client }) => client.address === address);
    const crowd = own.length >= MAX_STREAMS.ofAddress ? own : all;
    if (crowd === all && all.length < MAX_STREAMS.inAll) return true;
    const idle = crowd.find(({ unreadMs }) => unreadMs > PATIENCE_MS);
    idle?.fail(GAVE_WAY);
    return idle !== undefined;
  }
}

/** Ports of a stream. */
interface StreamEnds extends QueryStreamsDeps {
  /** Called once, when the thread produces nothing more of it. */
  readonly over: () => void;
}

/**
 * Rest of a response. One piece is produced ahead of its client: a thread that waited for the client would
 * start another job in between.
 */
class QueryStream implements AnswerStream {
  readonly slot: QuerySlot;
  readonly client: Client;
  readonly #order: number;
  readonly #ends: StreamEnds;
  #pendingRead: PromiseWithResolvers<Uint8Array | undefined> | undefined;
  #ahead: Uint8Array | undefined;
  #job: QueryJob | undefined;
  /** Reason of the end; `null` after the last piece, `undefined` before the end. */
  #end: string | null | undefined;
  /** Time of the client's last read. */
  #lastReadMs: number;

  constructor(slot: QuerySlot, client: Client, order: number, ends: StreamEnds) {
    this.slot = slot;
    this.client = client;
    this.#order = order;
    this.#ends = ends;
    this.#lastReadMs = ends.nowMs();
  }

  /** Job that produces the next bytes; `undefined` while no thread has it. */
  get job(): QueryJob | undefined {
    return this.#job;
  }

  /** Whether bytes are needed and no thread produces them yet. */
  get isWanted(): boolean {
    return this.#end === undefined && this.#ahead === undefined && this.#job === undefined;
  }

  /** Time since the client's last read, in milliseconds; 0 while it waits for bytes. */
  get unreadMs(): number {
    return this.#pendingRead === undefined ? this.#ends.nowMs() - this.#lastReadMs : 0;
  }

  next(): Promise<Uint8Array | undefined> {
    this.#lastReadMs = this.#ends.nowMs();
    const ahead = this.#ahead;
    if (ahead !== undefined) {
      this.#ahead = undefined;
      this.#ends.wake();
      return Promise.resolve(ahead);
    }
    if (this.#end === null) return Promise.resolve(undefined);
    if (this.#end !== undefined) return Promise.reject(cut(this.#end));
    this.#pendingRead = Promise.withResolvers();
    return this.#pendingRead.promise;
  }

  /** Creates the job for the next bytes. */
  begin(): QueryJob {
    const ends = { resolve: () => undefined, fail: () => undefined, refuse: () => undefined };
    const work = { kind: "rest", of: this.#order } as const;
    const { client } = this;
    const job = new QueryJob(
      { work, kind: REST_KIND, client, isLong: true, signal: undefined },
      ends,
    );
    this.#job = job;
    return job;
  }

  deliver({ bytes, isOpen, failed }: QueryAnswer): void {
    this.#job = undefined;
    if (failed !== undefined) return this.fail(failed);
    if (isOpen !== true) this.#finish(null);
    const pendingRead = this.#pendingRead;
    this.#pendingRead = undefined;
    if (pendingRead === undefined) this.#ahead = bytes;
    else pendingRead.resolve(bytes);
  }

  /** Ends the stream with an error; a piece produced ahead is still delivered. */
  fail(reason: string): void {
    this.#letGo();
    this.#finish(reason);
    this.#pendingRead?.reject(cut(reason));
    this.#pendingRead = undefined;
  }

  close(): void {
    this.#ahead = undefined;
    if (this.#end === undefined) {
      this.#letGo();
      this.#finish("its client no longer reads");
    }
    this.#pendingRead?.resolve(undefined);
    this.#pendingRead = undefined;
  }

  #finish(end: string | null): void {
    this.#end = end;
    this.#ends.over();
  }

  /** Makes the thread discard its state. */
  #letGo(): void {
    this.slot.close(this.#order);
    if (this.#job !== undefined) this.slot.abandon(this.#job);
  }
}

function cut(reason: string): NodeError {
  return new NodeError("NODE_ANSWER_CUT", `the response cannot continue: ${reason}`);
}

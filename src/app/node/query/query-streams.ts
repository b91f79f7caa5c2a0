import type { AnswerStream, Client } from "#api/rpc/index.ts";
import { NodeError } from "#base/errors/index.ts";
import type { QueryAnswer } from "../threads/query-messages.ts";
import { QueryJob } from "./query-job.ts";
import type { QuerySlot, Running } from "./query-slot.ts";

/** Long answers that are under way at a time; each may keep a trace of some hundred MiB. */
export const MOST_STREAMS = { inAll: 4, ofAddress: 2 } as const;

/** A client that takes nothing for this long makes room for others, in milliseconds. */
export const PATIENCE_MS = 5_000;

const REST_KIND = { kind: "rest", exact: "" } as const;

const GAVE_WAY = "its client did not read, and others wait for room";

/** Ports of streams. */
export interface QueryStreamsDeps {
  /** Tells the pool that bytes are wanted. */
  readonly wake: () => void;
  readonly nowMs: () => number;
}

/**
 * Long answers of which a query thread keeps the unfinished rest. The thread continues with one when its
 * client wants more, between its other jobs; both get the same processor time while both wait.
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
   * Opens the stream of an answer of which a thread keeps the rest.
   *
   * @param order - number of the order that was answered
   * @returns `undefined`: there is no room
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
   * The rest that an idle thread is to make next.
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

  /** Counts what a thread has used for a job. */
  spent(isRest: boolean, processorMs: number): void {
    if (isRest) this.#restMs += processorMs;
    else this.#otherMs += processorMs;
  }

  /** A thread has answered a job that {@link next} gave. */
  given(job: QueryJob, answer: QueryAnswer): void {
    for (const stream of this.#open) if (stream.job === job) stream.given(answer);
  }

  /** Ends all. */
  fail(reason: string): void {
    for (const stream of [...this.#open]) stream.fail(reason);
  }

  #wantedOf(slot: QuerySlot): QueryStream | undefined {
    for (const stream of this.#open) {
      if (stream.slot !== slot || !stream.isWanted) continue;
      // It stands behind the others from now on.
      this.#open.delete(stream);
      this.#open.add(stream);
      return stream;
    }
    return undefined;
  }

  #makeRoom({ address }: Client): boolean {
    const all = [...this.#open];
    const own = all.filter(({ client }) => client.address === address);
    const crowd = own.length >= MOST_STREAMS.ofAddress ? own : all;
    if (crowd === all && all.length < MOST_STREAMS.inAll) return true;
    const idle = crowd.find(({ unreadMs }) => unreadMs > PATIENCE_MS);
    idle?.fail(GAVE_WAY);
    return idle !== undefined;
  }
}

/** Ports of a stream. */
interface StreamEnds extends QueryStreamsDeps {
  /** Called once, when the thread makes nothing more of it. */
  readonly over: () => void;
}

/**
 * The rest of one answer. One piece is made ahead of its client: a thread that waited for the client would
 * begin with something else in between.
 */
class QueryStream implements AnswerStream {
  readonly slot: QuerySlot;
  readonly client: Client;
  readonly #order: number;
  readonly #ends: StreamEnds;
  #asked: PromiseWithResolvers<Uint8Array | undefined> | undefined;
  #ahead: Uint8Array | undefined;
  #job: QueryJob | undefined;
  /** Why there is no more; `null`: all was made. */
  #end: string | null | undefined;
  /** When its client asked last. */
  #askedMs: number;

  constructor(slot: QuerySlot, client: Client, order: number, ends: StreamEnds) {
    this.slot = slot;
    this.client = client;
    this.#order = order;
    this.#ends = ends;
    this.#askedMs = ends.nowMs();
  }

  /** The job that makes its next bytes, while a thread has it in hand. */
  get job(): QueryJob | undefined {
    return this.#job;
  }

  /** Whether bytes are wanted that no thread makes yet. */
  get isWanted(): boolean {
    return this.#end === undefined && this.#ahead === undefined && this.#job === undefined;
  }

  /** How long its client has left bytes unread, in milliseconds. */
  get unreadMs(): number {
    return this.#asked === undefined ? this.#ends.nowMs() - this.#askedMs : 0;
  }

  next(): Promise<Uint8Array | undefined> {
    this.#askedMs = this.#ends.nowMs();
    const ahead = this.#ahead;
    if (ahead !== undefined) {
      this.#ahead = undefined;
      this.#ends.wake();
      return Promise.resolve(ahead);
    }
    if (this.#end === null) return Promise.resolve(undefined);
    if (this.#end !== undefined) return Promise.reject(cut(this.#end));
    this.#asked = Promise.withResolvers();
    return this.#asked.promise;
  }

  /** A thread begins with the next bytes. */
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

  /** A thread has made the next bytes. */
  given({ bytes, isOpen, failed }: QueryAnswer): void {
    this.#job = undefined;
    if (failed !== undefined) return this.fail(failed);
    if (isOpen !== true) this.#finish(null);
    const asked = this.#asked;
    this.#asked = undefined;
    if (asked === undefined) this.#ahead = bytes;
    else asked.resolve(bytes);
  }

  /** It cannot go on; what was made ahead is still given. */
  fail(reason: string): void {
    this.#letGo();
    this.#finish(reason);
    this.#asked?.reject(cut(reason));
    this.#asked = undefined;
  }

  close(): void {
    this.#ahead = undefined;
    if (this.#end === undefined) {
      this.#letGo();
      this.#finish("nobody reads it any more");
    }
    this.#asked?.resolve(undefined);
    this.#asked = undefined;
  }

  #finish(end: string | null): void {
    this.#end = end;
    this.#ends.over();
  }

  /** The thread lets go what it keeps. */
  #letGo(): void {
    this.slot.close(this.#order);
    if (this.#job !== undefined) this.slot.abandon(this.#job);
  }
}

function cut(reason: string): NodeError {
  return new NodeError("NODE_ANSWER_CUT", `the answer cannot go on: ${reason}`);
}

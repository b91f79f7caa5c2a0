import type { OriginQuery } from "../query.ts";
import type { CachingSource } from "../source.ts";
import { encodeFailure } from "./failure.ts";
import type { OriginReply, OriginRequest } from "./messages.ts";
import { prefetch } from "./prefetch.ts";
import { WaitPage } from "./wait-page.ts";

const NOTHING = new Uint8Array(0);

/** Rest of an answer that did not fit into one piece. */
interface Rest {
  readonly id: number;
  readonly bytes: Uint8Array;
}

/** Answers one waiting thread: the other end of a `WaitingChannel`. */
export class AnsweringChannel {
  readonly #source: CachingSource;
  readonly #ask: CachingSource["answer"];
  readonly #reply: (reply: OriginReply) => void;
  #page: WaitPage | undefined;
  #rest: Rest | undefined;

  /**
   * @param keeps - whether the chain depends on the values that the thread waits for
   * @param reply - sends to the thread that the requests come from
   */
  constructor(source: CachingSource, keeps: boolean, reply: (reply: OriginReply) => void) {
    this.#source = source;
    this.#ask = keeps ? (query) => source.keep(query) : (query) => source.answer(query);
    this.#reply = reply;
  }

  /** Handles a message of the waiting thread; never throws. */
  receive(message: OriginRequest): void {
    switch (message.kind) {
      case "page":
        this.#page = new WaitPage(message.page);
        return;
      case "ask":
        if (message.companions.length > 0 && !this.#source.knows(message.query)) {
          this.#prefetchAll(message.companions);
        }
        void this.#answer(message.id, message.query);
        return;
      case "more":
        if (this.#rest?.id === message.id) this.#deliver(message.id, this.#rest.bytes);
        return;
      case "prefetch":
        this.#prefetchAll(message.queries);
        return;
      case "fetch":
        void this.#fetch(message.id, message.queries);
    }
  }

  async #fetch(id: number, queries: readonly OriginQuery[]): Promise<void> {
    const values: OriginReply["values"][number][] = [];
    let failure: Uint8Array | null = null;
    const outcomes = await Promise.allSettled(queries.map((query) => this.#source.answer(query)));
    for (const [i, query] of queries.entries()) {
      const outcome = outcomes[i];
      if (outcome?.status === "fulfilled") values.push({ query, value: outcome.value });
      else failure ??= encodeFailure(outcome?.reason);
    }
    this.#reply({ kind: "fetched", id, values, failure });
  }

  async #answer(id: number, query: OriginQuery): Promise<void> {
    try {
      const value = await this.#ask(query);
      if (value === null) this.#page?.deliver(id, "absent", NOTHING);
      else this.#deliver(id, value);
    } catch (error) {
      this.#page?.deliver(id, "failed", encodeFailure(error));
    }
  }

  #deliver(id: number, bytes: Uint8Array): void {
    const page = this.#page;
    if (page === undefined) return;
    const isLast = bytes.length <= page.capacity;
    const piece = bytes.subarray(0, page.capacity);
    // A late answer, for which nobody waits, must not replace the rest of the current one.
    if (!page.deliver(id, isLast ? "last" : "more", piece)) return;
    this.#rest = isLast ? undefined : { id, bytes: bytes.subarray(page.capacity) };
  }

  #prefetchAll(queries: readonly OriginQuery[]): void {
    for (const query of queries) void prefetch(this.#source, query);
  }
}

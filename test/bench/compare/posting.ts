import { quantile } from "../latency.ts";
import { Connection } from "./connection.ts";
import { memoryOf } from "./memory-of.ts";
import type { PostOrder, PostReport } from "./transfer-messages.ts";

/** Interval of checks for due transfers. */
const DUE_MS = 1;
/** Interval of checks of the server's memory. */
const MEMORY_MS = 100;

/** A transfer that is ready to be posted. */
export interface Prepared {
  readonly hash: string;
  readonly request: Buffer;
}

/** One order in progress: each connection posts the transfers of its senders in order. */
export class Posting {
  readonly #order: PostOrder;
  readonly #senders: number;
  readonly #prepared: (i: number) => Prepared;
  readonly #latencies: number[] = [];
  /** Last posted transfer of each sender. */
  readonly #last = new Map<number, string>();
  readonly #done = Promise.withResolvers<void>();
  #open: Poster[] = [];
  #startedMs = 0;
  #underWay = 0;
  #left: number;
  #refused = 0;
  #error = "";

  /** @param prepared - returns the transfer with a number */
  constructor(order: PostOrder, senders: number, prepared: (i: number) => Prepared) {
    this.#order = order;
    this.#senders = senders;
    this.#prepared = prepared;
    this.#left = order.count;
  }

  /**
   * Posts all transfers, or as many as the memory bound allows. @returns the hash of each sender's
   * last one
   */
  async run(): Promise<readonly string[]> {
    const count = Math.min(this.#order.connections, this.#senders);
    const numbers = Array.from({ length: count }, (_, own) => own);
    this.#open = await Promise.all(numbers.map((own) => this.#poster(own, count)));
    this.#startedMs = performance.now();
    this.#postDue();
    const timers = [
      ...(this.#order.perSecond === 0 ? [] : [setInterval(() => this.#postDue(), DUE_MS)]),
      setInterval(() => this.#lookAtMemory(), MEMORY_MS),
    ];
    try {
      await this.#done.promise;
    } finally {
      for (const timer of timers) clearInterval(timer);
      for (const { close } of this.#open) close();
    }
    return [...this.#last.values()];
  }

  /** Time of the first post. */
  get startedMs(): number {
    return this.#startedMs;
  }

  /** Report, without the time until all are accepted. */
  report(): Omit<PostReport, "seconds" | "clientShare"> {
    return {
      posted: this.#latencies.length,
      p50Ms: quantile(this.#latencies, 0.5),
      p99Ms: quantile(this.#latencies, 0.99),
      maxMs: quantile(this.#latencies, 1),
      refused: this.#refused,
      error: this.#error,
    };
  }

  async #poster(own: number, connections: number): Promise<Poster> {
    const { port, from, count, perSecond } = this.#order;
    const isOwn = (i: number): boolean => (i % this.#senders) % connections === own;
    const ownAfter = (i: number): number => {
      let next = i + 1;
      while (!isOwn(next)) next++;
      return next;
    };
    let next = ownAfter(from - 1);
    let isWaiting = false;
    let sinceMs = 0;
    const connection = await Connection.open(
      port,
      (body) => {
        const nowMs = performance.now();
        isWaiting = false;
        this.#answered(body, nowMs - sinceMs);
        post(nowMs);
      },
      () => isWaiting && this.#done.reject(new TypeError("the server ended a connection")),
    );
    const post = (nowMs: number): void => {
      if (isWaiting || this.#left === 0 || next >= from + count) return;
      const dueMs = perSecond === 0 ? nowMs : this.#startedMs + ((next - from) * 1000) / perSecond;
      if (dueMs > nowMs) return;
      isWaiting = true;
      sinceMs = dueMs;
      const { hash, request } = this.#prepared(next);
      this.#last.set(next % this.#senders, hash);
      this.#left--;
      this.#underWay++;
      next = ownAfter(next);
      connection.send(request);
    };
    return { post, close: () => connection.close() };
  }

  #answered(body: Buffer, ms: number): void {
    this.#latencies.push(ms);
    if (body.includes('"error":')) {
      this.#refused++;
      this.#error = body.toString();
    }
    if (--this.#underWay === 0 && this.#left === 0) this.#done.resolve();
  }

  #postDue(): void {
    const nowMs = performance.now();
    for (const { post } of this.#open) post(nowMs);
  }

  #lookAtMemory(): void {
    const { pid, mostResidentMiB } = this.#order.memory;
    if (memoryOf(pid).residentMiB <= mostResidentMiB) return;
    this.#left = 0;
    if (this.#underWay === 0) this.#done.resolve();
  }
}

/** A connection that posts. */
interface Poster {
  /** Posts the next transfer if none is in flight and it is due. */
  readonly post: (nowMs: number) => void;
  readonly close: () => void;
}

import { OriginError } from "#base/errors/index.ts";
import type { Port, Timer } from "#base/primitives/index.ts";
import { describeError } from "#base/telemetry/index.ts";
import {
  AnsweringChannel,
  type CachingSource,
  encodeFailure,
  type OriginQuery,
  type OriginReply,
  type OriginRequest,
  type OriginTally,
  prefetch,
} from "#io/origin/index.ts";
import type { FromFork, ToFork } from "../threads/fork-messages.ts";
import type { MainCompiler } from "./main-compiler.ts";

/** Interval of reports to the main thread, in milliseconds. */
const REPORT_MS = 500;

type Begin = Extract<ToFork, { readonly kind: "begin" }>;

/** Connection with an origin. */
export interface OpenedOrigin {
  readonly source: CachingSource;
  /** Rejects with {@link OriginError} when the origin is no longer the one that was forked. */
  readonly repinned: Promise<unknown>;
}

/** Dependencies of {@link OriginThread}. */
export interface OriginThreadDeps {
  readonly main: {
    send(message: FromFork): void;
    listen(handler: (message: ToFork) => void): void;
  };
  /** Port of the thread that executes the chain's transactions, whose values are always kept. */
  readonly executor: Port<OriginRequest, OriginReply>;
  /** Ports of the other threads that wait for values. */
  readonly waiting: readonly Port<OriginRequest, OriginReply>[];
  readonly compiler: MainCompiler;
  readonly tally: OriginTally;
  readonly timer: Timer;
  readonly open: (begin: Begin) => OpenedOrigin;
  /** Values that are cached while the node starts; nobody waits for them. */
  readonly usual: readonly OriginQuery[];
}

/** Answers the threads that read the origin, and reports its state to the main thread. */
export class OriginThread {
  readonly #deps: OriginThreadDeps;
  readonly #source = Promise.withResolvers<CachingSource>();
  #opened: CachingSource | undefined;
  #cancelReport: () => void = () => undefined;

  constructor(deps: OriginThreadDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { main, executor, waiting } = this.#deps;
    const source: CachingSource = {
      answer: (query) => this.#answer(query),
      keep: async (query) => (await this.#source.promise).keep(query),
      knows: (query) => this.#opened?.knows(query) ?? false,
    };
    for (const port of [executor, ...waiting]) {
      const keeps = port === executor;
      const channel = new AnsweringChannel(source, keeps, (reply) => port.send(reply));
      port.listen((message) => channel.receive(message));
    }
    main.listen((message) => {
      switch (message.kind) {
        case "compiled":
          return this.#deps.compiler.settle(message.id, message.outcome);
        case "ask":
          return void this.#tell(message.id, message.query);
        case "begin":
          return void this.#begin(message);
      }
    });
    main.send({ kind: "addressesNeeded" });
    this.#report();
  }

  stop(): void {
    this.#cancelReport();
  }

  async #begin(begin: Begin): Promise<void> {
    const { open, tally, usual } = this.#deps;
    const { source, repinned } = open(begin);
    this.#opened = source;
    this.#source.resolve(source);
    const keeping = { answer: (query: OriginQuery) => source.keep(query) };
    for (const query of usual) void prefetch(keeping, query);
    try {
      await repinned;
    } catch (error) {
      const reason = error instanceof OriginError ? error.message : describeError(error);
      tally.stateChanged({ kind: "down", sinceUnixMs: Date.now(), reason });
    }
  }

  /** Answers the main thread. */
  async #tell(id: number, query: OriginQuery): Promise<void> {
    const { main } = this.#deps;
    try {
      main.send({ kind: "value", id, value: await this.#answer(query) });
    } catch (error) {
      main.send({ kind: "lost", id, failure: encodeFailure(error) });
    }
  }

  async #answer(query: OriginQuery): Promise<Uint8Array | null> {
    return (await this.#source.promise).answer(query);
  }

  #report(): void {
    const { main, tally, timer } = this.#deps;
    const report = tally.take();
    if (report !== undefined) main.send({ kind: "origin", report });
    this.#cancelReport = timer.after(REPORT_MS, () => this.#report());
  }
}

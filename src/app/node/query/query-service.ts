import type { LongResult } from "#api/rpc/index.ts";
import type { Port } from "#base/primitives/index.ts";
import type { GarbageWatch } from "#engine/cairo/index.ts";
import { positionAt, type ReadPosition } from "#engine/state/index.ts";
import { OriginMissing } from "#io/origin/index.ts";
import type {
  DeltaMessage,
  PendingFeed,
  SlowValidationMetadata,
} from "#services/admission/index.ts";
import type { PendingDropped } from "#services/sync/index.ts";
import type { PublishedChain } from "../storage/chain/published-chain.ts";
import type { Cancellation } from "./cancellation.ts";
import type { ClassNeeds } from "./class-needs.ts";
import type {
  FromQuery,
  QueryAnswer,
  QueryOrder,
  QueryWork,
  ToQuery,
} from "../threads/query-messages.ts";
import type { ProcessorTime, TimeAlarm } from "../threads/health/processor-time.ts";
import type { OpenResults, PartialAnswer } from "./open-results.ts";
import type { OriginNeeds } from "./origin-needs.ts";
import { queryFailure } from "./query-failure.ts";

/** Ports of {@link QueryService}. */
export interface QueryPorts {
  readonly main: Port<ToQuery, FromQuery>;
  /** Reports changes above the accepted blocks. */
  readonly deltas: Pick<Port<DeltaMessage | PendingDropped, never>, "listen">;
  readonly accepted: Pick<Port<{ readonly blockNumber: number }, never>, "listen">;
}

/** Work order of an RPC method, the most frequent kind. */
export type RpcQuery = Extract<QueryWork, { readonly kind: "query" }>;

/** Dependencies of {@link QueryService}. */
export interface QueryServiceDeps {
  readonly ports: QueryPorts;
  readonly chain: Pick<PublishedChain, "publish" | "takeOutpaced">;
  /** Pending blocks above the chain; only this service feeds it. */
  readonly feed: Pick<PendingFeed, "position" | "reach" | "delta" | "lost" | "accepted">;
  readonly cancellation: Cancellation;
  /** Processor time of the thread, checked while it works. */
  readonly time: Pick<ProcessorTime, "start" | "begin" | "spentMs">;
  /** Compiled classes for {@link run}. */
  readonly classes: Pick<ClassNeeds, "begin" | "needed">;
  /** Values of a fork's origin for {@link run}, {@link validate} and {@link prepare}. */
  readonly origin: Pick<OriginNeeds, "begin" | "missing" | "note">;
  /** Runs a method; resolves with UTF-8 JSON that has `result` or `error`, or with a long result. */
  readonly run: (query: RpcQuery) => Promise<Uint8Array | LongResult>;
  /** Keeps the rest of long responses. */
  readonly results: Pick<OpenResults, "start" | "keep" | "rest" | "close">;
  /** Validates an encoded transaction, as `validateSlowly`. */
  readonly validate: (bytes: Uint8Array, metadata: SlowValidationMetadata) => Uint8Array;
  /** Hashes and validates a declaration, as `prepareDeclaration`. */
  readonly prepare: (bytes: Uint8Array, namesOnly: boolean) => Uint8Array;
  /**
   * Collects the garbage of answers. By default, the engine would let gigabytes accumulate on a thread with a
   * machine: declarations that are unpacked and refused leave some hundred MiB a second.
   */
  readonly garbage: Pick<GarbageWatch, "lookNow">;
  /** Called with an error after which the service cannot continue. */
  readonly fail: (error: unknown) => void;
}

/** Error of a query on a thread that lags behind. */
const LATE = "the query thread did not receive the newest blocks in time";

/**
 * Processor time, in milliseconds, of a job after which the thread sends finished answers and returns jobs
 * that it has not started.
 */
const WAIT_MS = 5;

/** Maximum runs of a query that new blocks outpace: they are at least milliseconds apart. */
const MAX_RUNS = 8;

/** Answers calls, estimates and large reads. Each answer reflects at least the client's chain position. */
export class QueryService {
  readonly #deps: QueryServiceDeps;

  constructor(deps: QueryServiceDeps) {
    this.#deps = deps;
  }

  /** Registers the message handlers. */
  start(): void {
    const { ports, chain, feed, results, fail } = this.#deps;
    ports.deltas.listen((message) => {
      if (message.kind === "pendingDropped") feed.lost();
      else feed.delta(message);
    });
    ports.accepted.listen(({ blockNumber }) => {
      chain.publish(blockNumber);
      feed.accepted({ blockNumber });
    });
    ports.main.listen((message) => {
      if (message.kind === "close") results.close(message.of);
      else void this.#work(message.orders).catch(fail);
    });
  }

  /** Runs jobs one after another. Jobs behind one that is slow or cancelled are returned immediately. */
  async #work(orders: readonly QueryOrder[]): Promise<void> {
    const { ports, time, garbage } = this.#deps;
    let answers: QueryAnswer[] = [];
    let waiting = orders;
    const tell = (): void => {
      if (answers.length + waiting.length === 0) return;
      ports.main.send({ kind: "answers", answers, notStarted: waiting.map(({ id }) => id) });
      answers = [];
      waiting = [];
    };
    time.start();
    for (let [order] = waiting; order !== undefined; [order] = waiting) {
      const { id, longAfterMs } = order;
      waiting = waiting.slice(1);
      const alarms: TimeAlarm[] = [{ afterMs: WAIT_MS, ring: tell }];
      if (longAfterMs !== null) {
        alarms.push({ afterMs: longAfterMs, ring: () => ports.main.send({ kind: "long", id }) });
      }
      const answer = await this.#answer(order, alarms);
      answers.push(answer);
      if (answer.isCancelled) break;
    }
    tell();
    garbage.lookNow();
  }

  async #answer(order: QueryOrder, alarms: readonly TimeAlarm[]): Promise<QueryAnswer> {
    const { feed, cancellation, time, classes, origin } = this.#deps;
    const { id } = order;
    cancellation.begin();
    time.begin(alarms);
    classes.begin(order.kind === "query" ? order.compiled : undefined);
    origin.begin(order.kind === "query" ? order.fetched : undefined);
    const partial = await this.#answerTo(order);
    const { isCancelled } = cancellation;
    const needed = classes.needed.length > 0 ? { needed: classes.needed } : {};
    const missing = origin.missing.length > 0 ? { missing: origin.missing } : {};
    const { position } = feed;
    const { spentMs: processorMs } = time;
    return { id, processorMs, isCancelled, position, ...partial, ...needed, ...missing };
  }

  async #answerTo(request: QueryOrder): Promise<PartialAnswer> {
    const { validate, prepare, results } = this.#deps;
    if (request.kind === "rest") return results.rest(request.of);
    const isUpToDate = await this.#reach(request.position);
    // A thread that lags too far validates on its own state: the executor validates again.
    if (request.kind === "validate") {
      return this.#checked(() => validate(request.bytes, request.metadata));
    }
    if (request.kind === "prepare") {
      return this.#checked(() => prepare(request.bytes, request.namesOnly ?? false));
    }
    return isUpToDate ? this.#run(request) : { bytes: queryFailure(LATE) };
  }

  /** Returns the result of a check, unless the thread lacks values of a fork's origin. */
  #checked(check: () => Uint8Array): PartialAnswer {
    try {
      return { bytes: check() };
    } catch (thrown) {
      if (!(thrown instanceof OriginMissing)) throw thrown;
      this.#deps.origin.note(thrown.queries);
      return { bytes: new Uint8Array(0) };
    }
  }

  /**
   * Runs a query. Repeats it if blocks that are stored, but not yet announced, replaced data that it read.
   * Announcements follow immediately, so that the next run is up to date.
   */
  async #run(request: RpcQuery & Pick<QueryOrder, "id">): Promise<PartialAnswer> {
    const { run, chain, results } = this.#deps;
    for (let runs = 1; ; runs++) {
      chain.takeOutpaced();
      const made = await run(request);
      const isLong = !(made instanceof Uint8Array);
      const partial = isLong ? results.start(made, request.takesRest === true) : { bytes: made };
      const stored = chain.takeOutpaced();
      const isLast = stored === undefined || runs === MAX_RUNS;
      if (isLast || !(await this.#reach(positionAt(stored)))) {
        if (isLong && partial.isOpen === true) results.keep(request.id, made);
        return partial;
      }
      if (isLong) made.close();
    }
  }

  async #reach(wanted: ReadPosition): Promise<boolean> {
    const reached = this.#deps.feed.reach(wanted);
    return reached === undefined || (await reached);
  }
}

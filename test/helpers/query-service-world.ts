import type {
  FromQuery,
  QueryAnswer,
  QueryOrder,
  ToQuery,
} from "#app/node/threads/query-messages.ts";
import { Cancellation } from "#app/node/query/cancellation.ts";
import { ProcessorTime } from "#app/node/threads/health/processor-time.ts";
import { OriginNeeds } from "#app/node/query/origin-needs.ts";
import { OpenResults } from "#app/node/query/open-results.ts";
import { QueryService, type QueryServiceDeps } from "#app/node/query/query-service.ts";
import { positionAt } from "#engine/state/index.ts";
import type { DeltaMessage } from "#services/admission/index.ts";
import type { PendingDropped } from "#services/sync/index.ts";
import { PendingFeed } from "#services/admission/pending-feed.ts";
import { fakePort } from "#test/helpers/fake-port.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { numberedChain } from "#test/helpers/memory-chain.ts";
import { nonceState } from "#test/helpers/mempool-world.ts";

/** Number of the newest block of the chain of {@link queryServiceWorld}. */
export const LATEST = 5;
/** Bytes that every query of a {@link queryServiceWorld} returns. */
export const RESULT = new Uint8Array([1]);
/** Bytes that every validation of a {@link queryServiceWorld} returns. */
export const VALIDATION = new Uint8Array([2]);
/** Order for a query thread to run a call. */
export const QUERY = {
  kind: "query",
  id: 3,
  longAfterMs: 40,
  specVersion: "0.10.2",
  method: "call",
  paramsText: "[]",
} as const;
/** Bytes that every preparation of a declaration in a {@link queryServiceWorld} returns. */
export const PREPARED = new Uint8Array([3]);
/** A started service on a chain at block 5. */
export function queryServiceWorld(parts: Partial<QueryServiceDeps> = {}) {
  const port = fakePort<ToQuery, FromQuery>();
  const executor = fakePort<DeltaMessage | PendingDropped, never>();
  const committer = fakePort<{ readonly blockNumber: number }, never>();
  const timer = new FakeTimer();
  const feed = new PendingFeed(
    numberedChain(LATEST, () => nonceState()),
    timer,
  );
  const flag = new Int32Array(1);
  const cancellation = new Cancellation(flag, () => undefined);
  const published: number[] = [];
  const ran: unknown[] = [];
  const failures: unknown[] = [];
  new QueryService({
    ports: { main: port, deltas: executor, accepted: committer },
    chain: {
      publish: (blockNumber) => void published.push(blockNumber),
      takeOutpaced: () => undefined,
    },
    feed,
    cancellation,
    time: manualClock().time,
    results: new OpenResults(64 << 20, () => cancellation.isStopped()),
    classes: { begin: () => undefined, needed: [] },
    origin: new OriginNeeds(null),
    run: (query) => {
      ran.push(query.paramsText);
      return Promise.resolve(RESULT);
    },
    validate(...submission) {
      ran.push(submission);
      return VALIDATION;
    },
    prepare(...declaration) {
      ran.push(declaration);
      return PREPARED;
    },
    garbage: { lookNow: () => undefined },
    fail: (error) => failures.push(error),
    ...parts,
  }).start();
  const main = {
    port,
    /** All responses, and other messages. */
    get sent(): readonly (QueryAnswer | FromQuery)[] {
      return port.sent.flatMap((message): readonly (QueryAnswer | FromQuery)[] =>
        message.kind === "answers" ? message.answers : [message],
      );
    },
    tell: (...orders: readonly QueryOrder[]) => port.tell({ kind: "begin", orders }),
  };
  return { main, executor, committer, timer, feed, flag, cancellation, published, ran, failures };
}

/** Chain position of a client that has seen the newest block. */
export const seen = { position: positionAt(LATEST) };

/** A processor clock that only the test advances. */
export function manualClock() {
  const clock = { nowMs: 0 };
  return {
    clock,
    time: new ProcessorTime({ processorMs: () => clock.nowMs, nowMs: () => clock.nowMs }),
  };
}

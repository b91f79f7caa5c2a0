import { type JsonValue, parseJson, stringifyJson } from "#base/codec/index.ts";
import { answerBatch, isLongerThan, joinBatch, type ResponseBody } from "./batch.ts";
import type { MainContext, RpcObserver, TakeRest } from "./context.ts";
import type { BoundMethod } from "./bound-method.ts";
import { BusyFault } from "./errors.ts";
import { failureText } from "./failure.ts";
import {
  invalidRequest,
  type JsonRpcRequest,
  NO_ROOM,
  NO_ROOM_SECONDS,
  readRequest,
  type RequestId,
  type RequestReading,
  responseTooLarge,
  unreadable,
} from "./json-rpc.ts";
import type { HeldBytes } from "./limits/held-bytes.ts";
import type { HeldWork } from "./limits/held-work.ts";
import { MethodRunner, type RunnerOptions } from "./method-runner.ts";
import {
  envelope,
  errorCodeOf,
  errorText,
  isResult,
  type Outcome,
  RESULT_BYTES,
  resultEnvelope,
} from "./outcome.ts";
import { parsedBytes, submissionBytes } from "./parsed-size.ts";
import type { ResponseNotes } from "./response-notes.ts";
import type { RpcErrorObject } from "./spec/version.ts";
import type { MethodTable } from "./table.ts";
import { Turns } from "./turns.ts";
import { isPointless, unknownMethod } from "./unserved.ts";

/** Limits of one request body. */
export interface DispatchLimits {
  readonly maxBatchLength: number;
  /** Maximum bytes of a response: of a single one, and of all responses of a batch together. */
  readonly maxResponseBytes: number;
}

/** Limits of a body's JSON; class declarations are the deepest and largest requests. */
export const JSON_LIMITS = {
  maxDepth: 128,
  /** Maximum number of values; a felt of calldata or of a class is one. */
  maxElements: 1_000_000,
  /** Maximum number of arrays, objects, members and long numbers together. */
  maxParts: 250_000,
} as const;

const BODY_LIMITS = { ...JSON_LIMITS, exactNumbers: true } as const;

/**
 * Longer bodies, in characters, wait for a turn before they are parsed, so that other requests run in
 * between.
 */
export const LONG_BODY = 32_768;

/** Options of a dispatcher. */
export interface DispatchOptions<C extends MainContext> extends RunnerOptions<C> {
  readonly observer: RpcObserver;
  readonly limits: DispatchLimits;
  /** Counts the memory of requests and responses in progress. */
  readonly held: HeldBytes;
}

/**
 * Answers JSON-RPC bodies.
 *
 * @typeParam C - context that it provides; tables whose methods need more are rejected by the type checker
 */
export interface Dispatcher<C> {
  /**
   * Answers one body with one version's table; never throws or rejects. Returns synchronously unless it has
   * to wait: a promise and its event-loop turns take longer than most of these methods.
   *
   * @param notes - filled in before the response settles
   */
  readonly handle: (
    body: string,
    table: MethodTable<C>,
    notes: ResponseNotes,
  ) => ResponseBody | Promise<ResponseBody>;
}

interface ActiveRequest<C> {
  readonly id: RequestId;
  readonly table: MethodTable<C>;
  readonly bound: BoundMethod<C>;
  readonly notes: ResponseNotes;
  readonly startedMs: number;
}

/** Creates the dispatcher of the main thread. */
export function createDispatcher<C extends MainContext>(
  options: DispatchOptions<C>,
): Dispatcher<C> {
  const { observer, limits, held } = options;
  const runner = new MethodRunner(options);
  const turns = new Turns();

  const isQuery = (table: MethodTable<C>, reading: RequestReading): boolean =>
    reading.kind === "request" && table.find(reading.request.method)?.runsOn === "query";

  function answer(
    table: MethodTable<C>,
    request: JsonRpcRequest,
    notes: ResponseNotes,
    takeRest: TakeRest | undefined,
  ): ResponseBody | Promise<ResponseBody> {
    const { id, method, params } = request;
    const bound = table.find(method);
    if (bound === undefined) {
      return envelope(id, errorText(unknownMethod(table, method)));
    }
    if (isPointless(table, bound, notes)) return undefined;
    observer.started(bound.name);
    const active: ActiveRequest<C> = { id, table, bound, notes, startedMs: performance.now() };
    if (bound.runsOn === "query") {
      return runner.query(table, bound, params, notes.caller, takeRest !== undefined).then(
        ({ outcome, rest }) => {
          if (rest === undefined) return end(active, outcome);
          takeRest?.(rest);
          return respond(active, outcome);
        },
        (thrown: unknown) => fail(active, thrown),
      );
    }
    try {
      const json = runner.local(table, bound, params, notes.caller);
      if (typeof json === "string") return succeed(active, json);
      const work = held.begin(notes.caller);
      work.add(submissionBytes(bound, params));
      const response = json.then((late) => succeed(active, late)).catch((e) => fail(active, e));
      return response.finally(() => work.end());
    } catch (thrown) {
      return fail(active, thrown);
    }
  }

  function succeed(active: ActiveRequest<C>, json: string): ResponseBody {
    if (isLongerThan(json, limits.maxResponseBytes - RESULT_BYTES)) return endTooLong(active);
    count(active, true, undefined);
    return resultEnvelope(active.id, json);
  }

  function fail(active: ActiveRequest<C>, thrown: unknown): ResponseBody {
    const { table, bound, notes } = active;
    if (thrown instanceof BusyFault) notes.retryAfterSeconds = thrown.retryAfterSeconds;
    return end(active, failureText(thrown, table, bound.name, observer));
  }

  function end(active: ActiveRequest<C>, outcome: Outcome): ResponseBody {
    if (isLongerThan(outcome, limits.maxResponseBytes)) return endTooLong(active);
    return respond(active, outcome);
  }

  function respond(active: ActiveRequest<C>, outcome: Outcome): ResponseBody {
    count(active, isResult(outcome), errorCodeOf(outcome));
    return envelope(active.id, outcome);
  }

  function endTooLong(active: ActiveRequest<C>): ResponseBody {
    const error = responseTooLarge(limits.maxResponseBytes);
    count(active, false, error.code);
    return envelope(active.id, errorText(error));
  }

  function count(
    { bound, startedMs }: ActiveRequest<C>,
    ok: boolean,
    errorCode: number | undefined,
  ): void {
    observer.finished(bound.name, ok, (performance.now() - startedMs) / 1000, errorCode);
  }

  function answerReading(
    table: MethodTable<C>,
    reading: RequestReading,
    notes: ResponseNotes,
    takeRest: TakeRest | undefined,
  ): ResponseBody | Promise<ResponseBody> {
    return reading.kind === "invalid"
      ? envelope(reading.id, errorText(reading.error))
      : answer(table, reading.request, notes, takeRest);
  }

  async function answerList(
    table: MethodTable<C>,
    batch: readonly JsonValue[],
    notes: ResponseNotes,
    work: HeldWork,
  ): Promise<ResponseBody> {
    if (batch.length === 0) return refuse(invalidRequest("the batch is empty"));
    if (batch.length > limits.maxBatchLength) {
      return refuse(
        invalidRequest(
          `the batch has ${batch.length} requests, at most ${limits.maxBatchLength} are allowed`,
        ),
      );
    }
    notes.batchRead(batch.length);
    notes.bodyConsumed();
    work.add(parsedBytes(batch));
    const bodies = await answerBatch(batch.map(readRequest), {
      answer: (reading) => answerReading(table, reading, notes, undefined),
      refuse: (reading) => refuseReading(reading, responseTooLarge(limits.maxResponseBytes)),
      refuseBusy(reading) {
        notes.retryAfterSeconds ??= NO_ROOM_SECONDS;
        return refuseReading(reading, NO_ROOM);
      },
      isQuery: (reading) => isQuery(table, reading),
      isSilent: (reading) => reading.kind === "request" && reading.request.id === undefined,
      maxBytes: limits.maxResponseBytes,
      held: work,
      isAbandoned: () => notes.caller.isDisconnected,
      nextTurn: () => turns.take(notes.caller),
    });
    return joinBatch(bodies);
  }

  function refuseReading(reading: RequestReading, error: RpcErrorObject): ResponseBody {
    const id = reading.kind === "invalid" ? reading.id : reading.request.id;
    return envelope(id, errorText(error));
  }

  function answerBody(
    body: string,
    table: MethodTable<C>,
    notes: ResponseNotes,
  ): ResponseBody | Promise<ResponseBody> {
    let value: JsonValue;
    try {
      value = parseJson(body, BODY_LIMITS);
    } catch (error) {
      return refuse(unreadable(error));
    }
    if (Array.isArray(value)) {
      const work = held.begin(notes.caller);
      return answerList(table, value as readonly JsonValue[], notes, work).finally(() =>
        work.end(),
      );
    }
    // The parameters are decoded when this returns: everything before the first wait runs synchronously.
    const reading = readRequest(value);
    const answering = answerReading(table, reading, notes, notes.takeRest);
    notes.bodyConsumed();
    return answering;
  }

  /** Answers a short body when its client gets a turn. */
  async function answerLater(
    body: string,
    table: MethodTable<C>,
    notes: ResponseNotes,
  ): Promise<ResponseBody> {
    await turns.takeShort(notes.caller);
    return answerBody(body, table, notes);
  }

  /** Answers a long body, counting its parsed size until the response is complete. */
  async function answerLong(
    body: string,
    table: MethodTable<C>,
    notes: ResponseNotes,
  ): Promise<ResponseBody> {
    const work = held.begin(notes.caller);
    try {
      // Requests that waited for the same room check again in their turn: earlier ones may have used it up.
      do {
        if (!(await work.room())) {
          notes.retryAfterSeconds = NO_ROOM_SECONDS;
          return refuse(NO_ROOM);
        }
        await turns.take(notes.caller);
      } while (!work.hasRoom);
      work.add(body.length);
      return await answerBody(body, table, notes);
    } finally {
      work.end();
    }
  }

  return {
    handle(body, table, notes) {
      if (body.length > LONG_BODY) return answerLong(body, table, notes);
      const isNow = notes.hasTurn || turns.isFree;
      return isNow ? answerBody(body, table, notes) : answerLater(body, table, notes);
    },
  };
}

/** Creates a complete error response for a body that was not parsed, or contains no request. */
export function refuse(error: RpcErrorObject, id: RequestId = null): string {
  return `{"jsonrpc":"2.0","id":${stringifyJson(id ?? null)},${errorText(error).slice(1)}`;
}

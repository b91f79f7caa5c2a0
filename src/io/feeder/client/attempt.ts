import { NodeError } from "#base/errors/index.ts";
import {
  type Endpoint,
  exchange,
  type HttpAnswer,
  isUnsent,
  retryAfterMs,
} from "#io/http/index.ts";
import { type Fault, readFault } from "./fault.ts";
import type { Gateway } from "./gateway.ts";
import type { HeldBytes } from "./held-bytes.ts";
import type { GatewayClientOptions } from "./options.ts";

/** Request to a gateway. */
export interface GatewayRequest {
  /** Last part of the path. */
  readonly route: string;
  /** Query string with `?`, or empty. */
  readonly query: string;
  /** JSON to post to the gateway half; `undefined` for a request to the feeder gateway. */
  readonly body: string | undefined;
  readonly maxAnswerBytes: number;
  /** Maximum wait for a response's head, and then for more of its body. */
  readonly silenceMs: number;
  /** Deadline for a complete response, even while bytes keep arriving. */
  readonly answerMs: number;
}

/** Outcome of one request. */
export type AttemptOutcome =
  | { readonly kind: "answered"; readonly bytes: Uint8Array<ArrayBuffer> }
  /** Understood and rejected by the gateway. */
  | { readonly kind: "refused"; readonly fault: Fault; readonly from: Endpoint }
  | {
      readonly kind: "throttled";
      /** Delay that the gateway requests; `undefined` if it states none. */
      readonly retryAfterMs: number | undefined;
      readonly fault: Fault | undefined;
      readonly error: NodeError;
    }
  /** A retry may succeed. */
  | {
      readonly kind: "failed";
      readonly why: "unsent" | "silent" | "slow" | "crowded" | "broken";
      readonly error: NodeError;
    }
  /** Not a valid response of a gateway. */
  | { readonly kind: "bad"; readonly error: NodeError }
  | { readonly kind: "stopped" };

/** Dependencies that all requests share. */
export type AttemptDeps = Pick<
  GatewayClientOptions,
  "timer" | "throttlingKey" | "onRequestEnded" | "limits"
> & {
  readonly held: HeldBytes;
};

/** Reason for aborting a request before its response is complete. */
type Abortion = "silent" | "slow" | "crowded";

/**
 * Sends one request to one gateway.
 *
 * @param signal - aborts the request immediately
 */
export async function attempt(
  deps: AttemptDeps,
  gateway: Gateway,
  request: GatewayRequest,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const { timer, onRequestEnded } = deps;
  const { route } = request;
  const { name } = endpointFor(gateway, request);
  const beganMs = timer.nowMs();
  const cancelOverdue = overdueAlarm(deps, request, name);
  const outcome = await sendRequest(deps, gateway, request, signal);
  cancelOverdue();
  if (outcome.kind !== "stopped") {
    const seconds = (timer.nowMs() - beganMs) / 1000;
    const failure = "error" in outcome ? outcome.error.message : undefined;
    const waitMs = outcome.kind === "throttled" ? outcome.retryAfterMs : undefined;
    onRequestEnded({
      ...{ url: name, route, outcome: wordOf(outcome), failure, seconds },
      ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
    });
  }
  return outcome;
}

/** Reports a feeder request that is open for too long. @returns a function that cancels the alarm */
function overdueAlarm(
  { timer, onRequestEnded, limits }: AttemptDeps,
  { route, body }: GatewayRequest,
  name: string,
): () => void {
  // The response to a transaction may wait for the compilation of a class.
  if (body !== undefined) return () => undefined;
  const { overdueMs } = limits;
  return timer.after(overdueMs, () => {
    const failure = `${name}: no complete response to ${route} after ${overdueMs} ms`;
    onRequestEnded({ url: name, route, outcome: "overdue", failure, seconds: overdueMs / 1000 });
  });
}

function wordOf({ kind }: AttemptOutcome): "answered" | "throttled" | "failed" {
  if (kind === "throttled") return "throttled";
  return kind === "answered" || kind === "refused" ? "answered" : "failed";
}

/** Returns the endpoint for a request: the gateway for one with a body, otherwise the feeder gateway. */
export function endpointFor({ feeder, gateway }: Gateway, { body }: GatewayRequest): Endpoint {
  return body === undefined ? feeder : gateway;
}

async function sendRequest(
  deps: AttemptDeps,
  gateway: Gateway,
  request: GatewayRequest,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const { throttlingKey } = deps;
  const { route, query, body, maxAnswerBytes, silenceMs, answerMs } = request;
  const endpoint = endpointFor(gateway, request);
  const prefix = `${endpoint.name}: ${route}:`;
  const watch = createWatch(deps, request, signal);
  try {
    const answer = await exchange({
      endpoint,
      path: `/${route}${query}`,
      headers: {
        ...(throttlingKey === undefined ? {} : { "x-throttling-bypass": throttlingKey }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      body,
      maxAnswerBytes,
      signal: watch.signal,
      onProgress: watch.onProgress,
    });
    return outcomeOf(answer, prefix, endpoint, maxAnswerBytes);
  } catch (cause) {
    if (signal.aborted) return { kind: "stopped" };
    switch (watch.abortion()) {
      case "silent":
        return failed("silent", `${prefix} no data for ${silenceMs} ms`, cause);
      case "slow":
        return failed("slow", `${prefix} the response is incomplete after ${answerMs} ms`, cause);
      case "crowded":
        return failed(
          "crowded",
          `${prefix} responses in flight exceed the memory limit together`,
          cause,
        );
      case undefined:
        return isUnsent(cause)
          ? failed("unsent", `${endpoint.name} cannot be reached`, cause)
          : failed("broken", `${prefix} the connection broke`, cause);
    }
  } finally {
    watch.end();
  }
}

function outcomeOf(
  answer: HttpAnswer,
  prefix: string,
  from: Endpoint,
  maxAnswerBytes: number,
): AttemptOutcome {
  switch (answer.kind) {
    case "elsewhere":
      return bad(
        `${prefix} redirects (status ${answer.status}): configure the final address of the gateway`,
      );
    case "tooLong":
      return bad(`${prefix} the response is longer than ${maxAnswerBytes} bytes`);
    case "garbled":
      return bad(`${prefix} the response is not in a requested encoding`);
    case "answered": {
      const { status, headers, bytes } = answer;
      if (status === 200) return { kind: "answered", bytes };
      const fault = readFault(bytes, from);
      const error = new NodeError("NODE_UNREACHABLE", `${prefix} status ${status}`);
      if (status === 429) {
        const waitMs = retryAfterMs(headers.get("retry-after"), Date.now());
        return { kind: "throttled", retryAfterMs: waitMs, fault, error };
      }
      // Proxies in front of the gateway send their own error bodies.
      const isOwn = fault !== undefined && (status < 500 || fault.code.startsWith("Stark"));
      if (!isOwn) return { kind: "failed", why: "broken", error };
      return { kind: "refused", fault, from };
    }
  }
}

function failed(
  why: Extract<AttemptOutcome, { kind: "failed" }>["why"],
  message: string,
  cause: unknown,
): AttemptOutcome {
  return { kind: "failed", why, error: new NodeError("NODE_UNREACHABLE", message, { cause }) };
}

function bad(message: string): AttemptOutcome {
  return { kind: "bad", error: new NodeError("NODE_BAD_ANSWER", message) };
}

interface Watch {
  readonly signal: AbortSignal;
  readonly onProgress: (sizeBytes: number) => void;
  /** Why {@link signal} was aborted by the watch; `undefined` if it was not, or the caller aborted it. */
  abortion(): Abortion | undefined;
  /** Cancels all timers. */
  end(): void;
}

/** Watches one request for silence, slowness, and the bytes that it holds. */
function createWatch(
  { timer, held }: AttemptDeps,
  { silenceMs, answerMs }: GatewayRequest,
  outer: AbortSignal,
): Watch {
  const inner = new AbortController();
  let why: Abortion | undefined;
  let heldBytes = 0;
  let progressMs = timer.nowMs();
  const abort = (reason: Abortion): void => {
    why ??= reason;
    inner.abort();
  };
  const listen = (): void => {
    const leftMs = progressMs + silenceMs - timer.nowMs();
    if (leftMs <= 0) abort("silent");
    else cancelSilence = timer.after(leftMs, listen);
  };
  // Not AbortSignal.any: a signal derived from a long-lived one stays referenced by it.
  const stop = (): void => inner.abort();
  outer.addEventListener("abort", stop);
  if (outer.aborted) stop();
  let cancelSilence = timer.after(silenceMs, listen);
  const cancelAnswer = timer.after(answerMs, () => abort("slow"));
  return {
    signal: inner.signal,
    onProgress(sizeBytes) {
      progressMs = timer.nowMs();
      heldBytes += sizeBytes;
      if (!held.take(sizeBytes)) abort("crowded");
    },
    abortion: () => why,
    end() {
      outer.removeEventListener("abort", stop);
      cancelSilence();
      cancelAnswer();
      held.release(heldBytes);
    },
  };
}

import type { Timer } from "#base/primitives/index.ts";

/** Base URLs of a gateway's two halves. */
export interface GatewayAddress {
  /** Base URL for reading blocks and state, for example `https://host/feeder_gateway`. */
  readonly feeder: string;
  /** Base URL for sending transactions, for example `https://host/gateway`. */
  readonly gateway: string;
}

/** Limits of a gateway client. */
export interface GatewayLimits {
  /** Maximum wait for a response's head, and then for more of its body. */
  readonly silenceMs: number;
  /** Time after which an open request is reported to `onRequestEnded` as overdue. */
  readonly overdueMs: number;
  /** Deadline for a complete block, class or signature, even while bytes keep arriving. */
  readonly answerMs: number;
  /** As {@link answerMs}, for responses with a few values. */
  readonly shortAnswerMs: number;
  /** Maximum size of a response, in bytes both before and after decompression. */
  readonly maxAnswerBytes: number;
  /** Maximum number of bytes that responses in flight hold together. */
  readonly maxHeldBytes: number;
  /** Maximum number of block and class requests in flight per gateway. */
  readonly maxInFlight: number;
  /** Timeout of submitting a transaction, all gateways together. */
  readonly submitMs: number;
  /**
   * Time that one of several gateways may be silent about a transaction before another one also receives it.
   */
  readonly submitSilenceMs: number;
  /** As {@link submitMs} for a declaration, whose class is compiled before the response. */
  readonly declareMs: number;
  /** Timeout of a transaction status lookup, all gateways together. */
  readonly lookupMs: number;
  /** How long a gateway that reported a wrong block loses preference. */
  readonly distrustMs: number;
  /** Time that one of several gateways may be silent about its newest block. */
  readonly headSilenceMs: number;
  /** Time without a new block after which the other gateways are polled for theirs. */
  readonly standstillMs: number;
  /** How long a lagging gateway loses preference. */
  readonly laggingMs: number;
}

/** Default limits. */
export const GATEWAY_LIMITS: GatewayLimits = {
  silenceMs: 15_000,
  overdueMs: 6_000,
  answerMs: 20_000,
  shortAnswerMs: 15_000,
  maxAnswerBytes: 128 << 20,
  maxHeldBytes: 256 << 20,
  maxInFlight: 32,
  submitMs: 20_000,
  submitSilenceMs: 5_000,
  declareMs: 120_000,
  lookupMs: 4_000,
  distrustMs: 60_000,
  headSilenceMs: 3_000,
  standstillMs: 10_000,
  laggingMs: 600_000,
};

/** Report of one gateway request: how it ended, or that it is overdue. */
export interface GatewayRequestReport {
  /** Same as `Endpoint.name`. */
  readonly url: string;
  /** Last part of the path, for example `get_block`. */
  readonly route: string;
  /** `overdue` after {@link GatewayLimits.overdueMs}; a second report follows when the request ends. */
  readonly outcome: "answered" | "throttled" | "failed" | "overdue";
  /** What went wrong; `undefined` after a response. */
  readonly failure: string | undefined;
  /** Retry delay of a `throttled` response; omitted when it states none. */
  readonly retryAfterMs?: number;
  readonly seconds: number;
}

/** Settings of {@link createGatewayClient}. */
export interface GatewayClientOptions {
  /** In order of preference; at least one. */
  readonly gateways: readonly GatewayAddress[];
  /** Value of the `X-Throttling-Bypass` header, visible ASCII; `undefined` to omit the header. */
  readonly throttlingKey: string | undefined;
  readonly limits: GatewayLimits;
  readonly timer: Timer;
  /** Aborts all requests and stops the client permanently. */
  readonly signal: AbortSignal;
  /** Called when a request ends, and additionally when a block request becomes overdue. */
  readonly onRequestEnded: (asked: GatewayRequestReport) => void;
}

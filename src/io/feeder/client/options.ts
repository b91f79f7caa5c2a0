import type { Timer } from "#base/primitives/index.ts";

/** A gateway by the addresses of its two halves. */
export interface GatewayAddress {
  /** What blocks and states are read below, for example `https://host/feeder_gateway`. */
  readonly feeder: string;
  /** What transactions are sent below, for example `https://host/gateway`. */
  readonly gateway: string;
}

/** Bounds of what a client asks and takes. */
export interface GatewayLimits {
  /** Longest wait for an answer's head, and for more of its body once that has begun. */
  readonly silenceMs: number;
  /** How long a request may be open before `onAsked` hears that it is overdue. */
  readonly overdueMs: number;
  /** Deadline for a complete block, class or signature, even while bytes keep arriving. */
  readonly answerMs: number;
  /** As {@link answerMs} for answers of a few values. */
  readonly shortAnswerMs: number;
  /** Longest answer, bytes before decompression and after. */
  readonly maxAnswerBytes: number;
  /** Most bytes that answers under way may hold together. */
  readonly maxHeldBytes: number;
  /** Most questions for blocks and classes in flight at one gateway. */
  readonly maxInFlight: number;
  /** For handing on a transaction, all gateways together. */
  readonly submitMs: number;
  /** How long one of several gateways may be silent about it before another one gets it, too. */
  readonly submitSilenceMs: number;
  /** As {@link submitMs} for a declaration, which is compiled before there is an answer. */
  readonly declareMs: number;
  /** For asking after a transaction, all gateways together. */
  readonly lookupMs: number;
  /** How long a gateway that told a wrong block is asked after the others. */
  readonly distrustMs: number;
  /** How long one of several gateways may be silent about its newest block. */
  readonly headSilenceMs: number;
  /** How long the newest block of one of several gateways stays the same before the others are asked. */
  readonly standstillMs: number;
  /** How long a gateway that was behind another one is asked after it. */
  readonly laggingMs: number;
}

/** The bounds that nodes have. */
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

/** One request that was made of a gateway, and how it ended or that it is overdue. */
export interface AskedGateway {
  /** As `Endpoint.name`. */
  readonly url: string;
  /** The last part of the path, for example `get_block`. */
  readonly route: string;
  /** `overdue`: it is still open after {@link GatewayLimits.overdueMs}; how it ends is told once more. */
  readonly outcome: "answered" | "throttled" | "failed" | "overdue";
  /** What went wrong; `undefined`: it was answered. */
  readonly failure: string | undefined;
  /** Wait that the gateway demands when it is `throttled`; omitted when it demands none. */
  readonly retryAfterMs?: number;
  readonly seconds: number;
}

/** What a client of gateways works with. */
export interface GatewayClientOptions {
  /** In order of preference; at least one. */
  readonly gateways: readonly GatewayAddress[];
  /** Sent as `X-Throttling-Bypass`: visible ASCII. `undefined`: nothing is. */
  readonly throttlingKey: string | undefined;
  readonly limits: GatewayLimits;
  readonly timer: Timer;
  /** Ends everything at once and for good. */
  readonly signal: AbortSignal;
  /** Called for every request when it has ended, and before that when a question for blocks is overdue. */
  readonly onAsked: (asked: AskedGateway) => void;
}

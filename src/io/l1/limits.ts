/** What a log takes up beside its payload, in words of 32 bytes. */
export const LOG_WORDS = 16;

/** Bounds of what is asked of L1's endpoints and taken from them. */
export interface L1Limits {
  /** Longest time for one request and its answer, milliseconds. */
  readonly answerMs: number;
  /** Longest answer that is not of logs, bytes before decompression and after. */
  readonly maxPlainBytes: number;
  /** Longest with the logs of a range, which is asked for in parts where it is over it. */
  readonly maxAnswerBytes: number;
  /** Longest answer with the logs of one block, which has no parts. */
  readonly maxBlockAnswerBytes: number;
  /**
   * Most blocks that logs are asked for at once, and in one step: few enough that also an endpoint which
   * gives ten at a time has told them before the step is given up.
   */
  readonly maxRangeBlocks: number;
  /** Most words of 32 bytes that the logs of one question may have, each log counting {@link LOG_WORDS} more. */
  readonly maxLogWords: number;
  /** Most requests in flight at one endpoint. */
  readonly maxInFlight: number;
  /** Longest wait within a step because an endpoint asks for it, milliseconds; above it is left. */
  readonly maxThrottleMs: number;
  /** How long an endpoint that failed is left at first, milliseconds; twice as long each time. */
  readonly firstPauseMs: number;
  /** The longest. */
  readonly maxPauseMs: number;
  /** How long a head may stand still while those of others go on, milliseconds. */
  readonly staleMs: number;
}

/**
 * The bounds that nodes have. A block whose gas all goes into logs (8 per byte) is 50 MB of hexadecimal
 * text at a limit of 200 million; its transactions' hashes are less than one.
 */
export const L1_LIMITS: L1Limits = {
  answerMs: 10_000,
  maxPlainBytes: 2 << 20,
  maxAnswerBytes: 8 << 20,
  maxBlockAnswerBytes: 64 << 20,
  maxRangeBlocks: 2_000,
  maxLogWords: 4 << 20,
  maxInFlight: 8,
  maxThrottleMs: 5_000,
  firstPauseMs: 5_000,
  maxPauseMs: 300_000,
  staleMs: 120_000,
};

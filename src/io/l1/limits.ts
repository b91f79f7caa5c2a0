/**
 * Words of 32 bytes that each log counts towards the limit `maxLogWords`, in addition to its
 * payload.
 */
export const LOG_WORDS = 16;

/** Limits of requests to L1 endpoints and of their responses. */
export interface L1Limits {
  /** Timeout of one request in milliseconds. */
  readonly answerMs: number;
  /** Maximum size of a response without logs, in bytes before and after decompression. */
  readonly maxPlainBytes: number;
  /** Maximum size of a response with the logs of a block range; a larger one is split and requested again. */
  readonly maxAnswerBytes: number;
  /** Maximum size of a response with the logs of one block, which cannot be split. */
  readonly maxBlockAnswerBytes: number;
  /**
   * Maximum number of blocks per log request, and per step. Small enough that an endpoint which serves ten at
   * a time finishes within the step's deadline.
   */
  readonly maxRangeBlocks: number;
  /** Maximum size of the logs of one query in 32-byte words; each log counts {@link LOG_WORDS} extra. */
  readonly maxLogWords: number;
  /** Maximum number of requests in flight per endpoint. */
  readonly maxInFlight: number;
  /** Maximum retry delay in milliseconds that a step waits for; above it the endpoint is avoided. */
  readonly maxThrottleMs: number;
  /** First pause of a failed endpoint in milliseconds; doubled after each failure. */
  readonly firstPauseMs: number;
  /** Maximum pause of a failed endpoint in milliseconds. */
  readonly maxPauseMs: number;
  /** Maximum time without a new head while other endpoints report new ones, in milliseconds. */
  readonly staleMs: number;
}

/**
 * Default limits. A block that spends all its gas on logs (8 per byte) yields 50 MB of hex text at a gas
 * limit of 200 million; the hashes of its transactions take less than 1 MB.
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

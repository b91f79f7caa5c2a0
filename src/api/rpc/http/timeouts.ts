/** How long a client may take. */
export interface HttpTimeouts {
  /** From the first byte of a request to the end of its headers. */
  readonly headersMs: number;
  /** From the first byte of a request to the end of its body. */
  readonly requestMs: number;
  /** Between two requests, and between two parts of a response that is read. */
  readonly idleMs: number;
  /** From a request's turn to its answer: for what should have ended by itself long before. */
  readonly answerMs: number;
}

/**
 * The times of the JSON-RPC server: a declared class of 15 MiB passes at one megabit per second, and an
 * answer may take longer than `--rpc-timeout` may be.
 */
export const HTTP_TIMEOUTS: HttpTimeouts = {
  headersMs: 10_000,
  requestMs: 120_000,
  idleMs: 120_000,
  answerMs: 7_200_000,
};

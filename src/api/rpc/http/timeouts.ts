/** Time limits for a client. */
export interface HttpTimeouts {
  /** From the first byte of a request to the end of its headers. */
  readonly headersMs: number;
  /** From the first byte of a request to the end of its body. */
  readonly requestMs: number;
  /** Between two requests, and between two chunks of a response that the client reads. */
  readonly idleMs: number;
  /** From a request's turn to its response; a safety net for requests that should have ended long before. */
  readonly answerMs: number;
}

/**
 * Time limits of the JSON-RPC server. A class declaration of 15 MiB passes at one megabit per second, and a
 * response may take longer than the maximum of `--rpc-timeout`.
 */
export const HTTP_TIMEOUTS: HttpTimeouts = {
  headersMs: 10_000,
  requestMs: 120_000,
  idleMs: 120_000,
  answerMs: 7_200_000,
};

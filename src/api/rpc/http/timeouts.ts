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

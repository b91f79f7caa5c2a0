/** Measurements of the clients of `rpc.bench.ts`. */
export interface LoadReport {
  /** Calls, counting each call of a batch. */
  readonly callsPerSecond: number;
  /**
   * Times of complete responses, from the last byte of the request to the last byte of the
   * response.
   */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Responses that are an error, or start with one. */
  readonly errors: number;
  readonly responses: number;
  /** Share of one core that the clients used; at 1 they limit the figures. */
  readonly cpuShare: number;
}

/** What the clients of `rpc.bench.ts` measured. */
export interface LoadReport {
  /** Calls, each of a batch counted. */
  readonly callsPerSecond: number;
  /** Of whole responses, from the request's last byte written to the response's last byte read. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Responses that are an error, or begin with one. */
  readonly errors: number;
  readonly responses: number;
  /** Part of one core that the clients took; at 1 they are what limits the figures. */
  readonly cpuShare: number;
}

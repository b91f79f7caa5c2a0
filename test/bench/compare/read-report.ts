/** Output of `read-client.ts`. */
export interface ReadReport {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Share of one core that the client used. */
  readonly clientShare: number;
}

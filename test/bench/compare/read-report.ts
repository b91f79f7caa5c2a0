/** What `read-client.ts` prints. */
export interface ReadReport {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Part of one core that the client took. */
  readonly clientShare: number;
}

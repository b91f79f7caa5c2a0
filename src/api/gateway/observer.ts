/** Watches what is asked of a gateway: metrics and the log. */
export interface GatewayObserver {
  /**
   * A request is answered.
   *
   * @param route - a path that is served, or `other`: what clients send is no label
   * @param status - of HTTP
   */
  answered(route: string, status: number, seconds: number): void;
  /** An error that is not an answer: the client was told 500. */
  internalError(route: string, error: unknown): void;
}

/** The route of all paths that are not served. */
export const OTHER_ROUTE = "other";

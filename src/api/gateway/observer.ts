/** Observes gateway requests for metrics and the log. */
export interface GatewayObserver {
  /**
   * Records a completed request.
   *
   * @param route - a served path, or `other`: text sent by clients must not become a label
   * @param status - HTTP status code
   */
  answered(route: string, status: number, seconds: number): void;
  /** Records an unexpected exception; the client received status 500. */
  internalError(route: string, error: unknown): void;
}

/** Value of the metrics' route label for all paths that are not served. */
export const OTHER_ROUTE = "other";

/** Counts the subscriptions of one method. Called often, so each call must be cheap. */
export interface SubscriptionCounts {
  opened(): void;
  closed(): void;
  sent(): void;
  /** A notification was encoded: once for all clients whose version has the same form. */
  written(): void;
}

/** Observes WebSocket connections, for metrics. */
export interface WsObserver {
  opened(): void;
  /** @param code - close code (RFC 6455, section 7.4); 1006 if none */
  closed(code: number): void;
  /** A client was dropped because it reads too slowly. */
  droppedSlow(): void;
  /** @param method - without prefix */
  subscriptions(method: string): SubscriptionCounts;
}

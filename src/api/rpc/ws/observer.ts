/** Counts the subscriptions of one method. To be called often: each call is to cost little. */
export interface SubscriptionCounts {
  opened(): void;
  closed(): void;
  /** A client was sent a notification. */
  sent(): void;
  /** A notification was written: once for all clients whose version has the same form. */
  written(): void;
}

/** Watches WebSocket connections: metrics. */
export interface WsObserver {
  opened(): void;
  /** @param code - close code (RFC 6455, section 7.4); 1006 when none was said */
  closed(code: number): void;
  /** A client was dropped because it reads too slowly. */
  droppedSlow(): void;
  /** @param method - without prefix */
  subscriptions(method: string): SubscriptionCounts;
}

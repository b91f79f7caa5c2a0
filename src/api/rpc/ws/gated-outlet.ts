import type { NotificationOutlet } from "./subscription.ts";
import type { WsConnection } from "./transport/connection.ts";
import { CLOSE_CODES } from "./transport/frame.ts";
import { Gate } from "./transport/gate.ts";

/**
 * Outlet of the subscriptions that one message makes: buffers notifications until the client knows their ids.
 */
export class GatedOutlet implements NotificationOutlet {
  readonly #connection: WsConnection;
  readonly #gate = new Gate();

  constructor(connection: WsConnection) {
    this.#connection = connection;
  }

  get isOpen(): boolean {
    return this.#connection.isOpen;
  }

  get isWritable(): boolean {
    return this.#connection.isWritable;
  }

  notify(...parts: readonly Uint8Array[]): void {
    this.#connection.notify(this.#gate, ...parts);
  }

  /** The response with the ids is in flight: notifications follow a moment later, in a separate write. */
  answered(): void {
    this.#connection.open(this.#gate, "later");
  }

  release(): void {
    this.#connection.open(this.#gate, "now");
  }

  fail(): void {
    this.#connection.close(CLOSE_CODES.internalError, "internal error");
  }
}

import type { BodyRoom } from "./body-room.ts";
import type { HttpHandler } from "./message.ts";

/** How long a client may take. */
export interface HttpTimeouts {
  /** From the first byte of a request to the end of its headers. */
  readonly headersMs: number;
  /** From the first byte of a request to the end of its body. */
  readonly requestMs: number;
  /** Between two requests, and between two parts of a response that is read. */
  readonly idleMs: number;
}

/** What happens to an open connection. */
export interface Connection {
  /** Takes the next bytes. */
  receive(bytes: Uint8Array): void;
  /** The socket takes more. */
  drained(): void;
  /** The connection is gone. */
  closed(): void;
  /** Ends the connection when nothing has been asked. */
  endIfIdle(): void;
  /** Ends what takes too long. To be called again and again. */
  checkTimes(nowMs: number): void;
}

/** What the connections of a listener have in common. */
export interface HttpService {
  readonly handler: HttpHandler;
  readonly timeouts: HttpTimeouts;
  /** Each response is then the last one of its connection. */
  readonly isStopping: boolean;
  /** Of all connections. */
  readonly room: BodyRoom;
}

import type { BodyRoom } from "./body-room.ts";
import type { Expendable } from "./giving-way.ts";
import type { HttpHandler } from "./message.ts";
import type { HttpTimeouts } from "./timeouts.ts";
import type { UnsentRoom } from "./unsent-room.ts";
import type { UpgradeLimit } from "./upgrade-limit.ts";

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
  /** Whether it may be closed where a new one has no place; `undefined`: it may not. */
  expendable(nowMs: number): Expendable | undefined;
  /** Ends the connection for another one. */
  giveWay(): void;
}

/** What the connections of a listener have in common. */
export interface HttpService {
  readonly handler: HttpHandler;
  readonly timeouts: HttpTimeouts;
  /** Each response is then the last one of its connection. */
  readonly isStopping: boolean;
  /** The same, for as long as there are few places left for others. */
  isCrowded: boolean;
  /** Of all connections. */
  readonly room: BodyRoom;
  /** Of answers that wait for their clients, of all connections. */
  readonly unsent: UnsentRoom;
  readonly upgrades: UpgradeLimit;
}

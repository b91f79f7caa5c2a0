import type { BodyBudget } from "./body-budget.ts";
import type { HeldBytes } from "../limits/held-bytes.ts";
import type { Expendable } from "./giving-way.ts";
import type { KnownHeads } from "./known-heads.ts";
import type { HttpHandler } from "./message.ts";
import type { HttpTimeouts } from "./timeouts.ts";
import type { WriteTurn } from "./turn-writes.ts";
import type { UnsentBudget } from "./unsent-budget.ts";
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
  /** Whether it may be closed where a new one finds no slot; `undefined`: it may not. */
  expendable(nowMs: number): Expendable | undefined;
  /** Ends the connection for another one; at once where it is not read, as its end would go unnoticed. */
  giveWay(): void;
}

/** What the connections of a listener have in common. */
export interface HttpService {
  readonly handler: HttpHandler;
  readonly timeouts: HttpTimeouts;
  /** Each response is then the last one of its connection. */
  readonly isStopping: boolean;
  /** The same, for as long as there are few slots left for others. */
  isCrowded: boolean;
  /** Of all connections. */
  readonly budget: BodyBudget;
  /** All bytes that the process holds for clients. */
  readonly held: HeldBytes;
  /** Of answers that wait for their clients, of all connections. */
  readonly unsent: UnsentBudget;
  /** When answers go out, of all connections. */
  readonly writes: WriteTurn;
  readonly upgrades: UpgradeLimit;
  /** Heads of requests that were read before. */
  readonly heads: KnownHeads;
}

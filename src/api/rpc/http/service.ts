import type { BodyBudget } from "./body-budget.ts";
import type { HeldBytes } from "../limits/held-bytes.ts";
import type { Expendable } from "./giving-way.ts";
import type { KnownHeads } from "./known-heads.ts";
import type { HttpHandler } from "./message.ts";
import type { HttpTimeouts } from "./timeouts.ts";
import type { WriteTurn } from "./turn-writes.ts";
import type { UnsentBudget } from "./unsent-budget.ts";
import type { UpgradeLimit } from "./upgrade-limit.ts";

/** Connection as the listener drives it. */
export interface Connection {
  receive(bytes: Uint8Array): void;
  /** The socket accepts more bytes. */
  drained(): void;
  closed(): void;
  /** Ends the connection if no request is in progress. */
  endIfIdle(): void;
  /** Ends the connection after its responses in flight if it was upgraded to another protocol. */
  endIfUpgraded(): void;
  /** Ends operations that take too long. Must be called periodically. */
  checkTimes(nowMs: number): void;
  /** Whether the connection may be closed when a new one finds no slot; `undefined` if it may not. */
  expendable(nowMs: number): Expendable | undefined;
  /**
   * Ends the connection in favour of another one. Drops it if its socket is paused, because an orderly close
   * would go unnoticed.
   */
  yieldSlot(): void;
}

/** Shared state of all connections of a listener. */
export interface HttpService {
  readonly handler: HttpHandler;
  readonly timeouts: HttpTimeouts;
  /** While `true`, each response is the last one of its connection. */
  readonly isStopping: boolean;
  /** While `true`, few slots are left, and each response is the last one of its connection, too. */
  isCrowded: boolean;
  readonly budget: BodyBudget;
  /** All bytes that the process holds for clients. */
  readonly held: HeldBytes;
  readonly unsent: UnsentBudget;
  readonly writes: WriteTurn;
  readonly upgrades: UpgradeLimit;
  readonly heads: KnownHeads;
}

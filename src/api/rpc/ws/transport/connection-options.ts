import type { UnsentBudget } from "../../http/unsent-budget.ts";
import type { WsLimits, WsTimes } from "../limits.ts";
import type { WsObserver } from "../observer.ts";
import type { LoopTurns } from "./loop-turns.ts";
import type { ReadAhead } from "./read-ahead.ts";
import type { ReadTurns } from "./read-turns.ts";

/** Limits, times and shared parts of a WebSocket connection. */
export interface WsConnectionOptions extends Pick<WsLimits, "maxWaitingBytes" | "gateMs"> {
  readonly maxMessageBytes: number;
  readonly times: WsTimes;
  /** Shared by all connections. */
  readonly unsent: UnsentBudget;
  readonly turns: ReadTurns;
  /** Shared by all connections. */
  readonly ahead: ReadAhead;
  /** Shared by all connections. */
  readonly loop: LoopTurns;
  readonly observer: Pick<WsObserver, "opened" | "closed" | "droppedSlow">;
}

/** How a client got a turn, and how much time its competitors had been served. */
export interface Turn {
  /**
   * `due`: earliest end tag; `first`: granted ahead of a due client; `only`: all competitors were newcomers.
   */
  readonly kind: "due" | "first" | "only";
  /** Whether it was granted early because it is cheap. */
  readonly isLight: boolean;
  /** Least time spent on any competitor that is not a newcomer, in milliseconds; `Infinity` for `only`. */
  readonly leastMs: number;
}

/**
 * History of a client before it began to wait, until its next turn. `newcomer`: it was idle, and has no more
 * spent time than the others. `returning`: it was away while others had turns. `steady`: it has waited since
 * its last turn.
 */
export type Sort = "newcomer" | "returning" | "steady";

/** Account of one client, in milliseconds on the scale of the level's virtual time. */
export interface Account {
  spentMs: number;
  /** Total time spent on all clients when this one began to wait. */
  readonly enteredAtMs: number;
  /**
   * Sequence number of when the client began to wait, or of its last turn: lower means it has waited longer.
   */
  order: number;
  sort: Sort;
  lastTurn: Turn | undefined;
  /** Number of the level's turns when the client left; `undefined` while it waits. */
  leftAtTurn: number | undefined;
}

/** State of a level when a client begins to wait. */
export interface Moment {
  /** Virtual time of the level. */
  readonly nowMs: number;
  /** Total time spent on all clients. */
  readonly servedMs: number;
  /** Number of the level's turns so far. */
  readonly turns: number;
  readonly order: number;
}

/**
 * Returns the account of a client that begins to wait.
 *
 * @param known - its account when it left; `undefined` if it is not remembered
 */
export function accountOf(
  known: Account | undefined,
  { nowMs, servedMs, turns, order }: Moment,
): Account {
  if (known !== undefined) {
    const { spentMs, leftAtTurn } = known;
    const back = { ...known, order, leftAtTurn: undefined };
    if (leftAtTurn === turns) return back;
    if (spentMs > nowMs) {
      return { ...back, enteredAtMs: servedMs, sort: "returning" };
    }
  }
  const idle = {
    spentMs: nowMs,
    enteredAtMs: servedMs,
    sort: "newcomer",
  } as const;
  return { ...idle, order, lastTurn: known?.lastTurn, leftAtTurn: undefined };
}

/** Records that a client gets a turn. @param order - its new sequence number */
export function beginTurn(account: Account, turn: Turn, order: number): void {
  account.order = order;
  account.sort = "steady";
  account.lastTurn = turn;
}

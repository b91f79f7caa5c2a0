/** A turn, and who competed for it. */
export interface Turn {
  /** `due`: by the end tag; `first`: before one that was due; `only`: newcomers alone competed for it. */
  readonly kind: "due" | "first" | "only";
  /** Whether it came before others because it costs hardly anything. */
  readonly isLight: boolean;
  /** Least time spent on a client that competed and is no newcomer, in milliseconds; `Infinity` for `only`. */
  readonly leastMs: number;
}

/**
 * What a client did before it began to wait, until its next turn: `newcomer`: it was idle, so that others have had
 * as much as it; `returning`: it was away while others had turns; `steady`: it has waited since its last turn.
 */
export type Sort = "newcomer" | "returning" | "steady";

/** Account of one client, in milliseconds on the scale of the level's virtual time. */
export interface Account {
  /** Time that was spent on the client. */
  spentMs: number;
  /** Time that had been spent on all clients when this one began to wait. */
  readonly enteredAtMs: number;
  /** Greater than those of clients that have waited longer: since they began to, or since their last turn. */
  order: number;
  sort: Sort;
  lastTurn: Turn | undefined;
  /** Number of the level's turns when the client left; `undefined` while it waits. */
  leftAtTurn: number | undefined;
}

/** When a client begins to wait. */
export interface Moment {
  /** Virtual time of the level. */
  readonly nowMs: number;
  /** Time that was spent on all clients. */
  readonly servedMs: number;
  /** Number of the level's turns so far. */
  readonly turns: number;
  readonly order: number;
}

/**
 * Returns the account of a client that begins to wait.
 *
 * @param known - its account when it left; `undefined` for a client that is not remembered
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

/** Notes that a client has a turn. @param order - its new one */
export function beginTurn(account: Account, turn: Turn, order: number): void {
  account.order = order;
  account.sort = "steady";
  account.lastTurn = turn;
}

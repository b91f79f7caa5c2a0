import type { BodyHolder, BodyPace } from "./body-reservation.ts";

/** Bytes that a waiting body is granted at a time: `first` initially, `next` once its speed is proven. */
export const STEP_BYTES = { first: 256 << 10, next: 4 << 20 } as const;

/** State of one long request body within the `BodyBudget`. */
export interface Reservation {
  readonly holder: BodyHolder;
  readonly pace: BodyPace;
  /** `consumed`: handed to its consumer. */
  state: "open" | "waiting" | "consumed" | "released";
  /** Bytes that the body may use. The larger of these and the arrived bytes counts against the budget. */
  grantedBytes: number;
  /** Total time spent waiting. */
  waitedMs: number;
  /** Whether the body has used up a grant. */
  isProven: boolean;
  /** Whether the body was admitted regardless of the budget, to measure its speed. */
  isTried: boolean;
}

/** Returns the bytes with which a body counts against the budget. */
export function countOf({ pace, grantedBytes }: Reservation): number {
  return Math.max(pace.arrivedBytes, grantedBytes);
}

/** Returns the bytes that a body is granted when it continues. */
export function stepOf({ pace, isProven }: Reservation): number {
  return Math.min(pace.leftBytes, isProven ? STEP_BYTES.next : STEP_BYTES.first);
}

import type { BodyHolder, BodyPace } from "./body-reservation.ts";

/** What a body that waited may add before it asks again: at first, and once it has shown its speed. */
export const STEP_BYTES = { first: 256 << 10, next: 4 << 20 } as const;

/** A long body as `BodyBudget` sees it. */
export interface Reservation {
  readonly holder: BodyHolder;
  readonly pace: BodyPace;
  /** `taken`: in the hands of who reads it. */
  state: "open" | "waiting" | "taken" | "released";
  /** What was granted to it; it counts with this or with what has arrived. */
  grantedBytes: number;
  /** In all. */
  waitedMs: number;
  /** It has added all that was granted to it. */
  isProven: boolean;
  /** It was let show how fast it comes, whatever was left of the budget. */
  isTried: boolean;
}

/** Bytes that a body counts with. */
export function countOf({ pace, grantedBytes }: Reservation): number {
  return Math.max(pace.arrivedBytes, grantedBytes);
}

/** Bytes that a body may add when it goes on. */
export function stepOf({ pace, isProven }: Reservation): number {
  return Math.min(pace.leftBytes, isProven ? STEP_BYTES.next : STEP_BYTES.first);
}

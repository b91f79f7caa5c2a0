import { BODY_CHECK_MS, BodyBudget } from "#api/rpc/http/body-budget.ts";
import type { BodyReservation } from "#api/rpc/http/body-reservation.ts";
import { roomyBytes } from "./held-bytes.ts";

/**
 * Creates a {@link BodyBudget}, and records the outcomes of the bodies that a test adds, by name.
 */
export function budgetWorld(maxBytes: number, held = roomyBytes()) {
  const budget = new BodyBudget(maxBytes, held);
  const outcomes: string[] = [];
  let nowMs = 0;
  return {
    budget,
    outcomes,
    enter(name: string, totalBytes: number | undefined, address = "a") {
      const holder = {
        client: { address },
        granted: () => void outcomes.push(`${name} goes on`),
        evicted: () => {
          outcomes.push(`${name} leaves`);
          reservation.release();
        },
      };
      const reservation: BodyReservation = budget.reserve(holder, totalBytes);
      return reservation;
    },
    /** Advances time; calls `each` at every check. */
    pass(ms: number, each = (): void => undefined) {
      for (let passed = 0; passed < ms; passed += BODY_CHECK_MS) {
        nowMs += BODY_CHECK_MS;
        each();
        budget.check(nowMs);
      }
    },
    /** Advances time without checks, as if the thread was busy. */
    skip: (ms: number) => void (nowMs += ms),
  };
}

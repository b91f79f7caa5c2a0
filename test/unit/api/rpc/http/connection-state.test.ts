import { describe, expect, test } from "bun:test";
import {
  type Arriving,
  type ConnectionPhase,
  type ConnectionView,
  type PausedFor,
  WAITS,
  waitsOf,
} from "#api/rpc/http/connection-state.ts";
import { TIMEOUTS } from "#test/helpers/http-connection.ts";

const PHASES: readonly ConnectionPhase[] = ["open", "closing", "lingering", "closed"];
const ARRIVING: readonly Arriving[] = ["nothing", "head", "body", "rest"];
const PAUSED: readonly PausedFor[] = ["nothing", "turn", "budget"];
const BOTH = [false, true];

const VIEWS: readonly ConnectionView[] = PHASES.flatMap((phase) =>
  BOTH.flatMap((isBlocked) =>
    BOTH.flatMap((isAnswering) =>
      ARRIVING.flatMap((arriving) =>
        PAUSED.map((pausedFor) => ({ phase, isBlocked, isAnswering, arriving, pausedFor })),
      ),
    ),
  ),
);

/** State after a wait has expired; the client sends nothing. */
function afterwards(view: ConnectionView, wait: keyof typeof WAITS): ConnectionView {
  switch (WAITS[wait].expiry) {
    case "terminate":
    case "close":
      return { ...view, phase: "closed" };
    case "finish":
    case 504:
      return { ...view, phase: "lingering", isAnswering: false, arriving: "nothing" };
    default:
      // The refusal is queued behind a response in progress, or sent immediately.
      return {
        ...view,
        phase: view.isAnswering ? "closing" : "lingering",
        arriving: "nothing",
      };
  }
}

describe("every connection state", () => {
  test("except `closed` has a wait with a finite limit", () => {
    expect(VIEWS).toHaveLength(192);
    for (const view of VIEWS) {
      const waits = waitsOf(view);
      expect(waits.length > 0).toBe(view.phase !== "closed");
      for (const wait of waits) {
        const limitMs = WAITS[wait].limitMs(TIMEOUTS);
        expect(limitMs).toBeGreaterThan(0);
        expect(limitMs).toBeLessThan(Infinity);
      }
    }
  });

  test("leads to `closed` when the client is silent, whichever wait expires first", () => {
    for (const view of VIEWS) {
      let open: ConnectionView[] = [view];
      for (let steps = 0; open.length > 0; steps++) {
        expect(steps).toBeLessThan(6);
        open = open
          .flatMap((each) => waitsOf(each).map((wait) => afterwards(each, wait)))
          .filter(({ phase }) => phase !== "closed");
      }
    }
  });

  test("paused for the budget has a wait that does not depend on the client", () => {
    const paused = VIEWS.filter(
      ({ phase, pausedFor }) => phase === "open" && pausedFor === "budget",
    );
    for (const view of paused.filter(({ arriving }) => arriving === "body")) {
      expect(waitsOf(view).some((wait) => ["budget", "taking"].includes(wait))).toBe(true);
    }
  });
});

test("a paused request has no body timeout, but waiting for room has a limit", () => {
  const view = { phase: "open", isBlocked: false, isAnswering: false, arriving: "body" } as const;
  expect(waitsOf({ ...view, pausedFor: "nothing" })).toEqual(["body"]);
  expect(waitsOf({ ...view, pausedFor: "budget" })).toEqual(["budget"]);
  expect(waitsOf({ ...view, isAnswering: true, pausedFor: "turn" })).toEqual(["answer"]);
});

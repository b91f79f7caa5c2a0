import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { BodyReservation } from "#api/rpc/http/body-reservation.ts";
import { budgetWorld } from "#test/helpers/body-budget.ts";
import { heldBytesWorld } from "#test/helpers/held-bytes.ts";
import { assertProperty } from "#test/helpers/property.ts";

const MIB = 1 << 20;

describe("BodyBudget", () => {
  test("counts received bytes rather than announced ones", () => {
    const { budget, enter } = budgetWorld(64 * MIB);
    const reservations = Array.from({ length: 100 }, (_, i) => enter(`${i}`, 15 * MIB));
    for (const reservation of reservations) reservation.add(MIB / 2);
    expect(budget.usedBytes).toBe(50 * MIB);
    expect(reservations.some(({ isWaiting }) => isWaiting)).toBe(false);
    for (const reservation of reservations) reservation.release();
    expect([budget.usedBytes, budget.size]).toEqual([0, 0]);
  });

  test("pauses bodies when full, but always lets one finish", () => {
    const { budget, outcomes, enter } = budgetWorld(10 * MIB);
    const [first, second] = [enter("first", 8 * MIB), enter("second", 8 * MIB)];
    first.add(5 * MIB);
    second.add(5 * MIB);
    // The budget is full: this body would be the only one waiting, so it continues beyond the
    // budget.
    expect([second.isWaiting, outcomes]).toEqual([false, ["second goes on"]]);
    first.add(1);
    expect(first.isWaiting).toBe(true);
    second.add(3 * MIB);
    second.release();
    expect([first.isWaiting, outcomes.at(-1)]).toEqual([false, "first goes on"]);
    expect(budget.usedBytes).toBeLessThanOrEqual(8 * MIB);
  });

  test("admits the address that holds least first, and its body with the least left", () => {
    const { outcomes, enter } = budgetWorld(10 * MIB);
    const full = enter("full", 20 * MIB);
    full.add(10 * MIB);
    expect(outcomes.splice(0)).toEqual(["full goes on"]);
    enter("long", 9 * MIB).add(1);
    enter("short", MIB).add(1);
    enter("other", 9 * MIB, "b").add(1);
    enter("none", 9 * MIB, "c");
    full.release();
    // One is admitted by age; the others by what their addresses hold.
    expect(outcomes).toEqual(["long goes on", "none goes on", "other goes on", "short goes on"]);
  });

  test("counts bodies until release after they are read, without evicting them", () => {
    const { outcomes, enter, pass } = budgetWorld(10 * MIB);
    const read = enter("read", 10 * MIB);
    read.add(10 * MIB);
    read.consume();
    const next = enter("next", MIB);
    expect(outcomes).toEqual(["next goes on"]);
    const third = enter("third", MIB);
    pass(10_000);
    expect(third.isWaiting).toBe(false);
    expect(outcomes.includes("read leaves")).toBe(false);
    next.release();
    read.release();
  });

  test("releases a reservation once, also a waiting one", () => {
    const { budget, enter } = budgetWorld(MIB);
    const first = enter("first", 2 * MIB);
    first.add(MIB);
    const gone = enter("gone", MIB);
    const last = enter("last", MIB);
    expect([gone.isWaiting, last.isWaiting]).toEqual([true, true]);
    gone.release();
    first.release();
    first.release();
    first.add(MIB);
    expect([last.isWaiting, budget.usedBytes <= MIB]).toEqual([false, true]);
    last.release();
    expect([budget.usedBytes, budget.size]).toEqual([0, 0]);
  });
});

describe("BodyBudget with slow bodies", () => {
  test("keeps them while there is room", () => {
    const { outcomes, enter, pass } = budgetWorld(64 * MIB);
    const slow = enter("slow", 15 * MIB);
    pass(100_000, () => slow.add(1_000));
    expect(outcomes).toEqual([]);
  });

  test("evicts the slowest first, and only as many as needed, when a body waits", () => {
    const { outcomes, enter, pass } = budgetWorld(10 * MIB);
    const slow = [2_000, 100, 1_000].map((speed) => {
      const reservation = enter(`${speed}`, 15 * MIB);
      reservation.add(3 * MIB);
      return { reservation, speed };
    });
    const trickle = () => {
      for (const { reservation, speed } of slow) reservation.add(speed);
    };
    pass(3_000, trickle);
    enter("filler", 15 * MIB).add(1.5 * MIB);
    outcomes.length = 0;
    const honest = enter("honest", 2 * MIB);
    expect(honest.isWaiting).toBe(true);
    pass(200);
    expect(honest.isWaiting).toBe(true);
    pass(200);
    expect(outcomes).toEqual(["100 leaves", "honest goes on"]);
  });

  test("evicts a fast body that has stalled", () => {
    const { outcomes, enter, pass } = budgetWorld(10 * MIB);
    const burst = enter("burst", 15 * MIB);
    burst.add(10 * MIB);
    pass(3_000);
    outcomes.length = 0;
    enter("honest", MIB);
    pass(500);
    expect(outcomes).toEqual(["burst leaves", "honest goes on"]);
  });

  test("evicts a nearly complete body soon after it stalls", () => {
    const { outcomes, enter, pass } = budgetWorld(14 * MIB);
    enter("burst", 15 * MIB).add(14 * MIB);
    pass(1_600);
    outcomes.length = 0;
    enter("honest", MIB);
    pass(400);
    expect(outcomes).toEqual(["burst leaves", "honest goes on"]);
  });

  test("keeps a slow body while an address with more bodies is fast", () => {
    const { outcomes, enter, pass } = budgetWorld(12 * MIB);
    const far = enter("far", 3 * MIB, "far");
    const near = Array.from({ length: 10 }, (_, i) => enter(`near ${i}`, 1.3 * MIB, "near"));
    far.add(MIB);
    pass(1_200, () => far.add(10_000));
    for (const reservation of near) reservation.add(1.2 * MIB);
    outcomes.length = 0;
    const more = enter("new", 2 * MIB, "near");
    expect(more.isWaiting).toBe(true);
    pass(400, () => far.add(10_000));
    expect(outcomes).not.toContain("far leaves");
  });

  test("keeps a slow body of an address that holds less than others", () => {
    const { outcomes, enter, pass } = budgetWorld(12 * MIB);
    const far = enter("far", 3 * MIB, "far");
    const near = Array.from({ length: 10 }, (_, i) => enter(`near ${i}`, 15 * MIB, "near"));
    for (const reservation of near) reservation.add(1.2 * MIB);
    pass(3_000, () => far.add(10_000));
    outcomes.length = 0;
    enter("new", 2 * MIB, "near");
    pass(2_000, () => far.add(10_000));
    expect(outcomes).toContain("new goes on");
    expect(
      outcomes.filter((text) => text.endsWith("leaves")).every((text) => text.startsWith("near")),
    ).toBe(true);
  });

  test("does not count time when the thread was blocked", () => {
    const { outcomes, enter, pass, skip } = budgetWorld(10 * MIB);
    const first = enter("first", 12 * MIB);
    first.add(10 * MIB);
    enter("second", MIB);
    pass(100);
    outcomes.length = 0;
    skip(30_000);
    pass(100);
    expect(outcomes).toEqual([]);
  });

  test("does not evict for waiting bodies that hold bytes themselves", () => {
    const { outcomes, enter, pass } = budgetWorld(10 * MIB);
    const reservations = Array.from({ length: 10 }, (_, i) => enter(`${i}`, 15 * MIB));
    for (const reservation of reservations) reservation.add(MIB);
    pass(3_000);
    outcomes.length = 0;
    for (const reservation of reservations) reservation.add(1);
    pass(5_000);
    expect(outcomes.filter((text) => text.endsWith("leaves"))).toEqual([]);
  });
});

describe("BodyBudget with partially received bodies waiting", () => {
  test("admits a few at a time, so that slow ones are found and evicted", () => {
    const { outcomes, enter, pass } = budgetWorld(10 * MIB);
    const beginnings = Array.from({ length: 200 }, (_, i) => enter(`${i}`, 15 * MIB));
    for (const reservation of beginnings) reservation.add(100_000);
    outcomes.length = 0;
    const honest = enter("honest", 3 * MIB);
    pass(1_200);
    expect(outcomes).toContain("honest goes on");
    // It sends at full speed and never waits again.
    for (let sent = 0; sent < 3 * MIB; sent += 65_536) {
      honest.add(65_536);
      if (honest.isWaiting) pass(100);
      expect(honest.isWaiting).toBe(false);
    }
    honest.release();
    expect(outcomes).not.toContain("honest leaves");
  });

  test("admits them in arrival order, however little others have left", () => {
    const { outcomes, enter, pass } = budgetWorld(10 * MIB);
    enter("full", 15 * MIB).add(10 * MIB);
    const honest = enter("honest", 3 * MIB);
    outcomes.length = 0;
    for (let round = 0; round < 20 && honest.isWaiting; round++) {
      for (let i = 0; i < 50; i++) enter(`${round} ${i}`, 110_000).add(100_000);
      pass(300);
    }
    expect(outcomes.indexOf("honest goes on")).toBeGreaterThanOrEqual(0);
  });
});

test("BodyBudget always lets at least one body continue and ends empty", () => {
  const steps = fc.array(
    fc.record({
      who: fc.nat(9),
      what: fc.constantFrom("enter", "add", "add", "add", "take", "leave", "pass"),
      bytes: fc.nat(3 * MIB),
    }),
    { maxLength: 80 },
  );
  assertProperty(
    fc.property(steps, (all) => {
      const { budget, enter, pass } = budgetWorld(8 * MIB);
      const reservations = new Map<number, BodyReservation>();
      for (const { who, what, bytes } of all) {
        const reservation = reservations.get(who);
        if (what === "pass") pass(300);
        else if (reservation === undefined)
          reservations.set(who, enter(`${who}`, bytes + 1, `${who % 3}`));
        else if (what === "add" && !reservation.isWaiting) reservation.add(bytes);
        else if (what === "take") reservation.consume();
        else if (what === "leave") {
          reservation.release();
          reservations.delete(who);
        }
        // Never do all bodies wait.
        const waiting = [...reservations.values()].filter(({ isWaiting }) => isWaiting).length;
        if (waiting > 0) expect(waiting).toBeLessThan(budget.size);
      }
      for (const reservation of reservations.values()) reservation.release();
      expect([budget.usedBytes, budget.size]).toEqual([0, 0]);
    }),
    { numRuns: 300 },
  );
});

test("BodyBudget counts bodies in the process-wide budget until release", () => {
  const { held } = heldBytesWorld(1e9);
  const { enter } = budgetWorld(1e6, held);
  const body = enter("a", 100_000, "a");
  body.add(70_000);
  body.add(30_000);
  body.consume();
  expect(held.bytesOf("a")).toBe(100_000);
  body.release();
  expect(held.bytes).toBe(0);
});

describe("BodyBudget spent by bodies of vanished clients", () => {
  /** Bodies that arrived quickly up to a point and then stalled. */
  function world() {
    const made = budgetWorld(4 * MIB);
    const gone = Array.from({ length: 6 }, (_, i) => made.enter(`gone ${i}`, 2 * MIB));
    for (const reservation of gone) reservation.add(1.2 * MIB);
    made.outcomes.length = 0;
    return made;
  }

  test("admits the next body in parallel when the first one stalls", () => {
    const { outcomes, pass } = world();
    pass(400);
    expect(outcomes.filter((text) => text.endsWith("goes on"))).not.toEqual([]);
    expect(outcomes.filter((text) => text.endsWith("leaves"))).toEqual([]);
  });

  test("admits a live body within seconds", () => {
    const { enter, pass, outcomes } = world();
    const honest = enter("honest", MIB);
    pass(3_000);
    expect(honest.isWaiting).toBe(false);
    expect(outcomes).toContain("honest goes on");
  });

  test("admits at most twice the budget", () => {
    const { budget, enter, pass } = budgetWorld(4 * MIB);
    const bodies = Array.from({ length: 100 }, (_, i) => enter(`${i}`, 2 * MIB));
    for (const body of bodies) body.add(MIB / 16);
    // Each read returns a full socket buffer, whatever was granted.
    pass(20_000, () => {
      for (const body of bodies) if (!body.isWaiting) body.add(MIB / 2);
    });
    expect(budget.usedBytes).toBeLessThan(2 * 4 * MIB + 64 * (MIB / 2));
  });
});

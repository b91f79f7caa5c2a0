import { expect, test } from "bun:test";
import { budgetWorld } from "#test/helpers/body-budget.ts";

const MIB = 1 << 20;

test("long bodies of one address never block a body of another address", () => {
  const { budget, enter, pass } = budgetWorld(10 * MIB);
  const flood = Array.from({ length: 200 }, (_, i) => ({
    reservation: enter(`${i}`, 15 * MIB, "flood"),
    unsent: MIB,
  }));
  // Each client sends as fast as it may, up to 1 MiB.
  const send = () => {
    for (const each of flood) {
      if (each.reservation.isWaiting || each.unsent === 0) continue;
      each.reservation.add(MIB / 4);
      each.unsent -= MIB / 4;
    }
  };
  pass(3_000, send);
  const honest = enter("honest", 4 * MIB, "other");
  let waitedMs = 0;
  for (let sent = 0; sent < 4 * MIB; sent += 65_536) {
    for (; honest.isWaiting && waitedMs < 10_000; waitedMs += 100) pass(100, send);
    if (!honest.isWaiting) honest.add(65_536);
  }
  expect(waitedMs).toBeLessThanOrEqual(1_000);
  for (const { reservation } of [...flood, { reservation: honest }]) reservation.release();
  expect([budget.usedBytes, budget.size]).toEqual([0, 0]);
});

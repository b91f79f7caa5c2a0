import { afterAll, beforeAll, describe } from "bun:test";
import { type FailoverFleet, startFailoverFleet } from "#test/attack/failover-fleet.ts";
import { FAILOVERS } from "#test/attack/groups/failovers.ts";
import { STORE_OUTAGES } from "#test/attack/store-outages.ts";
import { testAttacks } from "#test/helpers/attack-tests.ts";

/** Deadline for starting the fleet. */
const START_TIMEOUT_MS = 180_000;

testAttacks([STORE_OUTAGES]);

describe("a leader and its standby", () => {
  const needs = FAILOVERS.map((attack) => attack.needs.small);
  let fleet: FailoverFleet;

  beforeAll(async () => {
    fleet = await startFailoverFleet("small", {
      accounts: Math.max(...needs.map(({ accounts }) => accounts)),
      blockMs: Math.min(...needs.map(({ blockMs }) => blockMs)),
      storeProgram: null,
    });
  }, START_TIMEOUT_MS);

  afterAll(() => fleet[Symbol.asyncDispose]());

  testAttacks(FAILOVERS, (attack) => attack.runOn(fleet, "small"));
});

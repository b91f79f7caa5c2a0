import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type FailoverFleet, startFailoverFleet } from "#test/attack/failover-fleet.ts";
import { FAILOVERS, PATIENT } from "#test/attack/index.ts";

/** Each attack in small; in full: scripts/attack. */
const TIMEOUT_MS = 180_000;

for (const attack of PATIENT) {
  test(
    `${attack.name}: ${attack.about}`,
    async () => {
      expect(await attack.run("small")).toMatchObject({ held: true });
    },
    TIMEOUT_MS,
  );
}

describe("a leader and its standby", () => {
  const needs = FAILOVERS.map((attack) => attack.needs.small);
  let fleet: FailoverFleet;

  beforeAll(async () => {
    fleet = await startFailoverFleet("small", {
      accounts: Math.max(...needs.map(({ accounts }) => accounts)),
      blockMs: Math.min(...needs.map(({ blockMs }) => blockMs)),
      storeProgram: null,
    });
  }, TIMEOUT_MS);

  afterAll(() => fleet[Symbol.asyncDispose]());

  for (const attack of FAILOVERS) {
    test(
      `${attack.name}: ${attack.about}`,
      async () => {
        expect(await attack.runOn(fleet, "small")).toMatchObject({ held: true });
      },
      TIMEOUT_MS,
    );
  }
});

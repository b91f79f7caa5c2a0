import { expect, test } from "bun:test";
import type { Attack, AttackReport } from "#test/attack/attack.ts";

/** Above the sum of the bounds of an attack on a busy machine, so that it reports what broke. */
const TIMEOUT_MS = 400_000;

/**
 * Defines a test for each attack, in small; in full: scripts/attack.
 *
 * @param run - runs the attack in small; left out: with all that it starts itself
 */
export function testAttacks<A extends Attack>(
  attacks: readonly A[],
  run: (attack: A) => Promise<AttackReport> = (attack) => attack.run("small"),
): void {
  for (const attack of attacks) {
    test(
      `${attack.name}: ${attack.about}`,
      async () => {
        expect(await run(attack)).toMatchObject({ held: true });
      },
      TIMEOUT_MS,
    );
  }
}

import { expect, test } from "bun:test";
import type { Attack, AttackReport } from "#test/attack/attack.ts";

/**
 * Above the sum of the deadlines of an attack on a busy machine, so that it can report its faults.
 */
const TIMEOUT_MS = 400_000;

/**
 * Defines a test for each attack at small scale; scripts/attack runs them at full scale.
 *
 * @param run - runs the attack at small scale; by default with its own processes
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

import { expect, test } from "bun:test";
import { GATEWAYS } from "#test/attack/index.ts";

/** Each attack in small; in full: scripts/attack. */
const TIMEOUT_MS = 180_000;

for (const attack of GATEWAYS) {
  test(
    `${attack.name}: ${attack.about}`,
    async () => {
      expect(await attack.run("small")).toMatchObject({ held: true });
    },
    TIMEOUT_MS,
  );
}

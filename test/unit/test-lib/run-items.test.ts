import { expect, test } from "bun:test";
import type { CheckRunner } from "../../../scripts/test-lib/checks.ts";
import type { ExhaustiveItem } from "../../../scripts/test-lib/exhaustive/item.ts";
import { runItems, WAITING_LANES } from "../../../scripts/test-lib/exhaustive/run-items.ts";

const NO_CHECKS: CheckRunner = {
  hasFixtures: false,
  begin: () => undefined,
  command: async () => true,
  tests: async () => ({ passed: 0, failed: 0 }),
};

/** Checks that run until the test ends them by name. */
function heldItems(all: readonly { readonly name: string; readonly seconds: number }[]) {
  const running = new Map<string, () => void>();
  const items = all.map(({ name, seconds }): ExhaustiveItem => ({
    name,
    seconds,
    isSized: false,
    isWaiting: name.startsWith("waits"),
    run: () => new Promise<void>((end) => running.set(name, end)),
  }));
  const end = async (name: string): Promise<void> => {
    running.get(name)?.();
    running.delete(name);
    await Bun.sleep(0);
  };
  return { items, end, running: () => [...running.keys()].toSorted() };
}

test("runItems runs waiting checks in lanes, longest first, and then the others one at a time", async () => {
  const waiting = [1, 2, 3, 4, 5, 6].map((seconds) => ({ name: `waits ${seconds}`, seconds }));
  const others = ["first", "second"].map((name) => ({ name, seconds: 9 }));
  const { items, end, running } = heldItems([...others, ...waiting]);
  const ended = runItems(NO_CHECKS, items);
  expect(running()).toEqual(["waits 3", "waits 4", "waits 5", "waits 6"]);
  expect(running()).toHaveLength(WAITING_LANES);
  await end("waits 4");
  expect(running()).toEqual(["waits 2", "waits 3", "waits 5", "waits 6"]);
  for (const seconds of [2, 3, 5, 6, 1]) await end(`waits ${seconds}`);
  expect(running()).toEqual(["first"]);
  await end("first");
  expect(running()).toEqual(["second"]);
  await end("second");
  await ended;
});

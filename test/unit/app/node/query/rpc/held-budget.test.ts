import { expect, test } from "bun:test";
import { openHeldBudget } from "#app/node/query/rpc/held-budget.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

const MIB = 1 << 20;

function open(maxResponseSizeBytes: number) {
  const timer = new FakeTimer();
  const disposables = new AsyncDisposableStack();
  const held = openHeldBudget({ timeoutMs: 5_000, maxResponseSizeBytes }, 2, timer, disposables);
  return { held, timer, disposables };
}

test("holds several responses of the maximum size", () => {
  const client = { address: "a", isDisconnected: false };
  const { held } = open(1_024 * MIB);
  held.change(client, 4 * 1_024 * MIB);
  expect(held.hasRoom(client)).toBe(true);
  const { held: usual } = open(15 * MIB);
  usual.change(client, 1_024 * MIB);
  expect(usual.hasRoom(client)).toBe(false);
});

test("rejects a request that waits for budget beyond the timeout, until the node stops", async () => {
  const { held, timer, disposables } = open(15 * MIB);
  const client = { address: "a", isDisconnected: false };
  // One request continues regardless of the budget.
  const favoured = { address: "a", isDisconnected: false };
  held.change(favoured, 1_024 * MIB);
  expect(held.begin(favoured).room()).toBe(true);
  const waiting = held.begin(client).room();
  timer.advance(5_200);
  expect(await waiting).toBe(false);
  await disposables.disposeAsync();
  expect(timer.alarms).toBe(0);
});

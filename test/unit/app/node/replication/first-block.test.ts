import { expect, test } from "bun:test";
import { DevnetFault } from "#api/rpc/index.ts";
import { type FirstBlockDeps, makeFirstBlock } from "#app/node/replication/first-block.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { pass } from "#test/helpers/leader-records.ts";

/** An executor that refuses with these reasons, one after the other, and makes a block then. */
function world(refusals: string[]) {
  const timer = new FakeTimer();
  const orders: unknown[] = [];
  const warnings: unknown[] = [];
  const state = { isMissing: true };
  const control = {
    order(command: unknown) {
      orders.push(command);
      const reason = refusals.shift();
      return reason === undefined
        ? Promise.resolve({ kind: "sealed", blockNumber: 1 })
        : Promise.reject(new DevnetFault(reason));
    },
  } as unknown as ReturnType<FirstBlockDeps["control"]>;
  const deps: FirstBlockDeps = {
    control: () => control,
    isMissing: () => state.isMissing,
    log: { warn: (...line) => void warnings.push(line) },
    timer,
  };
  return { deps, timer, orders, warnings, state };
}

test("a block is closed at once, an empty one too", async () => {
  const { deps, orders, warnings } = world([]);
  await makeFirstBlock(deps);
  expect(orders).toEqual([{ kind: "createBlock", fresh: false }]);
  expect(warnings).toEqual([]);
});

test("an executor that refuses is asked again each second, and each reason told once", async () => {
  const { deps, timer, orders, warnings } = world(["halted", "halted", "busy"]);
  const made = makeFirstBlock(deps);
  await pass(timer, 2_900);
  expect(orders).toHaveLength(3);
  await pass(timer, 100);
  await made;
  expect(orders).toHaveLength(4);
  expect(warnings.map((line) => JSON.stringify(line))).toEqual([
    expect.stringContaining("halted"),
    expect.stringContaining("busy"),
  ]);
});

test("nobody asks on once a block is published, or another one leads", async () => {
  const { deps, timer, orders, state } = world(["halted", "halted", "halted"]);
  const made = makeFirstBlock(deps);
  await pass(timer, 500);
  state.isMissing = false;
  await pass(timer, 1_000);
  await made;
  expect(orders).toHaveLength(1);
});

test("a bug of the executor is not taken for a refusal", async () => {
  const { deps } = world([]);
  const control = { order: () => Promise.reject(new TypeError("bug")) };
  const made = makeFirstBlock({ ...deps, control: () => control });
  expect(await made.then(() => "made", String)).toContain("bug");
});

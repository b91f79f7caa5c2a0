import { expect, test } from "bun:test";
import { DevnetFault } from "#api/rpc/index.ts";
import { type FirstBlockDeps, makeFirstBlock } from "#app/node/replication/first-block.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { pass } from "#test/helpers/leader-records.ts";

/** An executor that rejects with these reasons in turn, then creates a block. */
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

test("closes a block immediately, even an empty one", async () => {
  const { deps, orders, warnings } = world([]);
  await makeFirstBlock(deps);
  expect(orders).toEqual([{ kind: "createBlock", fresh: false }]);
  expect(warnings).toEqual([]);
});

test("retries a rejected order each second and logs each reason once", async () => {
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

test("stops retrying once a block is published or another node leads", async () => {
  const { deps, timer, orders, state } = world(["halted", "halted", "halted"]);
  const made = makeFirstBlock(deps);
  await pass(timer, 500);
  state.isMissing = false;
  await pass(timer, 1_000);
  await made;
  expect(orders).toHaveLength(1);
});

test("rethrows a bug of the executor", async () => {
  const { deps } = world([]);
  const control = { order: () => Promise.reject(new TypeError("bug")) };
  const made = makeFirstBlock({ ...deps, control: () => control });
  expect(await made.then(() => "made", String)).toContain("bug");
});

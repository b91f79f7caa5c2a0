import { describe, expect, test } from "bun:test";
import { DevnetFault, type StateDiffRequest } from "#api/rpc/index.ts";
import type { ControlClient } from "#app/node/production/control-client.ts";
import type { PreparedClass } from "#app/node/devnet/class-preparation.ts";
import { StateWrites } from "#app/node/devnet/state-writes.ts";
import {
  type ControlCommand,
  type ControlOutcome,
  NO_CHANGE,
  type StateChange,
} from "#services/sequencer/index.ts";
import { packedClass } from "#test/helpers/packed-class.ts";

const INCLUDED: ControlOutcome = { kind: "included", blockNumber: 7 };
const SUPPLIED = {
  contractClass: packedClass({ felts: 1 }),
  classHash: undefined,
  compiledClassHash: undefined,
};
const REQUEST: StateDiffRequest = {
  ...NO_CHANGE,
  nonces: [{ contractAddress: 0x20n, nonce: 1n }],
  classes: [],
};

function preparedAs(classHash: bigint): PreparedClass {
  const encoded = { classHash, contractClass: new Uint8Array(), casmJson: null };
  return { kind: "prepared", encoded, compiledClassHash: 0n };
}

function world(
  outcome: ControlOutcome = INCLUDED,
  classes: readonly PreparedClass[] = [],
  isSealed = true,
) {
  const orders: ControlCommand[] = [];
  const accepted: number[] = [];
  const prefetched: StateChange["nonces"][number][] = [];
  const take = (command: ControlCommand): Promise<ControlOutcome> => {
    orders.push(command);
    return Promise.resolve(outcome);
  };
  let next = 0;
  const writes = new StateWrites({
    control: { ask: take, order: take as ControlClient["order"] },
    progress: {
      accepted(number) {
        accepted.push(number);
        return Promise.resolve();
      },
    },
    classes: { prepare: () => Promise.resolve(classes[next++] ?? preparedAs(0n)) },
    prefetch: async ({ nonces }) => void prefetched.push(...nonces),
    sealsImmediately: () => isSealed,
  });
  return { writes, orders, accepted, prefetched };
}

describe("a change of the state", () => {
  test("is ordered with its classes, and awaited if its block follows immediately", async () => {
    const prepared = [preparedAs(0x1n), preparedAs(0x2n)];
    const { writes, orders, accepted, prefetched } = world(INCLUDED, prepared);
    const change = { ...REQUEST, classes: [SUPPLIED, SUPPLIED] };
    const outcome = await writes.apply(change);
    expect(prefetched).toEqual([...REQUEST.nonces]);
    expect(outcome).toEqual({
      kind: "applied",
      classes: [
        { classHash: 0x1n, compiledClassHash: 0n },
        { classHash: 0x2n, compiledClassHash: 0n },
      ],
    });
    expect(orders).toMatchObject([
      { kind: "changeState", change: { nonces: REQUEST.nonces, classes: [{}, {}] } },
    ]);
    expect(accepted).toEqual([7]);
  });

  test("is not awaited if blocks are made on request", async () => {
    const { writes, accepted } = world(INCLUDED, [], false);
    await writes.apply(REQUEST);
    expect(accepted).toEqual([]);
  });

  test("without values makes no block", async () => {
    const { writes, orders } = world();
    expect(await writes.apply({ ...NO_CHANGE, classes: [] })).toEqual({
      kind: "applied",
      classes: [],
    });
    expect(orders).toEqual([]);
  });

  test("is refused with the value that does not fit the state", async () => {
    const fault = { code: "contract", at: ["nonces", 0] } as const;
    const { writes, accepted } = world({ kind: "refused", reason: "no contract", fault });
    expect(await writes.apply(REQUEST)).toEqual({
      kind: "refused",
      reason: "no contract",
      ...fault,
    });
    expect(accepted).toEqual([]);
  });

  test("fails if the executor refuses it for another reason", async () => {
    const { writes } = world({ kind: "refused", reason: "the node is stopping" });
    expect(writes.apply(REQUEST)).rejects.toThrow(new DevnetFault("the node is stopping"));
    await Bun.sleep(0);
  });

  test("changes nothing if one of its classes is wrong, or comes twice", async () => {
    const wrong: PreparedClass = { kind: "refused", code: "definition", reason: "wrong" };
    const classes = [SUPPLIED, SUPPLIED];
    const first = world(INCLUDED, [preparedAs(1n), wrong]);
    expect(await first.writes.apply({ ...REQUEST, classes })).toEqual({
      ...wrong,
      at: ["classes", 1],
    });
    const second = world(INCLUDED, [preparedAs(1n), preparedAs(1n)]);
    expect(await second.writes.apply({ ...REQUEST, classes })).toMatchObject({
      kind: "refused",
      code: "value",
      at: ["classes", 1],
    });
    expect([...first.orders, ...second.orders]).toEqual([]);
  });
});

test("a balance is ordered, and awaited if its block follows immediately", async () => {
  const { writes, orders, accepted } = world();
  const balance = { token: 1n, account: 2n, amount: 3n };
  await writes.setBalance(balance);
  expect(orders).toEqual([{ kind: "setBalance", ...balance }]);
  expect(accepted).toEqual([7]);
});

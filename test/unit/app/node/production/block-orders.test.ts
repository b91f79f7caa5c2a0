import { describe, expect, test } from "bun:test";
import { DevnetFault, type MockMessageToL2 } from "#api/rpc/index.ts";
import { BlockOrders } from "#app/node/production/block-orders.ts";
import { l1HandlerOf } from "#app/node/production/l1-message.ts";
import { decodeTransaction } from "#protocol/chain/index.ts";
import type { ControlCommand, ControlOutcome } from "#services/sequencer/index.ts";

const CHAIN_ID = 0x41n;

function message(nonce: bigint): MockMessageToL2 {
  return {
    l1ContractAddress: 0x11n,
    l2ContractAddress: 0x22n,
    entryPointSelector: 3n,
    payload: [4n],
    nonce,
    paidFeeOnL1: 6n,
    l1TransactionHash: null,
  };
}

/** Orders on a chain whose newest block is 4; the executor replies with `answer`. */
function world(answer: (command: ControlCommand) => ControlOutcome) {
  const commands: ControlCommand[] = [];
  let latest = 4;
  let open: number | undefined;
  const orders = new BlockOrders({
    chainId: CHAIN_ID,
    chain: {
      latestNumber: () => latest,
      header: (number) =>
        number <= latest ? ({ number, hash: 0x100n + BigInt(number) } as never) : undefined,
    },
    overlay: () => ({
      newest: () => (open === undefined ? undefined : ({ info: { number: open } } as never)),
    }),
    control: {
      order: (async (command: ControlCommand) => {
        commands.push(command);
        await Promise.resolve();
        const outcome = answer(command);
        if (outcome.kind === "refused") throw new DevnetFault(outcome.reason);
        return outcome;
      }) as never,
    },
    progress: {
      async accepted(number) {
        await Promise.resolve();
        latest = Math.max(latest, number);
      },
    },
  });
  return { orders, commands, show: (number: number | undefined) => (open = number) };
}

const kinds = (commands: readonly ControlCommand[]) => commands.map(({ kind }) => kind);

describe("block orders", () => {
  test("close a block and resolve once it is accepted", async () => {
    const { orders, commands } = world(() => ({ kind: "sealed", blockNumber: 5 }));
    expect(await orders.close()).toEqual({ number: 5, hash: 0x105n });
    expect(commands).toEqual([{ kind: "createBlock", fresh: false }]);
  });

  test("execute a message, then close its block", async () => {
    const { orders, commands } = world(({ kind }) =>
      kind === "message"
        ? { kind: "included", blockNumber: 5 }
        : { kind: "sealed", blockNumber: 5 },
    );
    const added = await orders.addMessage(message(7n));
    expect(added).toEqual({
      transactionHash: l1HandlerOf(message(7n), CHAIN_ID).hash,
      block: { number: 5, hash: 0x105n },
    });
    expect(kinds(commands)).toEqual(["message", "createBlock"]);
  });

  test("close a block with several messages once", async () => {
    const { orders, commands } = world(({ kind }) =>
      kind === "message"
        ? { kind: "included", blockNumber: 5 }
        : { kind: "sealed", blockNumber: 5 },
    );
    const added = await Promise.all([1n, 2n, 3n].map((nonce) => orders.addMessage(message(nonce))));
    expect(new Set(added.map(({ transactionHash }) => transactionHash)).size).toBe(3);
    expect(kinds(commands)).toEqual(["message", "message", "message", "createBlock"]);
  });

  test("do not close a block that was closed meanwhile", async () => {
    const { orders, commands, show } = world(() => ({ kind: "included", blockNumber: 5 }));
    show(6);
    expect((await orders.addMessage(message(1n))).block.number).toBe(5);
    expect(kinds(commands)).toEqual(["message"]);
  });

  test("reject with the executor's reason, and accept later orders", async () => {
    let isRefused = true;
    const { orders } = world(({ kind }) => {
      if (isRefused) return { kind: "refused", reason: "too many orders are waiting" };
      return kind === "message"
        ? { kind: "included", blockNumber: 5 }
        : { kind: "sealed", blockNumber: 5 };
    });
    expect(orders.close()).rejects.toThrow("too many orders");
    expect(orders.addMessage(message(1n))).rejects.toThrow("too many orders");
    await Bun.sleep(1);
    isRefused = false;
    expect((await orders.addMessage(message(1n))).block.number).toBe(5);
  });
});

test("converts a message to an L1 handler transaction", () => {
  const { hash, bytes } = l1HandlerOf(message(7n), CHAIN_ID);
  expect(decodeTransaction(bytes)).toEqual({
    hash,
    bytes,
    transaction: {
      type: "L1_HANDLER",
      version: 0,
      nonce: 7n,
      contractAddress: 0x22n,
      entryPointSelector: 3n,
      calldata: [0x11n, 4n],
      paidFeeOnL1: 6n,
    },
  });
});

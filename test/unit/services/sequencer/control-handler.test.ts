import { expect, test } from "bun:test";
import { ControlHandler, MAX_ORDERS, NOT_DEVNET } from "#services/sequencer/control-handler.ts";
import {
  type ControlCommand,
  type ControlReply,
  createDevPage,
  DevEnvironment,
  type L1Prices,
} from "#services/sequencer/index.ts";
import { fakePort } from "#test/helpers/fake-port.ts";

function world() {
  const main = fakePort<never, ControlReply>();
  const environment = new DevEnvironment(createDevPage(null, 0));
  const prices: L1Prices[] = [];
  const handler = new ControlHandler({
    main,
    setL1Prices: (newer) => prices.push(newer),
    devnet: { environment, unixNowMs: () => 1_000 },
  });
  let id = 0;
  const take = (command: ControlCommand) => {
    const event = handler.take({ kind: "control", id: id++, command });
    return event?.kind === "order" ? event.order : event;
  };
  return {
    handler,
    environment,
    prices,
    take,
    replies: () => main.sent.map(({ id: of, outcome }) => [of, outcome]),
  };
}

const MESSAGE = { kind: "message", bytes: new Uint8Array(1), l1TransactionHash: null } as const;

test("sets prices immediately, and time in turn", () => {
  const { handler, environment, take, replies } = world();
  expect(take({ kind: "setTime", timestamp: 50, seal: false })).toBe("time");
  expect(take({ kind: "increaseTime", seconds: 5, seal: true })).toBe("timedBlock");
  expect(environment.nowMs(1_000)).toBe(1_000);
  handler.setTime();
  expect(environment.nowMs(1_000)).toBe(50_000);
  handler.done({ kind: "set" });
  handler.setTime();
  handler.done({ kind: "sealed", blockNumber: 7 });
  expect(take({ kind: "setGasPrices", prices: { l2Gas: { fri: 9n } } })).toBeUndefined();
  expect(environment.nowMs(1_000)).toBe(55_000);
  const price = { wei: 1n, fri: 1n };
  const prices = environment.priced({ l1Gas: price, l1DataGas: price, l2Gas: price });
  expect(prices.l2Gas).toEqual({ wei: 1n, fri: 9n });
  expect(replies()).toEqual([
    [0, { kind: "set" }],
    [1, { kind: "sealed", blockNumber: 7 }],
    [2, { kind: "set" }],
  ]);
});

test("replies to blocks and messages in order, once they are done", () => {
  const { handler, take, replies } = world();
  expect(take({ kind: "createBlock", fresh: false })).toBe("block");
  expect(take({ kind: "createBlock", fresh: true })).toBe("freshBlock");
  expect(take(MESSAGE)).toBe("message");
  expect(handler.message()).toBeUndefined();
  handler.done({ kind: "sealed", blockNumber: 7 });
  handler.done({ kind: "sealed", blockNumber: 8 });
  expect(handler.message()).toEqual(MESSAGE);
  handler.done({ kind: "included", blockNumber: 9 });
  expect(handler.message()).toBeUndefined();
  expect(replies()).toEqual([
    [0, { kind: "sealed", blockNumber: 7 }],
    [1, { kind: "sealed", blockNumber: 8 }],
    [2, { kind: "included", blockNumber: 9 }],
  ]);
});

test("queues a write among the messages", () => {
  const { handler, take, replies } = world();
  const write = { kind: "writeStorage", contractAddress: 1n, key: 2n, value: 3n } as const;
  expect(take(MESSAGE)).toBe("message");
  expect(take(write)).toBe("message");
  handler.done({ kind: "included", blockNumber: 9 });
  expect(handler.message()).toEqual(write);
  handler.done({ kind: "included", blockNumber: 9 });
  expect(replies()).toHaveLength(2);
});

test("resumes time from a block that is ahead", () => {
  const { environment, take } = world();
  expect(take({ kind: "resumeTime", timestamp: 50 })).toBeUndefined();
  expect(environment.nowMs(1_000)).toBe(50_000);
  take({ kind: "resumeTime", timestamp: 0 });
  expect(environment.nowMs(1_000)).toBe(1_000);
});

test("rejects orders above the limit", () => {
  const { take, replies } = world();
  for (let i = 0; i < MAX_ORDERS; i++) expect(take(MESSAGE)).toBe("message");
  expect(take(MESSAGE)).toBeUndefined();
  expect(replies()).toEqual([
    [MAX_ORDERS, { kind: "refused", reason: "too many orders are waiting" }],
  ]);
});

test("a production chain closes blocks and accepts messages, and rejects all else", () => {
  const main = fakePort<never, ControlReply>();
  const handler = new ControlHandler({ main, setL1Prices: () => undefined, devnet: null });
  const take = (command: ControlCommand) => {
    const event = handler.take({ kind: "control", id: 1, command });
    return event?.kind === "order" ? event.order : event;
  };
  expect(take({ kind: "createBlock", fresh: false })).toBe("block");
  expect(take(MESSAGE)).toBe("message");
  expect(main.sent).toEqual([]);
  const refused: readonly ControlCommand[] = [
    { kind: "setTime", timestamp: 50, seal: false },
    { kind: "increaseTime", seconds: 5, seal: false },
    { kind: "resumeTime", timestamp: 50 },
    { kind: "writeStorage", contractAddress: 1n, key: 2n, value: 3n },
    { kind: "setGasPrices", prices: { l2Gas: { fri: 9n } } },
  ];
  for (const command of refused) expect(take(command)).toBeUndefined();
  const outcome = { kind: "refused", reason: NOT_DEVNET } as const;
  expect(main.sent).toEqual(refused.map(() => ({ kind: "controlled", id: 1, outcome })));
});

import { describe, expect, test } from "bun:test";
import { MockL1 } from "#app/node/devnet/mock-l1.ts";
import { MAX_SENT, MAX_FLUSHED_MESSAGES, MAX_WAITING, Postman } from "#app/node/devnet/postman.ts";
import { DevnetFault, type MessagingOrder, type MockMessageToL2 } from "#api/rpc/index.ts";
import { L1Error } from "#base/errors/index.ts";
import { createLogger } from "#base/telemetry/index.ts";
import type { MessageLog, SentMessages } from "#io/l1/index.ts";
import type { MessageToL1 } from "#protocol/chain/index.ts";
import { fakeReceipt } from "#test/helpers/fake-chain.ts";

const ORDER: MessagingOrder = { url: "http://l1", address: undefined, privateKey: undefined };
const P = 2n ** 251n + 17n * 2n ** 192n + 1n;

const toL1 = (word: bigint): MessageToL1 => ({ fromAddress: 1n, toAddress: 2n, payload: [word] });

function logOf(nonce: bigint, changes: Partial<MessageLog> = {}): MessageLog {
  return {
    kind: "message_to_l2",
    l1Block: { number: 7, hash: 8n },
    logIndex: 0,
    transactionHash: 0xdeadn,
    fromAddress: 0xabn,
    toAddress: 0xc0n,
    selector: 5n,
    payload: [1n],
    nonce,
    feeWei: 9n,
    ...changes,
  };
}

/** A postman whose L1 the test drives, on a chain with messages to L1. */
function world(sent: readonly MessageToL1[]) {
  const lines: string[] = [];
  const executed: MockMessageToL2[] = [];
  const l1 = {
    name: "http://l1",
    address: 0x5c07n,
    logs: [] as MessageLog[],
    received: [] as MessageToL1[],
    asked: [] as number[],
    take(most: number): Promise<readonly MessageLog[]> {
      l1.asked.push(most);
      return Promise.resolve(l1.logs.splice(0, most));
    },
    send(messages: readonly MessageToL1[]): Promise<SentMessages> {
      l1.received.push(...messages);
      return Promise.resolve({ count: messages.length, error: undefined });
    },
  };
  const opened: MessagingOrder[] = [];
  const postman = new Postman({
    mockL1: new MockL1(
      {
        latestNumber: () => 0,
        receipts: () => [{ ...fakeReceipt({ transactionHash: 1n }), messages: sent }],
      },
      0,
    ),
    open(order) {
      opened.push(order);
      return Promise.resolve(l1);
    },
    log: createLogger({ level: "info", format: "text", write: (line) => lines.push(line) }),
  });
  const execute = (message: MockMessageToL2) => {
    executed.push(message);
    return Promise.resolve(100n + message.nonce);
  };
  return { postman, l1, execute, executed, opened, lines };
}

describe("the postman without an L1", () => {
  test("flushes messages to L1 once; a dry flush changes nothing", async () => {
    const { postman, execute } = world([toL1(1n)]);
    const told = { toL1: [toL1(1n)], toL2: [], transactions: [], provider: undefined };
    expect(await postman.flush(true, execute)).toEqual(told);
    expect(await postman.flush(false, execute)).toEqual(told);
    expect(await postman.flush(false, execute)).toEqual({ ...told, toL1: [] });
  });
});

describe("the postman with an L1", () => {
  test("executes L1's messages and sends the chain's messages", async () => {
    const { postman, l1, execute, executed, opened } = world([toL1(1n), toL1(2n)]);
    expect(await postman.load(ORDER)).toBe(0x5c07n);
    expect(opened).toEqual([ORDER]);
    l1.logs.push(logOf(3n), logOf(4n));
    const message = {
      l1ContractAddress: 0xabn,
      l2ContractAddress: 0xc0n,
      entryPointSelector: 5n,
      payload: [1n],
      nonce: 3n,
      paidFeeOnL1: 9n,
      l1TransactionHash: 0xdeadn,
    };
    expect(await postman.flush(false, execute)).toEqual({
      toL1: [toL1(1n), toL1(2n)],
      toL2: [message, { ...message, nonce: 4n }],
      transactions: [103n, 104n],
      provider: "http://l1/",
    });
    expect(executed.map(({ nonce }) => nonce)).toEqual([3n, 4n]);
    expect(l1.received).toEqual([toL1(1n), toL1(2n)]);
    expect((await postman.flush(false, execute)).toL1).toEqual([]);
    expect(l1.asked).toEqual([MAX_FLUSHED_MESSAGES, MAX_FLUSHED_MESSAGES]);
  });

  test("sends no request to L1 in a dry flush", async () => {
    const { postman, l1, execute } = world([toL1(1n)]);
    await postman.load(ORDER);
    expect((await postman.flush(true, execute)).toL1).toEqual([toL1(1n)]);
    expect([l1.asked, l1.received]).toEqual([[], []]);
  });

  test("skips messages with values that are not felts, and executes the next ones", async () => {
    const { postman, l1, execute, executed, lines } = world([]);
    await postman.load(ORDER);
    l1.logs.push(
      logOf(0n, { payload: [2n ** 256n - 1n] }),
      logOf(1n, { toAddress: 2n ** 251n - 256n }),
      logOf(2n, { selector: P }),
      logOf(3n, { feeWei: 2n ** 128n }),
      logOf(4n, { payload: [P - 1n], toAddress: 2n ** 251n - 257n, feeWei: 2n ** 128n - 1n }),
    );
    const { toL2, transactions } = await postman.flush(false, execute);
    expect([toL2.length, transactions]).toEqual([1, [104n]]);
    expect(executed).toHaveLength(1);
    expect(lines.filter((line) => line.includes("not felts"))).toHaveLength(4);
  });

  test("logs a rejected message and continues with the next one", async () => {
    const { postman, l1, execute, lines } = world([toL1(1n)]);
    await postman.load(ORDER);
    l1.logs.push(logOf(0n), logOf(1n));
    const flushed = await postman.flush(false, (message) =>
      message.nonce === 0n ? Promise.reject(new DevnetFault("no")) : execute(message),
    );
    expect([flushed.toL2.length, flushed.transactions, flushed.toL1.length]).toEqual([
      2,
      [101n],
      1,
    ]);
    expect(lines.join("\n")).toMatch(/not executed: no/);
  });

  test("resends messages that L1 did not accept in the next flush", async () => {
    const many = Array.from({ length: MAX_SENT + 2 }, (_, index) => toL1(BigInt(index)));
    const { postman, l1, execute } = world(many);
    await postman.load(ORDER);
    const send = l1.send.bind(l1);
    l1.send = (messages) =>
      Promise.resolve({
        count: messages.length - 1,
        error: new L1Error("L1_REFUSED", "l1 says no", false),
      });
    expect(await postman.flush(false, execute).catch(String)).toContain("l1 says no");
    l1.send = send;
    expect((await postman.flush(false, execute)).toL1).toEqual(many.slice(MAX_SENT - 1));
  });

  test("reports an unreachable L1 as an error", async () => {
    const { postman, l1, execute } = world([]);
    await postman.load(ORDER);
    l1.take = () => Promise.reject(new L1Error("L1_TIMEOUT", "l1 did not answer", true));
    const error: unknown = await postman.flush(false, execute).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(DevnetFault);
    expect(String(error)).toContain("l1 did not answer");
  });

  test("runs flushes one at a time, with a bounded queue", async () => {
    const { postman, l1, execute } = world([toL1(1n)]);
    await postman.load(ORDER);
    const { promise, resolve } = Promise.withResolvers<readonly MessageLog[]>();
    let under = 0;
    l1.take = async () => {
      expect(++under).toBe(1);
      const taken = await promise;
      under--;
      return taken;
    };
    const flushes = Array.from({ length: MAX_WAITING }, () => postman.flush(false, execute));
    const refused = await postman.flush(false, execute).catch((cause: unknown) => cause);
    expect(refused).toBeInstanceOf(DevnetFault);
    resolve([]);
    const told = await Promise.all(flushes);
    expect(told.map(({ toL1 }) => toL1.length)).toEqual([1, ...Array(MAX_WAITING - 1).fill(0)]);
    expect((await postman.flush(false, execute)).provider).toBe("http://l1/");
  });

  test("fails queued flushes immediately when one fails, and contacts L1 again for the next request", async () => {
    const { postman, l1, execute } = world([toL1(1n)]);
    await postman.load(ORDER);
    let asked = 0;
    l1.take = () => {
      asked++;
      return Promise.reject(new L1Error("L1_TIMEOUT", "l1 did not answer", true));
    };
    const flushes = [1, 2, 3].map(() => postman.flush(false, execute).then(() => "done", String));
    for (const told of await Promise.all(flushes)) expect(told).toContain("l1 did not answer");
    expect(asked).toBe(1);
    l1.take = () => Promise.resolve([]);
    expect((await postman.flush(false, execute)).toL1).toEqual([toL1(1n)]);
  });

  test("forgets its L1 on request", async () => {
    const { postman, execute } = world([]);
    await postman.load(ORDER);
    postman.forget();
    expect((await postman.flush(false, execute)).provider).toBeUndefined();
  });
});

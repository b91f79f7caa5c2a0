import { expect, test } from "bun:test";
import { Caller, createMethodTables, NOBODY } from "#api/rpc/index.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { Turns } from "#api/rpc/turns.ts";
import { dispatcherOf, notesOf, type FullContext } from "#test/helpers/serving.ts";

test("turns are granted in order, and other events run in between", async () => {
  const turns = new Turns();
  const events: string[] = [];
  const { port1, port2 } = new MessageChannel();
  port2.onmessage = () => void events.push("message");
  const grants = Array.from({ length: 20 }, async (_, i) => {
    await turns.take(NOBODY);
    events.push(String(i));
  });
  port1.postMessage(0);
  await Promise.all(grants);
  port2.close();
  expect(events.filter((event) => event !== "message")).toEqual(
    Array.from({ length: 20 }, (_, i) => String(i)),
  );
  expect(events.indexOf("message")).toBeWithin(0, 19);
});

test("a client that takes many turns does not delay another client", async () => {
  const turns = new Turns();
  const events: string[] = [];
  const greedy = { address: "a" };
  const grants = Array.from({ length: 50 }, () =>
    turns.take(greedy).then(() => void events.push("greedy")),
  );
  await turns.take({ address: "a" }).then(() => void events.push("same address"));
  await turns.take({ address: "b" }).then(() => void events.push("other address"));
  await Promise.all(grants);
  expect(events.indexOf("same address")).toBeLessThan(3);
  expect(events.indexOf("other address")).toBeLessThan(6);
});

/** Keeps the thread busy. */
function work(ms: number): void {
  const endsMs = performance.now() + ms;
  while (performance.now() < endsMs);
}

test("short requests run within an event loop turn until its time slice is used", async () => {
  const turns = new Turns();
  expect([turns.isFree, turns.isFree]).toEqual([true, true]);
  work(6);
  expect(turns.isFree).toBe(false);
  await new Promise(setImmediate);
  expect(turns.isFree).toBe(true);
});

test("a short request waits while others do", async () => {
  const turns = new Turns();
  const waiting = turns.takeShort(NOBODY);
  expect(turns.isFree).toBe(false);
  await waiting;
});

test("short requests share a time slice, and the rest run in later ones", async () => {
  const turns = new Turns();
  let rounds = 0;
  const ends: number[] = [];
  const grants = Array.from({ length: 6 }, async () => {
    await turns.takeShort(NOBODY);
    work(2);
    ends.push(rounds);
  });
  const count = (): void => void setImmediate(() => (rounds++, ends.length < 6 && count()));
  count();
  await Promise.all(grants);
  const ofRound = [...new Set(ends)].map((round) => ends.filter((end) => end === round).length);
  expect(Math.max(...ofRound)).toBeWithin(2, 4);
  expect(ofRound.length).toBeGreaterThan(1);
});

test("short requests of a busy address run after those of others", async () => {
  const turns = new Turns();
  const events: string[] = [];
  const greedy = Array.from({ length: 20 }, (_, i) =>
    turns.takeShort({ address: "a" }).then(() => {
      work(2);
      events.push(`a ${i}`);
    }),
  );
  await new Promise(setImmediate);
  await turns.takeShort({ address: "b" }).then(() => void events.push("b"));
  await Promise.all(greedy);
  expect(events.indexOf("b")).toBeLessThan(10);
});

/** Context in which reading the chain id keeps the thread busy. */
function slowContext(ms: number): FullContext {
  return {
    ...sampleContext(),
    get chainId() {
      work(ms);
      return 1n;
    },
  };
}

const slow = { jsonrpc: "2.0", id: 1, method: "starknet_chainId" };
const [newest] = createMethodTables();

test("a request during a long batch does not wait for its end", async () => {
  const dispatcher = dispatcherOf(slowContext(10));
  let batchDone = false;
  const requests = JSON.stringify(Array.from({ length: 30 }, () => slow));
  const batch = Promise.resolve(dispatcher.handle(requests, newest, notesOf())).then((answer) => {
    batchDone = true;
    return answer;
  });
  await new Promise((resolve) => setTimeout(resolve, 1));
  await dispatcher.handle(
    '{"jsonrpc":"2.0","id":2,"method":"starknet_blockNumber"}',
    newest,
    notesOf(),
  );
  expect(batchDone).toBe(false);
  expect(JSON.parse((await batch) as string)).toHaveLength(30);
});

test("responses of a sliced batch are in the order of its requests", async () => {
  const dispatcher = dispatcherOf(slowContext(3));
  const requests = Array.from({ length: 10 }, (_, id) => ({ ...slow, id }));
  const answer = await dispatcher.handle(JSON.stringify(requests), newest, notesOf());
  const ids = (JSON.parse(answer as string) as { id: number }[]).map(({ id }) => id);
  expect(ids).toEqual(requests.map(({ id }) => id));
});

test("batches on many connections of one address get no more turns than a single one of another", async () => {
  let reads = 0;
  const slowly = slowContext(6);
  const context: FullContext = {
    ...sampleContext(),
    get chainId() {
      reads++;
      return slowly.chainId;
    },
  };
  const dispatcher = dispatcherOf(context);
  const batch = JSON.stringify(Array.from({ length: 6 }, () => slow));
  const ask = async (address: string) =>
    dispatcher.handle(batch, newest, notesOf({ caller: new Caller(address) }));
  const many = Array.from({ length: 6 }, () => ask("10.0.0.1"));
  await ask("10.0.0.2");
  expect(reads).toBeLessThan(24);
  await Promise.all(many);
  expect(reads).toBe(42);
});

test("short requests on many connections of one address do not delay another address", async () => {
  const dispatcher = dispatcherOf(slowContext(6));
  let done = 0;
  const ask = async (address: string) => {
    await dispatcher.handle(JSON.stringify(slow), newest, notesOf({ caller: new Caller(address) }));
    return ++done;
  };
  const many = Array.from({ length: 20 }, () => ask("10.0.0.1"));
  expect(await ask("10.0.0.2")).toBeLessThan(5);
  await Promise.all(many);
});

test("a queued short request does not run once its client has left", async () => {
  let reads = 0;
  const context: FullContext = {
    ...sampleContext(),
    get chainId() {
      reads++;
      work(6);
      return 1n;
    },
  };
  const dispatcher = dispatcherOf(context);
  const caller = new Caller("10.0.0.1");
  const body = JSON.stringify(slow);
  await dispatcher.handle(body, newest, notesOf());
  const waiting = dispatcher.handle(body, newest, notesOf({ caller }));
  caller.leave();
  expect(await waiting).toBeUndefined();
  expect(reads).toBe(1);
});

test("a short body with a turn from the transport runs immediately", () => {
  const dispatcher = dispatcherOf(slowContext(6));
  const body = JSON.stringify(slow);
  expect(dispatcher.handle(body, newest, notesOf())).toBeString();
  expect(dispatcher.handle(body, newest, notesOf())).toBeInstanceOf(Promise);
  expect(dispatcher.handle(body, newest, notesOf({ hasTurn: true }))).toBeString();
});

import { expect, test } from "bun:test";
import { Caller, createMethodTables, NOBODY } from "#api/rpc/index.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { Turns } from "#api/rpc/turns.ts";
import { dispatcherOf, notesOf, type WholeContext } from "#test/helpers/serving.ts";

test("turns are given in order, with everything else that has arrived in between", async () => {
  const turns = new Turns();
  const events: string[] = [];
  const { port1, port2 } = new MessageChannel();
  port2.onmessage = () => void events.push("message");
  const taken = Array.from({ length: 20 }, async (_, i) => {
    await turns.take(NOBODY);
    events.push(String(i));
  });
  port1.postMessage(0);
  await Promise.all(taken);
  port2.close();
  expect(events.filter((event) => event !== "message")).toEqual(
    Array.from({ length: 20 }, (_, i) => String(i)),
  );
  expect(events.indexOf("message")).toBeWithin(0, 19);
});

test("whoever wants many turns does not keep another client waiting", async () => {
  const turns = new Turns();
  const events: string[] = [];
  const greedy = { address: "a" };
  const taken = Array.from({ length: 50 }, () =>
    turns.take(greedy).then(() => void events.push("greedy")),
  );
  await turns.take({ address: "a" }).then(() => void events.push("same address"));
  await turns.take({ address: "b" }).then(() => void events.push("other address"));
  await Promise.all(taken);
  expect(events.indexOf("same address")).toBeLessThan(3);
  expect(events.indexOf("other address")).toBeLessThan(6);
});

/** Keeps the thread busy. */
function work(ms: number): void {
  const endsMs = performance.now() + ms;
  while (performance.now() < endsMs);
}

test("a turn of the event loop has time for short requests until its slice is used", async () => {
  const turns = new Turns();
  expect([turns.isFree, turns.isFree]).toEqual([true, true]);
  work(6);
  expect(turns.isFree).toBe(false);
  await new Promise(setImmediate);
  expect(turns.isFree).toBe(true);
});

test("nobody overtakes those who wait", async () => {
  const turns = new Turns();
  const waiting = turns.takeShort(NOBODY);
  expect(turns.isFree).toBe(false);
  await waiting;
});

test("short requests share a slice, and leave the rest to later ones", async () => {
  const turns = new Turns();
  let rounds = 0;
  const ends: number[] = [];
  const taken = Array.from({ length: 6 }, async () => {
    await turns.takeShort(NOBODY);
    work(2);
    ends.push(rounds);
  });
  const count = (): void => void setImmediate(() => (rounds++, ends.length < 6 && count()));
  count();
  await Promise.all(taken);
  const ofRound = [...new Set(ends)].map((round) => ends.filter((end) => end === round).length);
  expect(Math.max(...ofRound)).toBeWithin(2, 4);
  expect(ofRound.length).toBeGreaterThan(1);
});

test("short requests of an address that had much come behind those of others", async () => {
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

/** A context in which asking for the chain id keeps the thread busy. */
function slowContext(ms: number): WholeContext {
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

test("a request that comes while a long batch is answered does not wait for its end", async () => {
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

test("answers of a batch that was cut into slices stand in the order of its requests", async () => {
  const dispatcher = dispatcherOf(slowContext(3));
  const requests = Array.from({ length: 10 }, (_, id) => ({ ...slow, id }));
  const answer = await dispatcher.handle(JSON.stringify(requests), newest, notesOf());
  const ids = (JSON.parse(answer as string) as { id: number }[]).map(({ id }) => id);
  expect(ids).toEqual(requests.map(({ id }) => id));
});

test("batches of many connections of one address take no more turns than one of another", async () => {
  let asked = 0;
  const slowly = slowContext(6);
  const context: WholeContext = {
    ...sampleContext(),
    get chainId() {
      asked++;
      return slowly.chainId;
    },
  };
  const dispatcher = dispatcherOf(context);
  const batch = JSON.stringify(Array.from({ length: 6 }, () => slow));
  const ask = async (address: string) =>
    dispatcher.handle(batch, newest, notesOf({ caller: new Caller(address) }));
  const many = Array.from({ length: 6 }, () => ask("10.0.0.1"));
  await ask("10.0.0.2");
  expect(asked).toBeLessThan(24);
  await Promise.all(many);
  expect(asked).toBe(42);
});

test("short requests of many connections of one address do not keep another address waiting", async () => {
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

test("a short request whose client left while it waited is not run", async () => {
  let asked = 0;
  const context: WholeContext = {
    ...sampleContext(),
    get chainId() {
      asked++;
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
  expect(asked).toBe(1);
});

test("a short body of a transport that limits its own turns runs at once", () => {
  const dispatcher = dispatcherOf(slowContext(6));
  const body = JSON.stringify(slow);
  expect(dispatcher.handle(body, newest, notesOf())).toBeString();
  expect(dispatcher.handle(body, newest, notesOf())).toBeInstanceOf(Promise);
  expect(dispatcher.handle(body, newest, notesOf({ hasTurn: true }))).toBeString();
});

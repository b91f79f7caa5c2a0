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

/** A context in which asking for the chain id keeps the thread busy. */
function slowContext(ms: number): WholeContext {
  return {
    ...sampleContext(),
    get chainId() {
      const endsMs = performance.now() + ms;
      while (performance.now() < endsMs);
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

import { describe, expect, test } from "bun:test";
import { createMethodTables } from "#api/rpc/index.ts";
import { LONG_BODY } from "#api/rpc/dispatch.ts";
import { Caller } from "#api/rpc/limits/caller.ts";
import type { HeldBytes } from "#api/rpc/limits/held-bytes.ts";
import { DECLARE, INVOKE } from "#test/helpers/broadcasted.ts";
import { bodyText, heldBytesWorld } from "#test/helpers/held-bytes.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { dispatcherOf, notesOf } from "#test/helpers/serving.ts";

const [TABLE] = createMethodTables();
const MAX = 1_000_000;
const ADDRESS = "10.0.0.1";
const NO_ROOM = { error: { code: -32005, message: "Limit exceeded" } };

const utf8 = new TextEncoder();

/** Dispatcher with test-controlled queries that waits up to 500 ms for room. */
function world() {
  const { held, timer } = heldBytesWorld(MAX, 500);
  const open: ((text: string) => void)[] = [];
  const queryPool = {
    run: () =>
      new Promise<Uint8Array>((resolve) => {
        open.push((text) => resolve(utf8.encode(`{"result":${JSON.stringify(text)}}`)));
      }),
  };
  const dispatcher = dispatcherOf(sampleContext(), { held, queryPool });
  const notes = notesOf({ caller: new Caller(ADDRESS) });
  const handle = async (body: string) => bodyText(await dispatcher.handle(body, TABLE, notes));
  return { held, timer, open, notes, handle };
}

/** Gives another request of the address twice the budget, and makes it the one that may continue. */
function spend(held: HeldBytes): void {
  const other = new Caller(ADDRESS);
  held.change(other, 2 * MAX);
  expect(held.begin(other).room()).toBe(true);
}

const call = (id: number) => ({
  jsonrpc: "2.0",
  id,
  method: "starknet_traceTransaction",
  params: ["0x1"],
});
const chainId = (id: number) => ({ jsonrpc: "2.0", id, method: "starknet_chainId" });

describe("batch", () => {
  test("counts its responses until all are complete", async () => {
    const { held, open, handle } = world();
    const answering = handle(JSON.stringify([call(1), call(2)]));
    await Bun.sleep(1);
    open[0]?.("x".repeat(50_000));
    await Bun.sleep(1);
    expect(held.bytesOf(ADDRESS)).toBeGreaterThan(50_000);
    open[1]?.("y");
    expect(JSON.parse(await answering)).toHaveLength(2);
    expect(held.bytes).toBe(0);
  });

  test("responds busy with Retry-After after waiting too long for room", async () => {
    const { held, timer, notes, handle } = world();
    spend(held);
    const answering = handle(JSON.stringify([chainId(1), chainId(2)]));
    timer.advance(600);
    held.check();
    const answers = JSON.parse(await answering) as unknown[];
    expect(answers).toMatchObject([
      { ...NO_ROOM, id: 1 },
      { ...NO_ROOM, id: 2 },
    ]);
    expect(notes.retryAfterSeconds).toBeGreaterThan(0);
    expect(held.bytes).toBe(2 * MAX);
  });

  test("counts its requests at their parsed size", async () => {
    const { held, open, handle } = world();
    const objects = Array.from({ length: 2_000 }, () => ({}));
    const answering = handle(JSON.stringify([call(1), { ...chainId(2), params: objects }]));
    await Bun.sleep(1);
    expect(held.bytes).toBeGreaterThan(2_000 * 50);
    open[0]?.("done");
    await answering;
    expect(held.bytes).toBe(0);
  });
});

describe("long request", () => {
  const body = JSON.stringify({ ...call(1), padding: "x".repeat(LONG_BODY) });

  test("is counted until its response", async () => {
    const { held, open, handle } = world();
    const answering = handle(body);
    while (open.length === 0) await Bun.sleep(1);
    expect(held.bytesOf(ADDRESS)).toBeGreaterThan(LONG_BODY);
    open[0]?.("done");
    expect(await answering).toContain('"done"');
    expect(held.bytes).toBe(0);
  });

  test("responds busy without being parsed after waiting too long for room", async () => {
    const { held, timer, notes, handle } = world();
    spend(held);
    const answering = handle(body);
    timer.advance(600);
    held.check();
    expect(JSON.parse(await answering)).toMatchObject({ ...NO_ROOM, id: null });
    expect(notes.retryAfterSeconds).toBeGreaterThan(0);
  });
});

test("a short single request runs whatever is held", async () => {
  const { held, handle } = world();
  held.change({ address: ADDRESS }, 2 * MAX);
  expect(await handle(JSON.stringify(chainId(1)))).toContain('"result"');
});

test("a submitted transaction counts several times its size until its response", async () => {
  const { held } = heldBytesWorld(MAX, 500);
  let accept = (): void => undefined;
  const submit = () =>
    new Promise<{ readonly kind: "accepted"; readonly transactionHash: bigint }>((resolve) => {
      accept = () => resolve({ kind: "accepted", transactionHash: 5n });
    });
  const context = sampleContext({ submit: { submit, declare: submit } });
  const dispatcher = dispatcherOf(context, { held });
  const params = [{ ...INVOKE, calldata: Array.from({ length: 100 }, () => "0x123456789") }];
  const method = "starknet_addInvokeTransaction";
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const notes = notesOf({ caller: new Caller(ADDRESS) });
  const answering = dispatcher.handle(body, TABLE, notes);
  await Bun.sleep(0);
  expect(held.bytesOf(ADDRESS)).toBeGreaterThan(5 * body.length);
  accept();
  expect(bodyText(await answering)).toContain('"0x5"');
  expect(held.bytes).toBe(0);
});

test("a submitted declaration is not counted here but where it is compiled", async () => {
  const { held } = heldBytesWorld(MAX, 500);
  const submit = () => new Promise<never>(() => undefined);
  const context = sampleContext({ submit: { submit, declare: submit } });
  const dispatcher = dispatcherOf(context, { held });
  const method = "starknet_addDeclareTransaction";
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: [DECLARE] });
  void dispatcher.handle(body, TABLE, notesOf({ caller: new Caller(ADDRESS) }));
  await Bun.sleep(0);
  expect(held.bytesOf(ADDRESS)).toBeLessThan(body.length);
});

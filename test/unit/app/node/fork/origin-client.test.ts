import { describe, expect, test } from "bun:test";
import { OriginClient } from "#app/node/fork/origin-client.ts";
import type { ToFork } from "#app/node/threads/fork-messages.ts";
import { OriginError } from "#base/errors/index.ts";
import { encodeFailure, type OriginQuery } from "#io/origin/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

const QUERY: OriginQuery = { kind: "nonce", block: 3, address: 7n };
const TIMEOUT_MS = 10_000;

function clientWorld() {
  const sent: ToFork[] = [];
  const timer = new FakeTimer();
  const send = (message: ToFork) => void sent.push(message);
  return {
    sent,
    timer,
    client: new OriginClient({ send, timer, origins: ["http://a.example"], timeoutMs: TIMEOUT_MS }),
  };
}

describe("OriginClient", () => {
  test("settles each query with its own value", async () => {
    const { client, sent, timer } = clientWorld();
    const [first, second] = [client.answer(QUERY), client.answer(QUERY)];
    expect(sent).toEqual([
      { kind: "ask", id: 1, query: QUERY },
      { kind: "ask", id: 2, query: QUERY },
    ]);
    client.receive({ kind: "value", id: 2, value: null });
    client.receive({ kind: "value", id: 1, value: Buffer.from("one") });
    expect(await first).toEqual(Buffer.from("one"));
    expect(await second).toBeNull();
    expect(timer.alarms).toBe(0);
  });

  test("fails with the error of the fork thread", async () => {
    const { client } = clientWorld();
    const answer = client.answer(QUERY);
    const failure = encodeFailure(new OriginError("ORIGIN_REFUSED", "pruned", false));
    client.receive({ kind: "lost", id: 1, failure });
    const error: unknown = await answer.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "ORIGIN_REFUSED", message: "pruned", retryable: false });
  });

  test("gives up when the fork thread does not respond", async () => {
    const { client, timer } = clientWorld();
    const error = client.answer(QUERY).catch((thrown: unknown) => thrown);
    timer.advance(2 * TIMEOUT_MS);
    client.receive({ kind: "value", id: 1, value: null });
    expect(String(await error)).toContain("nonce 3 0x7: the thread that reads http://a.example");
  });

  test("asks a restarted fork thread again for what the stopped one did not return", async () => {
    const { client, sent, timer } = clientWorld();
    const [first, second] = [client.answer(QUERY), client.answer(QUERY)];
    client.receive({ kind: "value", id: 1, value: null });
    timer.advance(TIMEOUT_MS);
    sent.length = 0;
    client.askAgain();
    expect(sent).toEqual([{ kind: "ask", id: 2, query: QUERY }]);
    timer.advance(TIMEOUT_MS);
    client.receive({ kind: "value", id: 2, value: Buffer.from("two") });
    expect([await first, await second]).toEqual([null, Buffer.from("two")]);
    expect(timer.alarms).toBe(0);
  });

  test("fails all queries when it stops, also later ones", async () => {
    const { client, sent, timer } = clientWorld();
    const waiting = client.answer(QUERY).catch((thrown: unknown) => thrown);
    client.stop("moved");
    sent.length = 0;
    const later = client.answer(QUERY).catch((thrown: unknown) => thrown);
    for (const failed of [waiting, later]) {
      expect(await failed).toMatchObject({
        code: "ORIGIN_UNAVAILABLE",
        message: "nonce 3 0x7: moved",
      });
    }
    expect([sent.length, timer.alarms]).toEqual([0, 0]);
  });

  test("waits for the compilation of a class, and after it as long as for a value", async () => {
    const { client, timer } = clientWorld();
    const ofClass = (): OriginQuery => ({ kind: "class", block: 3, classHash: 5n });
    const before = client.answer(ofClass()).catch((thrown: unknown) => thrown);
    client.compiling(5n);
    const meanwhile = client.answer(ofClass());
    const other = client.answer(QUERY).catch((thrown: unknown) => thrown);
    timer.advance(2 * TIMEOUT_MS);
    expect(String(await other)).toContain("does not respond");
    expect(timer.alarms).toBe(0);
    client.compiled(5n);
    timer.advance(TIMEOUT_MS);
    client.receive({ kind: "value", id: 2, value: null });
    expect(await meanwhile).toBeNull();
    timer.advance(TIMEOUT_MS);
    expect(String(await before)).toContain("class 3 0x5: the thread that reads http://a.example");
  });
});

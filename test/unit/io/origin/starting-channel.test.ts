import { expect, test } from "bun:test";
import { KnownValues, OriginMissing, type OriginQuery, StartingChannel } from "#io/origin/index.ts";

const NONCE: OriginQuery = { kind: "nonce", block: 3, address: 1n };
const OTHER: OriginQuery = { kind: "nonce", block: 3, address: 2n };
const THIRD: OriginQuery = { kind: "nonce", block: 3, address: 3n };

function world() {
  const asked: OriginQuery[] = [];
  const known = new KnownValues({ maxBytes: 1 << 20, l1AcceptedMs: 0, nowMs: () => 0 });
  const ask = (query: OriginQuery): null => {
    asked.push(query);
    return null;
  };
  return { asked, channel: new StartingChannel({ ask }, known) };
}

test("waits for values while the thread starts, and knows them afterwards", () => {
  const { asked, channel } = world();
  expect(channel.ask(NONCE)).toBeNull();
  channel.started();
  expect(channel.ask(NONCE)).toBeNull();
  expect(asked).toEqual([NONCE]);
});

test("waits for nothing after the start", () => {
  const { asked, channel } = world();
  channel.started();
  expect(() => channel.ask(NONCE)).toThrow(OriginMissing);
  expect(asked).toEqual([]);
});

test("names all required values that it does not know", () => {
  const { channel } = world();
  channel.started();
  let missing: readonly OriginQuery[] = [];
  try {
    channel.require([NONCE, OTHER]);
  } catch (error) {
    if (error instanceof OriginMissing) missing = error.queries;
  }
  expect(missing).toEqual([NONCE, OTHER]);
});

test("names a missing value with its companions, but lacks nothing when only those are unknown", () => {
  const { channel } = world();
  channel.ask(NONCE);
  channel.started();
  expect(channel.ask(NONCE, [OTHER])).toBeNull();
  let missing: readonly OriginQuery[] = [];
  try {
    channel.ask(OTHER, [THIRD]);
  } catch (error) {
    if (error instanceof OriginMissing) missing = error.queries;
  }
  expect(missing).toEqual([OTHER, THIRD]);
});

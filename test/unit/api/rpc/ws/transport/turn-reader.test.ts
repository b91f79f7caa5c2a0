import { describe, expect, test } from "bun:test";
import { FrameReader } from "#api/rpc/ws/transport/frame-reader.ts";
import { ReadAhead } from "#api/rpc/ws/transport/read-ahead.ts";
import { ReadTurns } from "#api/rpc/ws/transport/read-turns.ts";
import { TurnReader } from "#api/rpc/ws/transport/turn-reader.ts";
import { clientFrame } from "#test/helpers/ws-frames.ts";

/** Reader whose turns end immediately, or after a minute, and a record of its messages. */
function world({ canRead = true, isLate = true, maxAhead = Infinity } = {}) {
  const events: string[] = [];
  const due: (() => void)[] = [];
  const nowMs = (): number => (isLate ? -10 : performance.now() + 60_000);
  const later = (turn: () => void): void => void due.push(turn);
  const turns = new ReadTurns({ later, nowMs });
  const ahead = new ReadAhead({
    maxBytes: maxAhead,
    later,
    timer: { after: () => () => undefined },
  });
  const client = { address: "192.0.2.1" };
  const state = { canRead, turnsEnded: 0, granted: 0, readBytes: 0, failures: [] as string[] };
  const frames: FrameReader = new FrameReader(
    {
      began: () => undefined,
      message: (text) => {
        events.push(text);
        reading.endIfLate();
      },
      ping: () => events.push("ping"),
      pong: () => undefined,
      frame: () => reading.countFrame(),
      close: () => undefined,
    },
    1_000_000,
  );
  const reading: TurnReader = new TurnReader({
    reader: frames,
    turns,
    ahead,
    client,
    canRead: () => state.canRead,
    read: (bytes) => (state.readBytes += bytes),
    failed: ({ reason }) => state.failures.push(reason),
    turnEnded: () => state.turnsEnded++,
    granted: () => state.granted++,
  });
  return {
    reading,
    ahead,
    events,
    state,
    loop: () => {
      for (const turn of due.splice(0)) turn();
    },
  };
}

const messages = (...texts: string[]): Buffer =>
  Buffer.from(Buffer.concat(texts.map((text) => clientFrame(text))));

describe("TurnReader", () => {
  test("ends its turn after a message once its time is over", () => {
    const { reading, events, state } = world();
    reading.receive(messages("one", "two", "three"));
    // The clock of the turns does not advance, so each message gets a turn immediately.
    expect(events).toEqual(["one", "two", "three"]);
    expect(state.turnsEnded).toBe(3);
  });

  test("reads all messages in one turn while its time lasts", () => {
    const { reading, events, state } = world({ isLate: false });
    reading.receive(messages("one", "two"));
    expect([events.length, state.turnsEnded]).toEqual([2, 1]);
  });

  test("checks the clock every 32 frames of any kind", () => {
    const { reading, events, state } = world();
    const ping = clientFrame("", { opcode: 9 });
    reading.receive(Buffer.concat(Array.from({ length: 100 }, () => ping)));
    expect([events.length, state.turnsEnded]).toEqual([100, 4]);
  });

  test("waits while it may not read, and counts every byte once", () => {
    const { reading, events, state } = world({ canRead: false });
    const bytes = messages("one", "two");
    const size = bytes.byteLength;
    reading.receive(bytes);
    expect([events, state.readBytes]).toEqual([[], 0]);
    state.canRead = true;
    reading.wantTurn();
    expect([events, state.readBytes]).toEqual([["one", "two"], size]);
  });

  test("reports a protocol violation", () => {
    const { reading, state } = world();
    reading.receive(clientFrame("unmasked", { mask: null }));
    expect(state.failures).toEqual(["frames of clients are masked"]);
  });

  test("reads nothing more when the connection ends", () => {
    const { reading, events, state, loop } = world({ canRead: false });
    reading.receive(messages("late"));
    reading.end();
    state.canRead = true;
    reading.wantTurn();
    loop();
    expect(events).toEqual([]);
  });

  const long = (): Buffer => messages("x".repeat(5_000));

  test("receives more right after its turn while all connections together have few bytes", () => {
    const { reading, events, state } = world();
    reading.receive(messages("x".repeat(70_000)));
    expect([events.length, reading.isMuch, state.granted]).toEqual([1, false, 0]);
  });

  test("holds its socket back until it is granted, once all have too many bytes", () => {
    const { reading, ahead, events, state, loop } = world({ maxAhead: 100_000 });
    ahead.change(100_000);
    reading.receive(long());
    expect([events.length, reading.isMuch]).toEqual([1, true]);
    loop();
    expect([reading.isMuch, state.granted]).toEqual([true, 0]);
    ahead.change(-100_000);
    loop();
    expect([reading.isMuch, state.granted]).toEqual([false, 1]);
  });

  test("receives few bytes however many others have", () => {
    const { reading, ahead, events } = world({ maxAhead: 100_000 });
    ahead.change(200_000);
    reading.receive(messages("short"));
    expect([events, reading.isMuch]).toEqual([["short"], false]);
  });

  test("waits for one grant only, although more bytes arrive meanwhile", () => {
    const { reading, ahead, events, state, loop } = world({ maxAhead: 100_000 });
    ahead.change(100_000);
    reading.receive(long());
    reading.receive(messages("late"));
    ahead.change(-100_000);
    loop();
    loop();
    expect([events.length, reading.isMuch, state.granted]).toEqual([2, false, 1]);
  });

  test("is granted nothing after its end", () => {
    const { reading, ahead, state, loop } = world({ maxAhead: 100_000 });
    ahead.change(100_000);
    reading.receive(long());
    reading.end();
    expect(reading.isMuch).toBe(false);
    ahead.change(-100_000);
    loop();
    expect(state.granted).toBe(0);
  });
});

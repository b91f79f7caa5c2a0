import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { FrameReader } from "#api/rpc/ws/transport/frame-reader.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { clientFrame } from "#test/helpers/ws-frames.ts";

/** Reader with a record of its events. */
function reading(maxMessageBytes = 1_000_000) {
  const events: unknown[] = [];
  const reader = new FrameReader(
    {
      began: () => undefined,
      message: (text) => events.push(text),
      ping: (payload) => events.push(["ping", Buffer.from(payload).toString()]),
      pong: () => events.push(["pong"]),
      frame: () => undefined,
      close: (code) => events.push(["close", code]),
    },
    maxMessageBytes,
  );
  return { reader, events, read: (bytes: Uint8Array) => reader.read(bytes) };
}

const fromHex = (text: string): Buffer => Buffer.from(text, "hex");

describe("FrameReader with client frames of RFC 6455, section 5.7", () => {
  test("reads a masked text", () => {
    const { read, events } = reading();
    expect(read(fromHex("818537fa213d7f9f4d5158"))).toBeUndefined();
    expect(events).toEqual(["Hello"]);
  });

  test("reads a masked pong", () => {
    const { read, events } = reading();
    expect(read(fromHex("8a8537fa213d7f9f4d5158"))).toBeUndefined();
    expect(events).toEqual([["pong"]]);
  });

  test("rejects an unmasked text, which only servers send", () => {
    const { read, events } = reading();
    expect(read(fromHex("810548656c6c6f"))?.code).toBe(1002);
    expect(events).toEqual([]);
  });
});

const anyText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc.integer({ min: 0, max: 70_000 }).map((length) => "ä".repeat(length)),
);
const message = fc.record({
  text: anyText,
  /** Positions where the message is split into frames, as fractions of its length. */
  cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 }),
  masks: fc.array(fc.uint8Array({ minLength: 4, maxLength: 4 }), { minLength: 6, maxLength: 6 }),
  /** Payload of a ping before each frame; `null` for none. */
  pings: fc.array(fc.option(fc.uint8Array({ maxLength: 125 })), { minLength: 6, maxLength: 6 }),
});

test("FrameReader reassembles messages from any frames, pings and chunks", () => {
  assertProperty(
    fc.property(
      fc.array(message, { minLength: 1, maxLength: 4 }),
      fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 20 }),
      (messages, pieces) => {
        const sent: Uint8Array[] = [];
        const expected: unknown[] = [];
        for (const { text, cuts, masks, pings } of messages) {
          const bytes = Buffer.from(text);
          const places = [0, ...cuts.map((cut) => Math.floor(cut * bytes.length)), bytes.length];
          places.sort((a, b) => a - b);
          for (let i = 0; i + 1 < places.length; i++) {
            const ping = pings[i];
            if (ping !== null && ping !== undefined) {
              sent.push(clientFrame(ping, { opcode: 9, mask: masks[i] as Uint8Array }));
              expected.push(["ping", Buffer.from(ping).toString()]);
            }
            sent.push(
              clientFrame(bytes.subarray(places[i], places[i + 1]), {
                opcode: i === 0 ? 1 : 0,
                isFinal: i + 2 === places.length,
                mask: masks[i] as Uint8Array,
              }),
            );
          }
          expected.push(bytes.toString());
        }
        const { read, events } = reading();
        let rest: Buffer = Buffer.concat(sent);
        for (let i = 0; rest.length > 0; i++) {
          const size = pieces[i % pieces.length] as number;
          expect(read(rest.subarray(0, size))).toBeUndefined();
          rest = rest.subarray(size);
        }
        expect(events).toEqual(expected);
      },
    ),
  );
});

test("FrameReader reads or rejects any bytes without amplification", () => {
  assertProperty(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      const { read, events } = reading(100);
      const failure = read(bytes);
      expect(failure === undefined || failure.code >= 1002).toBe(true);
      expect(JSON.stringify(events).length).toBeLessThan(20 * bytes.length + 3);
    }),
  );
});

test("FrameReader reads binary messages as text", () => {
  const { read, events } = reading();
  const parts = [
    clientFrame('{"a":', { opcode: 2, isFinal: false }),
    clientFrame('"ä"}', { opcode: 0 }),
  ];
  expect(read(Buffer.concat(parts))).toBeUndefined();
  expect(events).toEqual(['{"a":"ä"}']);
});

test("FrameReader stops at a pause and resumes from there", () => {
  const events: string[] = [];
  const reader: FrameReader = new FrameReader(
    {
      began: () => undefined,
      message: (text) => {
        events.push(text);
        if (events.length === 2) reader.pause();
      },
      ping: () => undefined,
      pong: () => undefined,
      frame: () => undefined,
      close: () => undefined,
    },
    1_000,
  );
  const bytes = Buffer.concat(["one", "two", "three"].map((text) => clientFrame(text)));
  expect(reader.read(bytes)).toBeUndefined();
  expect([events, reader.readBytes]).toEqual([["one", "two"], 18]);
  expect(reader.read(bytes.subarray(reader.readBytes))).toBeUndefined();
  expect([events.at(-1), reader.readBytes]).toEqual(["three", 11]);
});

describe("FrameReader rejects", () => {
  const cases: readonly (readonly [what: string, code: number, bytes: Uint8Array])[] = [
    ["reserved bits", 1002, fromHex("c18000000000")],
    ["an unknown kind of frame", 1002, clientFrame("", { opcode: 3 })],
    ["an unknown control frame", 1002, clientFrame("", { opcode: 11 })],
    ["binary data that is not UTF-8", 1007, clientFrame(Uint8Array.of(0xff), { opcode: 2 })],
    [
      "a binary message within a message",
      1002,
      Buffer.concat([clientFrame("a", { isFinal: false }), clientFrame("b", { opcode: 2 })]),
    ],
    ["a continuation without a message", 1002, clientFrame("a", { opcode: 0 })],
    [
      "a message within a message",
      1002,
      Buffer.concat([clientFrame("a", { isFinal: false }), clientFrame("b")]),
    ],
    ["a fragmented ping", 1002, clientFrame("a", { opcode: 9, isFinal: false })],
    ["a ping of 126 bytes", 1002, clientFrame("a".repeat(126), { opcode: 9 })],
    ["a length of two bytes that fits one", 1002, fromHex("81fe007d")],
    ["a length of eight bytes that fits two", 1002, fromHex("81ff000000000000ffff")],
    ["a length of 64 bits", 1002, fromHex("81ff8000000000000000")],
    ["a length of 2^63 - 1", 1009, fromHex("81ff7fffffffffffffff")],
    ["text that is not UTF-8", 1007, clientFrame(Uint8Array.of(0xc3, 0x28))],
    ["text that ends within a character", 1007, clientFrame(Uint8Array.of(0xe2, 0x82))],
    ["a close code of one byte", 1002, clientFrame("a", { opcode: 8 })],
    ["a reserved close code", 1002, clientFrame(fromHex("03ed"), { opcode: 8 })],
    ["a close reason that is not UTF-8", 1007, clientFrame(fromHex("03e8c328"), { opcode: 8 })],
  ];
  for (const [what, code, bytes] of cases) {
    test(what, () => {
      const { read, events } = reading();
      expect(read(bytes)?.code).toBe(code);
      expect(events).toEqual([]);
    });
  }
});

describe("FrameReader message limit", () => {
  test("rejects a message from its header alone", () => {
    const { read } = reading(10);
    expect(read(clientFrame("x".repeat(11)).subarray(0, 6))?.code).toBe(1009);
  });

  test("applies to the frames of a message together", () => {
    const { read, events } = reading(10);
    expect(read(clientFrame("x".repeat(6), { isFinal: false }))).toBeUndefined();
    expect(read(clientFrame("x".repeat(5), { opcode: 0 }).subarray(0, 6))?.code).toBe(1009);
    expect(events).toEqual([]);
  });

  test("accepts a message of exactly the limit", () => {
    const { read, events } = reading(10);
    expect(read(clientFrame("x".repeat(10)))).toBeUndefined();
    expect(events).toEqual(["x".repeat(10)]);
  });
});

test("FrameReader keeps a byte order mark in the text", () => {
  const { read, events } = reading();
  read(clientFrame("\uFEFFa"));
  expect(events).toEqual(["\uFEFFa"]);
});

test("FrameReader reads nothing after a close frame", () => {
  const { read, events } = reading();
  expect(
    read(Buffer.concat([clientFrame("", { opcode: 8 }), clientFrame("late")])),
  ).toBeUndefined();
  read(clientFrame("later"));
  expect(events).toEqual([["close", undefined]]);
});

test("FrameReader reads a message of single-byte frames", () => {
  const { read, events } = reading();
  const begin = clientFrame("", { isFinal: false });
  const part = clientFrame("a", { opcode: 0, isFinal: false });
  read(begin);
  for (let i = 0; i < 1_000; i++) read(part);
  read(clientFrame("", { opcode: 0 }));
  expect(events).toEqual(["a".repeat(1_000)]);
});

describe("FrameReader limit of short frames", () => {
  /**
   * Reads a message with frames of `bytes` bytes each.
   *
   * @returns the number of frames until the reader rejects one
   */
  const framesRead = (bytes: number): number => {
    const { read } = reading();
    const part = clientFrame("a".repeat(bytes), { opcode: 0, isFinal: false });
    read(clientFrame("", { isFinal: false }));
    let frames = 1;
    while (frames < 5_000 && read(part) === undefined) frames++;
    return frames;
  };

  test.each([
    [0, 1_024],
    [1, 1_040],
    [32, 2_047],
  ])("rejects a message with frames of %i bytes after %i frames", (bytes, maxFrames) => {
    expect(framesRead(bytes)).toBe(maxFrames);
  });

  test("allows a streamed message with longer frames", () => {
    expect(framesRead(128)).toBe(5_000);
  });

  test("reports code 1008", () => {
    const { read } = reading();
    read(clientFrame("", { isFinal: false }));
    const empty = clientFrame("", { opcode: 0, isFinal: false });
    const failures = Array.from({ length: 1_024 }, () => read(empty));
    expect(failures.at(-1)).toEqual({
      code: 1008,
      reason: "a message has too many short frames",
    });
  });
});

test("FrameReader reports every frame after its content", () => {
  const order: string[] = [];
  const reader = new FrameReader(
    {
      began: () => undefined,
      message: (text) => order.push(text),
      ping: () => order.push("ping"),
      pong: () => order.push("pong"),
      frame: () => order.push("frame"),
      close: () => order.push("close"),
    },
    1_000,
  );
  const bytes = [
    clientFrame("", { opcode: 9 }),
    clientFrame("he", { isFinal: false }),
    clientFrame("", { opcode: 10 }),
    clientFrame("llo", { opcode: 0 }),
    clientFrame("", { opcode: 8 }),
  ];
  reader.read(Buffer.concat(bytes));
  const expected = ["ping", "frame", "frame", "pong", "frame", "hello", "frame", "close", "frame"];
  expect(order).toEqual(expected);
});

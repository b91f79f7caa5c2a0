import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { FrameReader } from "#api/rpc/ws/transport/frame-reader.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { clientFrame } from "#test/helpers/ws-frames.ts";

/** A reader, and everything that it has told. */
function reading(maxMessageBytes = 1_000_000) {
  const told: unknown[] = [];
  const reader = new FrameReader(
    {
      began: () => undefined,
      message: (text) => told.push(text),
      ping: (payload) => told.push(["ping", Buffer.from(payload).toString()]),
      pong: () => told.push(["pong"]),
      frame: () => undefined,
      close: (code) => told.push(["close", code]),
    },
    maxMessageBytes,
  );
  return { reader, told, read: (bytes: Uint8Array) => reader.read(bytes) };
}

const fromHex = (text: string): Buffer => Buffer.from(text, "hex");

describe("frames of clients in RFC 6455, section 5.7", () => {
  test("a masked text", () => {
    const { read, told } = reading();
    expect(read(fromHex("818537fa213d7f9f4d5158"))).toBeUndefined();
    expect(told).toEqual(["Hello"]);
  });

  test("a masked pong", () => {
    const { read, told } = reading();
    expect(read(fromHex("8a8537fa213d7f9f4d5158"))).toBeUndefined();
    expect(told).toEqual([["pong"]]);
  });

  test("an unmasked text, which only servers send", () => {
    const { read, told } = reading();
    expect(read(fromHex("810548656c6c6f"))?.code).toBe(1002);
    expect(told).toEqual([]);
  });
});

const anyText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc.integer({ min: 0, max: 70_000 }).map((length) => "ä".repeat(length)),
);
const message = fc.record({
  text: anyText,
  /** Where the message is cut into frames, as parts of its length. */
  cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 }),
  masks: fc.array(fc.uint8Array({ minLength: 4, maxLength: 4 }), { minLength: 6, maxLength: 6 }),
  /** A ping before each frame that has one. */
  pings: fc.array(fc.option(fc.uint8Array({ maxLength: 125 })), { minLength: 6, maxLength: 6 }),
});

test("messages in any frames, with pings between, in any pieces, are read as they were sent", () => {
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
        const { read, told } = reading();
        let rest: Buffer = Buffer.concat(sent);
        for (let i = 0; rest.length > 0; i++) {
          const size = pieces[i % pieces.length] as number;
          expect(read(rest.subarray(0, size))).toBeUndefined();
          rest = rest.subarray(size);
        }
        expect(told).toEqual(expected);
      },
    ),
  );
});

test("any bytes are read or refused, and never more is told than was sent", () => {
  assertProperty(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      const { read, told } = reading(100);
      const failure = read(bytes);
      expect(failure === undefined || failure.code >= 1002).toBe(true);
      expect(JSON.stringify(told).length).toBeLessThan(20 * bytes.length + 3);
    }),
  );
});

test("bytes are read as text is, in any frames", () => {
  const { read, told } = reading();
  const parts = [
    clientFrame('{"a":', { opcode: 2, isFinal: false }),
    clientFrame('"ä"}', { opcode: 0 }),
  ];
  expect(read(Buffer.concat(parts))).toBeUndefined();
  expect(told).toEqual(['{"a":"ä"}']);
});

test("what is in hand is left where it is paused, and read on from there", () => {
  const told: string[] = [];
  const reader: FrameReader = new FrameReader(
    {
      began: () => undefined,
      message: (text) => {
        told.push(text);
        if (told.length === 2) reader.pause();
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
  expect([told, reader.readBytes]).toEqual([["one", "two"], 18]);
  expect(reader.read(bytes.subarray(reader.readBytes))).toBeUndefined();
  expect([told.at(-1), reader.readBytes]).toEqual(["three", 11]);
});

describe("a connection cannot go on behind", () => {
  const cases: readonly (readonly [what: string, code: number, bytes: Uint8Array])[] = [
    ["reserved bits", 1002, fromHex("c18000000000")],
    ["an unknown kind of frame", 1002, clientFrame("", { opcode: 3 })],
    ["an unknown control frame", 1002, clientFrame("", { opcode: 11 })],
    ["bytes that are no UTF-8", 1007, clientFrame(Uint8Array.of(0xff), { opcode: 2 })],
    [
      "bytes within a message",
      1002,
      Buffer.concat([clientFrame("a", { isFinal: false }), clientFrame("b", { opcode: 2 })]),
    ],
    ["a continuation of nothing", 1002, clientFrame("a", { opcode: 0 })],
    [
      "a message within a message",
      1002,
      Buffer.concat([clientFrame("a", { isFinal: false }), clientFrame("b")]),
    ],
    ["a ping in parts", 1002, clientFrame("a", { opcode: 9, isFinal: false })],
    ["a ping of 126 bytes", 1002, clientFrame("a".repeat(126), { opcode: 9 })],
    ["a length of two bytes that fits one", 1002, fromHex("81fe007d")],
    ["a length of eight bytes that fits two", 1002, fromHex("81ff000000000000ffff")],
    ["a length of 64 bits", 1002, fromHex("81ff8000000000000000")],
    ["a length of 2^63 - 1", 1009, fromHex("81ff7fffffffffffffff")],
    ["text that is no UTF-8", 1007, clientFrame(Uint8Array.of(0xc3, 0x28))],
    ["text that ends in a character", 1007, clientFrame(Uint8Array.of(0xe2, 0x82))],
    ["a close code of one byte", 1002, clientFrame("a", { opcode: 8 })],
    ["a close code that nobody may send", 1002, clientFrame(fromHex("03ed"), { opcode: 8 })],
    ["a reason that is no UTF-8", 1007, clientFrame(fromHex("03e8c328"), { opcode: 8 })],
  ];
  for (const [what, code, bytes] of cases) {
    test(what, () => {
      const { read, told } = reading();
      expect(read(bytes)?.code).toBe(code);
      expect(told).toEqual([]);
    });
  }
});

describe("a message that is too long", () => {
  test("is refused with its head, before any of it is kept", () => {
    const { read } = reading(10);
    expect(read(clientFrame("x".repeat(11)).subarray(0, 6))?.code).toBe(1009);
  });

  test("is refused when its frames are together", () => {
    const { read, told } = reading(10);
    expect(read(clientFrame("x".repeat(6), { isFinal: false }))).toBeUndefined();
    expect(read(clientFrame("x".repeat(5), { opcode: 0 }).subarray(0, 6))?.code).toBe(1009);
    expect(told).toEqual([]);
  });

  test("is not the one that is as long as may be", () => {
    const { read, told } = reading(10);
    expect(read(clientFrame("x".repeat(10)))).toBeUndefined();
    expect(told).toEqual(["x".repeat(10)]);
  });
});

test("a byte order mark is a part of the text", () => {
  const { read, told } = reading();
  read(clientFrame("\uFEFFa"));
  expect(told).toEqual(["\uFEFFa"]);
});

test("nothing is read behind a close", () => {
  const { read, told } = reading();
  expect(
    read(Buffer.concat([clientFrame("", { opcode: 8 }), clientFrame("late")])),
  ).toBeUndefined();
  read(clientFrame("later"));
  expect(told).toEqual([["close", undefined]]);
});

test("a message of single bytes, each in a frame of its own, keeps its bytes and no more", () => {
  const { read, told } = reading();
  const begin = clientFrame("", { isFinal: false });
  const part = clientFrame("a", { opcode: 0, isFinal: false });
  read(begin);
  for (let i = 0; i < 1_000; i++) read(part);
  read(clientFrame("", { opcode: 0 }));
  expect(told).toEqual(["a".repeat(1_000)]);
});

describe("a message of many frames", () => {
  /** Reads a message whose frames have so many bytes each, until the reader refuses it. */
  const framesTaken = (bytes: number): number => {
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
  ])("of %i bytes is refused behind %i frames", (bytes, most) => {
    expect(framesTaken(bytes)).toBe(most);
  });

  test("that a client streams is read", () => {
    expect(framesTaken(128)).toBe(5_000);
  });

  test("is refused as a breach of the limits", () => {
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

test("every frame is counted behind what it brings", () => {
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
  const told = ["ping", "frame", "frame", "pong", "frame", "hello", "frame", "close", "frame"];
  expect(order).toEqual(told);
});

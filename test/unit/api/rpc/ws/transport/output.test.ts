import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { FrameOutput } from "#api/rpc/ws/transport/output.ts";
import { assertProperty } from "#test/helpers/property.ts";

/** Output over a socket that accepts `room` bytes. */
function outputOver(room: number) {
  const written: Uint8Array[] = [];
  let writes = 0;
  let counted = 0;
  const socket = {
    room,
    write(data: string | Uint8Array) {
      writes++;
      const bytes = Buffer.from(data as string).subarray(0, socket.room);
      socket.room -= bytes.length;
      written.push(Buffer.from(bytes));
      return bytes.length;
    },
  };
  const output = new FrameOutput(socket as never, {
    onBytes: (change) => (counted += change),
    onOpened: () => undefined,
    gateMs: 1,
  });
  return {
    socket,
    output,
    text: () => Buffer.concat(written).toString(),
    writes: () => writes,
    counted: () => counted,
  };
}

const frame = (text: string): Buffer => Buffer.from(text);
const turn = (): Promise<void> => Promise.resolve();

test("FrameOutput writes frames of one turn together", async () => {
  const { output, text, writes } = outputOver(1_000);
  for (const part of ["a", "b", "c"]) output.send(frame(part));
  expect(writes()).toBe(0);
  await turn();
  expect([text(), writes()]).toEqual(["abc", 1]);
});

test("FrameOutput delivers and counts every byte in order over a slow socket", async () => {
  await assertProperty(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 100_000 }), { maxLength: 8 }),
      fc.array(fc.integer({ min: 0, max: 70_000 }), { minLength: 1, maxLength: 10 }),
      async (sizes, rooms) => {
        const { output, socket, text, counted } = outputOver(rooms[0] as number);
        const frames = sizes.map((size, i) => String.fromCharCode(97 + i).repeat(size));
        for (const [i, one] of frames.entries()) {
          output.send(frame(one));
          await turn();
          expect(counted()).toBe(output.waitingBytes);
          socket.room = rooms[i % rooms.length] as number;
          if (output.isBlocked) output.drained();
        }
        socket.room = Infinity;
        while (output.waitingBytes > 0) output.drained();
        expect(text() === frames.join("")).toBe(true);
        expect(counted()).toBe(0);
      },
    ),
  );
});

describe("FrameOutput dropUnsent", () => {
  test("keeps the rest of a partially written frame", async () => {
    const { output, socket, text, counted } = outputOver(2);
    output.send(frame("aaaa"));
    await turn();
    output.send(frame("bbbb"));
    output.dropUnsent();
    expect([output.waitingBytes, counted()]).toEqual([2, 2]);
    output.send(frame("cc"));
    socket.room = Infinity;
    output.drained();
    expect([text(), counted()]).toEqual(["aaaacc", 0]);
  });

  test("drops everything if no frame was partially written", async () => {
    const { output, socket, text } = outputOver(0);
    output.send(frame("aaaa"));
    await turn();
    output.dropUnsent();
    output.send(frame("cc"));
    socket.room = Infinity;
    output.drained();
    expect(text()).toBe("cc");
  });

  test("drops all unwritten frames if the last one was written completely", async () => {
    const { output, socket, text } = outputOver(4);
    output.send(frame("aaaa"));
    output.send(frame("bb"));
    await turn();
    expect(output.waitingBytes).toBe(2);
    output.dropUnsent();
    output.send(frame("cc"));
    socket.room = Infinity;
    output.drained();
    expect(text()).toBe("aaaacc");
  });
});

test("FrameOutput reports whether the socket accepted any bytes", async () => {
  const { output, socket } = outputOver(0);
  output.send(frame("aaaa"));
  await turn();
  expect(output.drained()).toBe(false);
  socket.room = 1;
  expect(output.drained()).toBe(true);
});

test("FrameOutput keeps nothing once it has ended", async () => {
  const { output, counted, writes } = outputOver(0);
  output.send(frame("aaaa"));
  await turn();
  output.end();
  output.send(frame("bb"));
  await turn();
  expect([output.waitingBytes, counted(), writes()]).toEqual([0, 0, 1]);
});

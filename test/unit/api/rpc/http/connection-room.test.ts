import { describe, expect, test } from "bun:test";
import { BodyRoom } from "#api/rpc/http/body-room.ts";
import { ConnectionRoom, type Entered } from "#api/rpc/http/connection-room.ts";
import { DEFAULT_HTTP_TIMEOUTS } from "#api/rpc/http/http-listener.ts";
import { textReply } from "#api/rpc/http/message.ts";
import type { HttpSocket } from "#api/rpc/http/output.ts";

/** Connections that are told at a time that there is no room. */
const TOLD = 64;

/** A socket that takes `takes` bytes of each write, and notes what happens to it. */
function socketOf(takes = Infinity) {
  const done: string[] = [];
  const socket: HttpSocket = {
    remoteAddress: "203.0.113.7",
    write(bytes) {
      done.push("write");
      return Math.min(takes, bytes.length);
    },
    end: () => void done.push("end"),
    shutdown: () => void done.push("shutdown"),
    terminate: () => void done.push("terminate"),
    pause: () => void done.push("pause"),
    resume: () => void done.push("resume"),
  };
  return { socket, done };
}

function fullRoom(): ConnectionRoom {
  const room = new ConnectionRoom(
    { max: 1, maxPerAddress: Infinity },
    {
      handler: () => textReply("", 200),
      timeouts: DEFAULT_HTTP_TIMEOUTS,
      isStopping: false,
      room: new BodyRoom(),
    },
  );
  room.enter(socketOf().socket);
  return room;
}

describe("a connection that there is no room for", () => {
  test("is told so, and may read that for a moment", () => {
    const { socket, done } = socketOf();
    const entered = fullRoom().enter(socket);
    expect(done).toEqual(["write", "shutdown"]);
    entered?.connection.receive(new Uint8Array(9));
    entered?.connection.checkTimes(performance.now() + 900);
    expect(done).toEqual(["write", "shutdown"]);
    entered?.connection.checkTimes(performance.now() + 1_100);
    expect(done.at(-1)).toBe("terminate");
  });

  test("that does not read is not waited for", () => {
    const { socket, done } = socketOf(5);
    const entered = fullRoom().enter(socket);
    expect(done).not.toContain("shutdown");
    entered?.connection.checkTimes(performance.now() + 1_100);
    expect(done.at(-1)).toBe("terminate");
  });

  test("is closed at once when the node stops", () => {
    const { socket, done } = socketOf();
    fullRoom().enter(socket)?.connection.endIfIdle();
    expect(done.at(-1)).toBe("terminate");
  });

  test("is not told when as many as may be are being told, until one of them is gone", () => {
    const room = fullRoom();
    const told: (Entered | undefined)[] = [];
    for (let i = 0; i < TOLD; i++) told.push(room.enter(socketOf().socket));
    expect(told).not.toContain(undefined);
    const { socket, done } = socketOf();
    expect([room.enter(socket), done]).toEqual([undefined, []]);
    told[0]?.leave();
    expect(room.enter(socket)).toBeDefined();
    expect(room.enter(socket)).toBeUndefined();
  });
});

import { describe, expect, test } from "bun:test";
import { BodyRoom } from "#api/rpc/http/body-room.ts";
import { wsConnection as connect } from "#test/helpers/ws-connection.ts";
import { clientFrame } from "#test/helpers/ws-frames.ts";

const turn = (): Promise<void> => Bun.sleep(0);

describe("a long message", () => {
  const long = clientFrame("x".repeat(100_000));

  test("waits in the client's hands while there is no room", () => {
    const room = new BodyRoom(150_000);
    const [first, second] = [connect({ room }), connect({ room })];
    first.send(long.subarray(0, 1_000));
    second.send(long.subarray(0, 1_000));
    expect([first.calls, second.calls]).toEqual([[], ["pause"]]);
    first.send(long.subarray(1_000));
    expect(second.calls).toEqual(["pause", "resume"]);
    second.send(long.subarray(1_000));
    expect([first.heard.length, second.heard.length, room.isWanted]).toEqual([1, 1, false]);
  });

  test("gives its room back when its connection is gone", () => {
    const room = new BodyRoom(150_000);
    const [first, second] = [connect({ room }), connect({ room })];
    first.send(long.subarray(0, 1_000));
    second.send(long.subarray(0, 1_000));
    first.connection.closed();
    expect(second.calls).toEqual(["pause", "resume"]);
  });

  test("that trickles is cut off while others wait, and goes on while nobody does", async () => {
    const room = new BodyRoom(150_000);
    const first = connect({ room });
    first.send(long.subarray(0, 1_000));
    first.later(25_000);
    expect(first.connection.isOpen).toBe(true);
    connect({ room }).send(long.subarray(0, 1_000));
    first.later(25_001);
    await turn();
    expect(first.closes()).toEqual([[1008, "the message takes too long"]]);
    expect(room.isWanted).toBe(false);
  });

  test("has its time again behind a pause, in which the client could not send", async () => {
    const { connection, send, later } = connect();
    send(clientFrame("begin", { isFinal: false }));
    connection.setFull(true);
    await Bun.sleep(20);
    connection.setFull(false);
    later(100_010);
    expect(connection.isOpen).toBe(true);
    later(100_100);
    expect(connection.isOpen).toBe(false);
  });

  test("that takes longer than a request may is cut off", async () => {
    const { send, later, closes } = connect();
    send(clientFrame("begin", { isFinal: false }));
    later(101_000);
    await turn();
    expect(closes()).toEqual([[1008, "the message takes too long"]]);
  });
});

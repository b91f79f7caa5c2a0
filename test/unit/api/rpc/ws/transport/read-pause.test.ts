import { describe, expect, test } from "bun:test";
import { LoopTurns } from "#api/rpc/ws/transport/loop-turns.ts";
import { ReadPause } from "#api/rpc/ws/transport/read-pause.ts";
import { fakeSocket } from "#test/helpers/fake-socket.ts";

const BYTES = new Uint8Array(0);

function world() {
  const due: (() => void)[] = [];
  const socket = fakeSocket();
  const pause = new ReadPause(socket, new LoopTurns((turn) => due.push(turn)));
  const nextTurn = (): void => {
    for (const turn of due.splice(0)) turn();
  };
  return { pause, calls: socket.calls, nextTurn };
}

describe("ReadPause", () => {
  test("pauses and resumes its socket", () => {
    const { pause, calls } = world();
    expect([pause.isOn, calls]).toEqual([false, []]);
    pause.set(true);
    expect([pause.isOn, calls]).toEqual([true, ["pause"]]);
    pause.set(false);
    expect([pause.isOn, calls]).toEqual([false, ["pause", "resume"]]);
  });

  test("a client has gone if bytes arrive in a later turn than the pause", () => {
    const { pause, nextTurn } = world();
    pause.set(true);
    expect(pause.endIfGone(BYTES)).toBe(false);
    nextTurn();
    expect(pause.endIfGone(BYTES)).toBe(true);
  });

  test("frees the bytes of a client that has gone, and ends its connection", () => {
    const { pause, calls, nextTurn } = world();
    const bytes = new Uint8Array(2_000);
    pause.set(true);
    pause.endIfGone(bytes);
    expect([bytes.byteLength, calls]).toEqual([2_000, ["pause"]]);
    nextTurn();
    pause.endIfGone(bytes);
    expect([bytes.byteLength, calls]).toEqual([0, ["pause", "terminate"]]);
  });

  test("a client has not gone while its socket is read, however long after a pause", () => {
    const { pause, nextTurn } = world();
    pause.set(true);
    expect(pause.endIfGone(BYTES)).toBe(false);
    nextTurn();
    pause.set(false);
    expect(pause.endIfGone(BYTES)).toBe(false);
    nextTurn();
    pause.set(true);
    expect(pause.endIfGone(BYTES)).toBe(false);
  });
});

import { describe, expect, test } from "bun:test";
import { LoopTurns } from "#api/rpc/ws/transport/loop-turns.ts";

describe("LoopTurns", () => {
  test("numbers change only when a turn is over", () => {
    const due: (() => void)[] = [];
    const loop = new LoopTurns((turn) => due.push(turn));
    const first = loop.number;
    expect([loop.number, due.length]).toEqual([first, 1]);
    due.pop()?.();
    expect(loop.number).toBe(first + 1);
    expect(due.length).toBe(1);
  });

  test("asks for no turn until somebody asks for its number", () => {
    const due: (() => void)[] = [];
    const loop = new LoopTurns((turn) => due.push(turn));
    expect(due.length).toBe(0);
    void loop.number;
    due.pop()?.();
    expect(due.length).toBe(0);
  });
});

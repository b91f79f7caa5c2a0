import { expect, test } from "bun:test";
import { inIdleTurns, madeInIdleTurns, together } from "#app/node/threads/warm-up/idle-turns.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

const DELAY_MS = 100;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("runs pieces after the delay, one per turn", async () => {
  const timer = new FakeTimer();
  let done = 0;
  inIdleTurns(3, DELAY_MS, timer, () => ++done > 0);
  timer.advance(DELAY_MS - 1);
  expect(done).toBe(0);
  timer.advance(1);
  expect(done).toBe(1);
  for (let i = 0; i < 5; i++) await turn();
  expect(done).toBe(3);
});

test("stops pieces before the first one or between two", async () => {
  for (const piecesBefore of [0, 2]) {
    const timer = new FakeTimer();
    let done = 0;
    const work = inIdleTurns(100, DELAY_MS, timer, () => ++done < 100);
    if (piecesBefore > 0) timer.advance(DELAY_MS);
    while (done < piecesBefore) await turn();
    work.stop();
    const before = done;
    timer.advance(DELAY_MS);
    for (let i = 0; i < 3; i++) await turn();
    expect(done).toBe(before);
  }
});

test("ends with the first piece that returns `false`", async () => {
  const timer = new FakeTimer();
  let done = 0;
  inIdleTurns(100, DELAY_MS, timer, () => ++done < 2);
  timer.advance(DELAY_MS);
  for (let i = 0; i < 5; i++) await turn();
  expect(done).toBe(2);
});

test("creates the pieces' resources in a separate turn, and not at all without pieces", async () => {
  const timer = new FakeTimer();
  const done: string[] = [];
  const make = () => {
    done.push("made");
    return () => done.push("piece") > 0;
  };
  madeInIdleTurns(0, DELAY_MS, timer, () => expect.unreachable());
  madeInIdleTurns(2, DELAY_MS, timer, make);
  timer.advance(DELAY_MS);
  expect(done).toEqual(["made"]);
  for (let i = 0; i < 5; i++) await turn();
  expect(done).toEqual(["made", "piece", "piece"]);
});

test("`together` stops all its parts once", () => {
  const stopped: string[] = [];
  const named = (name: string) => ({ stop: () => void stopped.push(name) });
  const both = together(named("one"), named("other"));
  both.stop();
  both.stop();
  expect(stopped).toEqual(["one", "other"]);
});

import { expect, test } from "bun:test";
import {
  type PreparableStatements,
  prepareStatements,
} from "#app/node/threads/warm-up/prepare-statements.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Two files with three statements each; `prepared` has the file of each compiled statement, in order. */
function twoFiles() {
  const prepared: string[] = [];
  const file = (name: string): PreparableStatements => {
    let left = 3;
    return {
      prepareNext() {
        prepared.push(name);
        return --left > 0;
      },
    };
  };
  return { prepared, files: [file("a"), file("b")] };
}

test("compiles the statements of all files, one in each turn", async () => {
  const timer = new FakeTimer();
  const { prepared, files } = twoFiles();
  prepareStatements({ warmUpTransfers: 1 }, files, timer);
  expect(prepared).toEqual([]);
  timer.advance(1_000);
  expect(prepared).toEqual(["a"]);
  for (let i = 0; i < 10; i++) await turn();
  expect(prepared).toEqual(["a", "a", "a", "b", "b", "b"]);
});

test("compiles nothing after it is stopped", async () => {
  const timer = new FakeTimer();
  const { prepared, files } = twoFiles();
  const work = prepareStatements({ warmUpTransfers: 1 }, files, timer);
  timer.advance(1_000);
  work.stop();
  for (let i = 0; i < 5; i++) await turn();
  expect(prepared).toEqual(["a"]);
});

test("compiles nothing if warm-up is disabled", async () => {
  const timer = new FakeTimer();
  const { prepared, files } = twoFiles();
  prepareStatements({ warmUpTransfers: 0 }, files, timer);
  timer.advance(1_000);
  for (let i = 0; i < 5; i++) await turn();
  expect(prepared).toEqual([]);
});

import { expect, test } from "bun:test";
import type { ThreadTrace, Turn } from "#test/bench/trace/thread-trace.ts";
import { accountOf, printedWay, waysOf } from "#test/bench/trace/transfer-way.ts";

/** A turn between two moments, with the processor time of the thread at each. */
const turn = (
  label: string,
  [startUs, endUs]: readonly [number, number],
  [startCpuUs, endCpuUs]: readonly [number, number],
): Turn => ({ label, startUs, endUs, startCpuUs, endCpuUs, notes: [`of ${label}`] });

const TRACES: readonly ThreadTrace[] = [
  {
    thread: "main",
    turns: [
      turn("bytes", [110, 130], [0, 20]),
      // Ten microseconds of work after the first turn, and none after this one.
      turn("accepted", [480, 500], [30, 50]),
      turn("later", [900, 910], [50, 60]),
    ],
  },
  { thread: "committer", turns: [turn("sealed", [200, 400], [0, 50])] },
];

test("accountOf splits the time of a transfer into work, waiting within turns, and waiting between turns", () => {
  const [way] = waysOf(TRACES, [
    { sentUs: 100, answeredUs: 500 },
    { sentUs: 5_000, answeredUs: 5_100 },
  ]);
  expect(way && accountOf(way)).toEqual({
    totalUs: 400,
    // 20 of the first turn and 10 after it, 50 of the committer, 20 of the last.
    workUs: 100,
    // 150 of the committer's 200.
    blockedUs: 150,
    betweenUs: 150,
    threads: new Map([
      ["main", { beforeUs: 50, afterUs: 10 }],
      ["committer", { beforeUs: 50, afterUs: 0 }],
    ]),
  });
});

test("accountOf counts parallel work of threads once", () => {
  const traces = ["main", "executor"].map((thread) => ({
    thread,
    turns: [turn("both", [10, 110], [0, 100])],
  }));
  const [way] = waysOf(traces, [{ sentUs: 0, answeredUs: 120 }]);
  expect(way && accountOf(way)).toMatchObject({ workUs: 100, blockedUs: 0, betweenUs: 20 });
});

test("accountOf ignores work after the response", () => {
  const traces = [{ thread: "main", turns: [turn("answers", [10, 60], [0, 50])] }];
  const [way] = waysOf(traces, [{ sentUs: 0, answeredUs: 40 }]);
  expect(way && accountOf(way)).toMatchObject({ totalUs: 40, workUs: 30, betweenUs: 10 });
});

test("waysOf assigns turns to the transfer sent before them, and printedWay lists them in order", () => {
  const ways = waysOf(TRACES, [
    { sentUs: 100, answeredUs: 500 },
    { sentUs: 850, answeredUs: 950 },
  ]);
  expect(ways.map(({ turns }) => turns.map(({ label }) => label))).toEqual([
    ["bytes", "sealed", "accepted"],
    ["later"],
  ]);
  const text = ways[0] === undefined ? "" : printedWay(ways[0]);
  expect(text.split("\n").map((line) => line.slice(29).trim())).toEqual([
    "thread    what",
    "client    sends",
    "main      bytes; of bytes",
    "committer sealed; of sealed",
    "main      accepted; of accepted",
    "client    has the answer",
  ]);
});

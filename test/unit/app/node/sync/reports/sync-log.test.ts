import { describe, expect, test } from "bun:test";
import {
  durationText,
  MAX_REFUSALS,
  PROGRESS_EVERY_MS,
  SyncLog,
} from "#app/node/sync/reports/sync-log.ts";
import { type Terminal, TerminalLine } from "#app/node/sync/reports/terminal-line.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { importedBlock, refusalOf } from "#test/helpers/sync-messages.ts";

function world({ isTTY = false, columns = 80 } = {}) {
  const timer = new FakeTimer();
  const lines: string[] = [];
  const shown: string[] = [];
  const terminal: Terminal = { isTTY, columns, write: (text) => shown.push(text) };
  const nowMs = () => timer.nowMs();
  const write = (line: string) => lines.push((JSON.parse(line) as { message: string }).message);
  const log = createLogger({ level: "info", format: "json", write });
  return {
    timer,
    lines,
    shown,
    sync: new SyncLog({
      ...{ log, line: new TerminalLine(terminal, nowMs) },
      ...{ sourceName: "the gateway", nowMs },
    }),
  };
}

test("erases the line of the terminal before each line of the log", () => {
  const { sync, shown, lines, timer } = world({ isTTY: true });
  let number = 0;
  const importNext = () => sync.imported(importedBlock(number++), 100);
  for (const log of [
    () => {
      timer.advance(PROGRESS_EVERY_MS);
      importNext();
    },
    () => sync.keyPinned(1n),
    () => sync.refused(refusalOf(6)),
    () => sync.refused(null),
    () => sync.caughtUp(true, 5),
  ]) {
    timer.advance(1000);
    importNext();
    expect(shown.at(-1)).toEndWith("\r");
    const { length } = lines;
    log();
    expect(lines).toHaveLength(length + 1);
    expect(shown.at(-1)).toBe("\u001b[K");
  }
});

describe("catching up", () => {
  test("is logged once a minute, regardless of the number of blocks", () => {
    const { sync, lines, timer } = world();
    for (let number = 0; number < 2400; number++) {
      timer.advance(100);
      sync.imported(importedBlock(number), 100_000);
    }
    expect(timer.nowMs()).toBe(4 * PROGRESS_EVERY_MS);
    expect(lines).toEqual([599, 1199, 1799, 2399].map((number) => `block ${number} imported`));
  });

  test("is shown on a terminal with pace and remaining time", () => {
    const { sync, shown, timer } = world({ isTTY: true });
    sync.imported(importedBlock(0), 7201);
    timer.advance(1000);
    sync.imported(importedBlock(2), 7202);
    expect(shown.at(-1)).toBe("block 2 of 7202, 2.0 blocks/s, 1 h 0 min left\u001b[K\r");
  });

  test("redraws a terminal rarely and within its width", () => {
    const { sync, shown, timer } = world({ isTTY: true, columns: 11 });
    for (let number = 0; number < 100; number++) {
      timer.advance(10);
      sync.imported(importedBlock(number), 1000);
    }
    const drawn = shown.filter((text) => text.endsWith("\r"));
    expect(drawn.length).toBeLessThan(6);
    expect(drawn[0]).toBe("block 0 of\u001b[K\r");
  });

  test("is logged when it ends, and when the node falls behind again", () => {
    const { sync, lines } = world();
    for (const isCaughtUp of [false, true, true, false, false, true]) sync.caughtUp(isCaughtUp, 5);
    expect(lines).toEqual([
      "caught up with the chain",
      "behind the chain",
      "caught up with the chain",
    ]);
  });
});

test("logs each block once the node has caught up", () => {
  const { sync, lines } = world();
  sync.caughtUp(true, 5);
  sync.imported(importedBlock(6), 6);
  sync.imported(importedBlock(7), 7);
  expect(lines.slice(1)).toEqual(["block 6 imported", "block 7 imported"]);
});

test("logs each distinct refusal once, and its end", () => {
  const { sync, lines } = world();
  sync.refused(null);
  for (let i = 0; i < 3; i++) sync.refused(refusalOf(6));
  sync.refused(refusalOf(6, "expected 0x1, got 0x3"));
  sync.refused(refusalOf(null));
  sync.refused(null);
  sync.refused(null);
  expect(lines.map((line) => line.split(":")[0])).toEqual([
    "block 6 is refused",
    "block 6 is refused",
    "the gateway is refused",
    "blocks are accepted again",
  ]);
});

test("bounds the log for alternating and ever-new refusals", () => {
  const { sync, lines } = world();
  for (let i = 0; i < 100; i++) sync.refused(refusalOf(6, i % 2 === 0 ? "even" : "odd"));
  expect(lines).toHaveLength(2);
  for (let i = 0; i < 100; i++) sync.refused(refusalOf(6, `lie ${i}`));
  expect(lines).toHaveLength(MAX_REFUSALS);
  sync.refused(null);
  sync.refused(refusalOf(6));
  expect(lines).toHaveLength(MAX_REFUSALS + 2);
});

test("bounds and escapes a gateway's text in the log", () => {
  const lines: string[] = [];
  const log = createLogger({ level: "info", format: "text", write: (line) => lines.push(line) });
  const line = new TerminalLine({ write: () => undefined }, () => 0);
  const sync = new SyncLog({ log, line, sourceName: "the gateway", nowMs: () => 0 });
  sync.refused(refusalOf(6, `\u001b[2J\n${"x".repeat(10_000)}`));
  expect(lines).toHaveLength(1);
  expect([lines[0]?.includes("\u001b"), lines[0]?.includes("\n")]).toEqual([false, false]);
  expect(lines[0]?.length).toBeLessThan(600);
});

test.each([
  [0.4, "0 s"],
  [59, "59 s"],
  [61, "1 min"],
  [3_600, "1 h 0 min"],
  [90_000, "1 d 1 h"],
])("formats %p seconds as %s", (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});

import { describe, expect, test } from "bun:test";
import { ProgressLine } from "#app/cli/db/progress-line.ts";
import { sizeText } from "#app/cli/db/sizes.ts";

function lineOf(isTTY: boolean) {
  const written: string[] = [];
  const clock = { nowMs: 0 };
  const terminal = { isTTY, columns: 20, write: (text: string) => written.push(text) };
  return { written, clock, line: new ProgressLine(terminal, () => clock.nowMs) };
}

describe("a progress line", () => {
  test("is redrawn at a limited rate, and cleared at the end", () => {
    const { written, clock, line } = lineOf(true);
    line.share("checking", 1, 4);
    clock.nowMs = 100;
    line.share("checking", 2, 4);
    clock.nowMs = 200;
    line.say("done");
    line.end();
    expect(written).toEqual(["\rchecking 25 %", "\rdone         ", "\r    ", "\r"]);
  });

  test("fits the terminal width and escapes control characters", () => {
    const { written, line } = lineOf(true);
    line.say(`\u001b[2J${"x".repeat(40)}`);
    expect(written).toEqual([`\r\\u{1b}[2J${"x".repeat(10)}`]);
  });

  test("is absent without a terminal", () => {
    const { written, line } = lineOf(false);
    line.share("checking", 0, 0);
    line.end();
    expect(written).toEqual([]);
  });
});

test("formats sizes in units of 1024", () => {
  expect([0, 1023, 1536, 5 * 2 ** 30].map(sizeText)).toEqual([
    "0 bytes",
    "1023 bytes",
    "1.5 KiB",
    "5.0 GiB",
  ]);
});

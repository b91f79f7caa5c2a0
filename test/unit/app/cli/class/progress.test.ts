import { expect, test } from "bun:test";
import { showProgress } from "#app/cli/class/progress.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

function terminal(isTTY: boolean, columns?: number) {
  const written: string[] = [];
  return { isTTY, columns, written, write: (text: string) => written.push(text) };
}

test("shows a terminal the work and its duration, and clears the line at the end", () => {
  const timer = new FakeTimer();
  const screen = terminal(true);
  const hide = showProgress("compiling a", screen, timer);
  timer.advance(1_200);
  expect(screen.written[0]).toBe("\rcompiling a 0.0 s");
  expect(screen.written.at(-1)).toBe("\rcompiling a 1.2 s");
  hide();
  expect(screen.written.slice(-2)).toEqual([`\r${" ".repeat(17)}`, "\r"]);
  expect(timer.alarms).toBe(0);
});

test("writes nothing without a terminal", () => {
  const timer = new FakeTimer();
  const file = terminal(false);
  const hide = showProgress("compiling a", file, timer);
  timer.advance(1_000);
  hide();
  expect([file.written, timer.alarms]).toEqual([[], 0]);
});

test("fits the terminal width and escapes control characters", () => {
  for (const columns of [20, 0, undefined]) {
    const screen = terminal(true, columns);
    showProgress(`compiling \u001b[2J\n${"x".repeat(300)}`, screen, new FakeTimer())();
    const [line = ""] = screen.written;
    expect(line).toMatch(/^\rcompiling \\u\{[\x20-\x7e]* 0\.0 s$/);
    expect(line.length).toBe(columns || 80);
  }
});

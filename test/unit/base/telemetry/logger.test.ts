import { describe, expect, test } from "bun:test";
import { createLogger, LOG_LEVELS, type LogFormat, type LogLevel } from "#base/telemetry/index.ts";

const AT_MS = Date.UTC(2026, 0, 2, 3, 4, 5, 67);

function logger(format: LogFormat, level: LogLevel = "trace") {
  const lines: [string, LogLevel][] = [];
  const log = createLogger({
    level,
    format,
    nowMs: () => AT_MS,
    write: (line, lineLevel) => lines.push([line, lineLevel]),
  });
  return { log, lines };
}

const FIELDS = {
  number: 5,
  big: 2n ** 70n,
  yes: true,
  text: "plain",
  blanks: "two words",
  quoted: 'a"b',
  pair: "a=b",
  lines: "a\nb",
  nothing: undefined,
  empty: "",
};

describe("log lines in text format", () => {
  test("have time, level, message and fields, quoted if they contain blanks", () => {
    const { log, lines } = logger("text");
    log.info("block 5 accepted", FIELDS);
    expect(lines).toEqual([
      [
        "2026-01-02 03:04:05.067 INFO  block 5 accepted number=5 big=1180591620717411303424 yes=true" +
          ' text=plain blanks="two words" quoted="a\\"b" pair="a=b" lines="a\\nb" empty=',
        "info",
      ],
    ]);
  });

  test("show their level", () => {
    const { log, lines } = logger("text");
    for (const level of ["error", "warn", "info", "debug"] as const) log[level]("it");
    expect(lines).toEqual([
      ["2026-01-02 03:04:05.067 ERROR it", "error"],
      ["2026-01-02 03:04:05.067 WARN  it", "warn"],
      ["2026-01-02 03:04:05.067 INFO  it", "info"],
      ["2026-01-02 03:04:05.067 DEBUG it", "debug"],
    ]);
  });

  test("of a child logger show its scopes", () => {
    const { log, lines } = logger("text");
    log.child("rpc").child("http").warn("slow");
    expect(lines[0]?.[0]).toBe("2026-01-02 03:04:05.067 WARN  rpc.http: slow");
  });

  test.each(["", "constructor", "%s %d", "error"])("accept the message %p", (message) => {
    const { log, lines } = logger("text");
    log.info(message);
    expect(lines[0]?.[0]).toBe(`2026-01-02 03:04:05.067 INFO  ${message}`);
  });
});

test("a text log line is a single line without terminal control characters", () => {
  const { log, lines } = logger("text");
  log.info("a\nb", { reason: "\u001b[2J\u009b\u202e\u2028x\ud800", text: "\r\n ERROR" });
  expect(lines[0]?.[0]).toBe(
    "2026-01-02 03:04:05.067 INFO  a\\u{a}b" +
      ' reason="\\u001b[2J\\u{9b}\\u{202e}\\u{2028}x\\ud800" text="\\r\\n ERROR"',
  );
});

test("an unquoted value is escaped if it contains control characters", () => {
  const { log, lines } = logger("text");
  log.info("it", { reason: "\u001b[2J\u007f" });
  expect(lines[0]?.[0]).toEndWith(" it reason=\\u{1b}[2J\\u{7f}");
});

describe("log lines in JSON format", () => {
  test("have the same parts", () => {
    const { log, lines } = logger("json");
    log.child("rpc").error("it", FIELDS);
    const { nothing: _, ...written } = FIELDS;
    expect(JSON.parse(lines[0]?.[0] ?? "")).toEqual({
      time: "2026-01-02T03:04:05.067Z",
      level: "error",
      scope: "rpc",
      message: "it",
      ...written,
      big: String(FIELDS.big),
    });
    expect(lines[0]?.[0]).toStartWith('{"time":"2026-01-02T03:04:05.067Z","level":"error",');
  });

  test("omit a missing scope", () => {
    const { log, lines } = logger("json");
    log.info("it");
    expect(lines[0]?.[0]).toBe('{"time":"2026-01-02T03:04:05.067Z","level":"info","message":"it"}');
  });
});

describe("logger", () => {
  for (const [i, level] of LOG_LEVELS.entries()) {
    test(`of level ${level} writes that level and more severe ones`, () => {
      const { log, lines } = logger("text", level);
      for (const each of ["error", "warn", "info", "debug"] as const) log[each]("it");
      expect(lines.map(([, of]) => of)).toEqual(LOG_LEVELS.slice(0, Math.min(4, i + 1)));
    });
  }

  test("writes repeated lines each time", () => {
    const { log, lines } = logger("text");
    for (let i = 0; i < 50; i++) log.info("same", { a: 1 });
    expect(lines).toHaveLength(50);
  });

  test("writes repeated lines when the clock moves backwards", () => {
    let nowMs = AT_MS;
    let count = 0;
    const log = createLogger({
      level: "info",
      format: "text",
      nowMs: () => (nowMs -= 1_000),
      write: () => count++,
    });
    for (let i = 0; i < 50; i++) log.info("same");
    expect(count).toBe(50);
  });
});

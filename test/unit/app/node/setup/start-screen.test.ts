import { expect, test } from "bun:test";
import { screenLog } from "#app/node/setup/start-screen.ts";
import { createLogger } from "#base/telemetry/index.ts";

/** Levels at which a logger for the start writes an info line and a warning. */
function levelsOf(devnet: object | null, format: "text" | "json"): readonly string[] {
  const levels: string[] = [];
  const write = (_: string, level: string): void => void levels.push(level);
  const log = screenLog(
    { devnet, log: { format } },
    createLogger({ level: "debug", format: "json", write }),
  );
  log.info("a");
  log.warn("b");
  return levels;
}

test("lines that the start screen repeats are debug lines, warnings stay", () => {
  expect(levelsOf({}, "text")).toEqual(["debug", "warn"]);
});

test("lines stay at info without a start screen: in JSON logs, and on other chains", () => {
  expect(levelsOf({}, "json")).toEqual(["info", "warn"]);
  expect(levelsOf(null, "text")).toEqual(["info", "warn"]);
});

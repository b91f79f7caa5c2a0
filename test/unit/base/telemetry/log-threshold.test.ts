import { expect, test } from "bun:test";
import { createLogger, type LogThreshold } from "#base/telemetry/index.ts";

test("changing a threshold affects a logger and its children immediately", () => {
  const lines: string[] = [];
  const threshold: LogThreshold = { level: "warn" };
  const write = (_: string, level: string) => lines.push(level);
  const log = createLogger({ level: threshold, format: "text", write });
  const child = log.child("part");
  const logAll = () => {
    lines.length = 0;
    for (const each of [log, child]) {
      each.error("a");
      each.warn("a");
      each.info("a");
      each.debug("a");
    }
    return lines.join(" ");
  };
  expect(logAll()).toBe("error warn error warn");
  threshold.level = "debug";
  expect(logAll()).toBe("error warn info debug error warn info debug");
  threshold.level = "error";
  expect(logAll()).toBe("error error");
});

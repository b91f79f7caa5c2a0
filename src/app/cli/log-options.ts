import { LOG_LEVELS } from "#base/telemetry/index.ts";
import { readChoice, valueOption } from "./option.ts";

const group = "Logs";

/** Level and format of logs. */
export const logOptions = {
  logLevel: valueOption(
    { flag: "log-level", value: "LEVEL", group, summary: LOG_LEVELS.join(", ") },
    LOG_LEVELS.join(", "),
    readChoice(LOG_LEVELS),
    "info" as const,
  ),
  logFormat: valueOption(
    { flag: "log-format", value: "FORMAT", group, summary: "text or json" },
    "text or json",
    readChoice(["text", "json"]),
    "text" as const,
  ),
};

import { LOG_LEVELS } from "#base/telemetry/index.ts";
import { choiceOption } from "./build-option.ts";

const group = "Logs";

/** Options for the level and format of logs. */
export const logOptions = {
  level: choiceOption(
    {
      flag: "log-level",
      brief: LOG_LEVELS.join(", "),
      value: "LEVEL",
      group,
      summary: "lowest level that is logged",
    },
    LOG_LEVELS,
    "info",
  ),
  format: choiceOption(
    { flag: "log-format", value: "FORMAT", group, summary: "format of log lines" },
    ["text", "json"],
    "text",
  ),
};

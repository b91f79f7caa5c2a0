import type { Logger } from "#base/telemetry/index.ts";
import type { NodeOptions } from "./node-options.ts";

/** Options that decide whether a node prints the facts of its start on a screen. */
export type StartScreenOptions = {
  readonly devnet: object | null;
  readonly log: Pick<NodeOptions["log"], "format">;
};

/** Whether a start screen replaces the log lines of the start: on development chains, in text logs. */
export function hasStartScreen({ devnet, log }: StartScreenOptions): boolean {
  return devnet !== null && log.format === "text";
}

/** Logger for lines that the start screen repeats: `info` becomes `debug` if the node has a start screen. */
export function screenLog(options: StartScreenOptions, log: Logger): Logger {
  if (!hasStartScreen(options)) return log;
  return { ...log, info: (message, fields) => log.debug(message, fields) };
}

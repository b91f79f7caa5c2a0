import { createConsola } from "consola/core";
import type { CliContext } from "./command.ts";

/** Destination of lines. */
export interface LineStream {
  write(text: string): unknown;
}

/**
 * Creates the output of commands through consola: results to one stream, errors to the other.
 *
 * Lines are written unchanged, whether or not to a terminal, since programs read them. Uses consola's core,
 * without colours, boxes and prompts that could wait for input.
 */
export function createOutput(
  stdout: LineStream,
  stderr: LineStream,
): Pick<CliContext, "out" | "err"> {
  const consola = createConsola({
    // Without this, repeated lines are held back and counted.
    throttle: -Infinity,
    reporters: [
      {
        log({ type, args }) {
          const stream = type === "error" ? stderr : stdout;
          stream.write(`${String(args[0])}\n`);
        },
      },
    ],
  });
  return { out: (line) => consola.log(line), err: (line) => consola.error(line) };
}

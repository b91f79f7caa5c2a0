import { createConsola } from "consola/core";
import type { CliContext } from "./command.ts";

/** Where lines end up. */
export interface LineStream {
  write(text: string): unknown;
}

/**
 * The output of commands: what was asked for to one stream, errors to the other, through consola.
 *
 * Lines are written as they are, whether anyone looks or not: programs read them. It is consola's
 * core, which has no colours, no boxes, and no prompt that could wait for an answer.
 */
export function createOutput(
  stdout: LineStream,
  stderr: LineStream,
): Pick<CliContext, "out" | "err"> {
  const consola = createConsola({
    // Otherwise equal lines are held back and counted.
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

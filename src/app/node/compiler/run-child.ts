import { ChildArchive } from "./child-archive.ts";
import { answerCommand } from "./answer-command.ts";
import { encodeAnswer, MAX_REQUEST_BYTES } from "./compiler-messages.ts";
import { FrameReader, frameOf } from "./frames.ts";
import { endWithParent, lowerPriority } from "./low-priority.ts";

/** Text of the first message of the compiler's child process: it accepts classes from now on. */
export const COMPILER_READY = "ready";

/**
 * Main function of the child: reports ready, then answers one command after another until its standard input
 * closes.
 *
 * @param niceness - scheduling priority of the process, 0 to 19
 * @returns the exit code
 * @throws {DecodeError} when the input is not written by a node; the process then ends
 */
export async function runCompilerProcess(niceness: number): Promise<number> {
  lowerPriority(niceness);
  endWithParent();
  await write(new TextEncoder().encode(COMPILER_READY));
  const reader = new FrameReader(MAX_REQUEST_BYTES);
  const archive = new ChildArchive((line) => process.stderr.write(`compiler: ${line}\n`));
  for await (const piece of Bun.stdin.stream()) {
    for (const command of reader.push(piece)) {
      await write(encodeAnswer(await answerCommand(command, archive)));
      // Memory of one class must not count for the next one.
      Bun.gc(true);
    }
  }
  archive.close();
  return 0;
}

/** Ignores a closed pipe: once the node is gone, standard input ends too, and the process with it. */
function write(message: Uint8Array): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  process.stdout.write(frameOf(message), (error: NodeJS.ErrnoException | null | undefined) => {
    if (error === null || error === undefined || error.code === "EPIPE") resolve();
    else reject(error);
  });
  return promise;
}

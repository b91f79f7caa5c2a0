import { ChildArchive } from "./child-archive.ts";
import { answerCommand } from "./answer-command.ts";
import { encodeAnswer, MAX_REQUEST_BYTES } from "./compiler-messages.ts";
import { FrameReader, frameOf } from "./frames.ts";
import { endWithParent, lowerPriority } from "./low-priority.ts";

/** What the child writes first, as a message: it is ready to take classes. */
export const COMPILER_READY = "ready";

/**
 * The child's side: says that it is ready, then answers one command after the other, and ends when its
 * standard input closes.
 *
 * @param niceness - priority that it takes, 0 to 19
 * @returns the exit code
 * @throws {DecodeError} when the input is not what the node writes; the process then ends
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
      // What one class took must not count for the next one.
      Bun.gc(true);
    }
  }
  archive.close();
  return 0;
}

/** A node that is gone reads nothing: its standard input ends as well, and the process with it. */
function write(message: Uint8Array): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  process.stdout.write(frameOf(message), (error: NodeJS.ErrnoException | null | undefined) => {
    if (error === null || error === undefined || error.code === "EPIPE") resolve();
    else reject(error);
  });
  return promise;
}

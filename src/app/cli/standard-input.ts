import { readTextStream } from "./text-stream.ts";

/**
 * Reads all of standard input as text; see {@link readTextStream}.
 *
 * @throws {ConfigError} when it is longer than 64 MiB, is not UTF-8, or cannot be read
 * @throws {NodeError} NODE_STOPPED when the signal is aborted first
 */
export function readStandardInput(
  input: () => ReadableStream<Uint8Array>,
  signal: AbortSignal,
): Promise<string> {
  return readTextStream("standard input", input, signal);
}

import { readTextStream } from "./text-stream.ts";

/**
 * All of standard input as text; as {@link readTextStream}.
 *
 * @throws {ConfigError} when it is longer than 64 MiB, no UTF-8, or cannot be read
 * @throws {NodeError} NODE_STOPPED when the signal is aborted before the end
 */
export function readStandardInput(
  input: () => ReadableStream<Uint8Array>,
  signal: AbortSignal,
): Promise<string> {
  return readTextStream("standard input", input, signal);
}

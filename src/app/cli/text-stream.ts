import { ConfigError, NodeError } from "#base/errors/index.ts";

/** Maximum text size: many times that of a configuration or a class. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;

/**
 * Reads a whole stream as text, at most 64 MiB.
 *
 * @param name - for messages
 * @param signal - aborted when the program should stop, even while the input is silent
 * @throws {ConfigError} when it is longer, is not UTF-8, or cannot be read
 * @throws {NodeError} NODE_STOPPED when the signal is aborted first
 */
export async function readTextStream(
  name: string,
  input: () => ReadableStream<Uint8Array>,
  signal: AbortSignal,
): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const aborted = Promise.withResolvers<never>();
  const stop = (): void =>
    aborted.reject(new NodeError("NODE_STOPPED", `stopped before the end of ${name}`));
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  let reader: ReturnType<ReadableStream<Uint8Array>["getReader"]> | undefined;
  try {
    reader = input().getReader();
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), aborted.promise]);
      if (done) break;
      length += value.byteLength;
      if (length > MAX_TEXT_BYTES) throw new ConfigError(`${name} is longer than 64 MiB`);
      parts.push(value);
    }
  } catch (error) {
    // An open input would keep the process alive; a failed one refuses to be cancelled.
    await Promise.allSettled([reader?.cancel()]);
    if (error instanceof ConfigError || error instanceof NodeError) throw error;
    const code = (error as { readonly code?: unknown } | null)?.code;
    const reason = typeof code === "string" ? code : "unknown reason";
    throw new ConfigError(`${name} cannot be read (${reason})`, [], { cause: error });
  } finally {
    signal.removeEventListener("abort", stop);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts));
  } catch (cause) {
    throw new ConfigError(`${name} is not UTF-8 text`, [], { cause });
  }
}

import type { ResponseBody } from "./batch.ts";

/**
 * Response that is produced while it is sent, so that it is never held as a whole. The sender pulls one chunk
 * at a time, and the next one only when the client has room for it.
 */
export interface AnswerStream {
  /**
   * Returns the next bytes; `undefined` at the end. One call at a time.
   *
   * A chunk has up to 16 MiB: that much is held for a client that reads slowly. It belongs to the caller, and
   * must not change afterwards. Empty chunks are allowed and send nothing. Rejects if the response cannot
   * continue: the client gets a truncated response, and only the stream itself reports the reason.
   */
  next(): Promise<Uint8Array | undefined>;
  /**
   * Stops the stream; no effect after its end or a failure. May be called while {@link next} is pending,
   * whose result is then dropped. Must not throw.
   */
  close(): void;
}

/** Prepends the first bytes of a response to the rest of it. */
export function streamOf(
  start: Exclude<ResponseBody, undefined>,
  rest: AnswerStream,
): AnswerStream {
  const pieces = typeof start === "string" ? [start] : start;
  let first: Uint8Array | undefined = Buffer.concat(
    pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece)),
  );
  return {
    next() {
      if (first === undefined) return rest.next();
      const bytes = first;
      first = undefined;
      return Promise.resolve(bytes);
    },
    close: () => rest.close(),
  };
}

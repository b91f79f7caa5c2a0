import type { ResponseBody } from "./batch.ts";

/**
 * An answer that is made while it is sent, so that nobody holds all of it. Whoever sends it asks for one piece
 * after the other, and asks for the next one only when the client has room for it.
 */
export interface AnswerStream {
  /**
   * The next bytes; `undefined` at the end. One call at a time.
   *
   * A piece has up to 16 MiB: that much is held for a client that reads slowly. It belongs to the caller, and must
   * not change afterwards. An empty one is allowed, and sends nothing. Rejects when the answer cannot go on: the
   * client gets a truncated answer, and nobody but the stream itself reports why.
   */
  next(): Promise<Uint8Array | undefined>;
  /**
   * Nobody reads any more; after the end or a failure it does nothing. May be called while {@link next} is
   * pending, whose result is then dropped. Must not throw.
   */
  close(): void;
}

/** An answer whose first bytes are there. */
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

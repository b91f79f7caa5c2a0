import type { ResponseBody } from "./batch.ts";

/** The rest of an answer that is made while it is read. */
export interface AnswerStream {
  /**
   * The next bytes; `undefined` at the end. One call at a time: the next one after this one has settled.
   * Rejects when the answer cannot go on.
   */
  next(): Promise<Uint8Array | undefined>;
  /** Nobody reads any more; after the end or a failure it does nothing. */
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

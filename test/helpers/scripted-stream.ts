import type { AnswerStream } from "#api/rpc/answer-stream.ts";

/** A streamed response that the test controls. */
export interface ScriptedStream extends AnswerStream {
  /** Calls of `next` so far. */
  readonly pulls: number;
  /** Calls of `close` so far. */
  readonly closes: number;
  /** Whether `next` has returned the end, or failed, before `close` was called. */
  readonly isOver: boolean;
  /** Adds a piece for the current or next reader. */
  give(piece: string | Uint8Array): void;
  end(): void;
  fail(): void;
}

/** A stream that has no pieces yet. */
export function scriptedStream(): ScriptedStream {
  const ready: Promise<Uint8Array | undefined>[] = [];
  const waiting: ((piece: Promise<Uint8Array | undefined>) => void)[] = [];
  const put = (piece: Promise<Uint8Array | undefined>) => {
    const resolve = waiting.shift();
    if (resolve === undefined) ready.push(piece);
    else resolve(piece);
  };
  const stream = {
    pulls: 0,
    closes: 0,
    isOver: false,
    async next() {
      stream.pulls++;
      if (waiting.length > 0) throw new RangeError("two calls at a time");
      const given =
        ready.shift() ?? new Promise<Uint8Array | undefined>((resolve) => waiting.push(resolve));
      const piece = await given.catch((error: unknown) => {
        stream.isOver = stream.closes === 0;
        throw error;
      });
      if (piece === undefined) stream.isOver = stream.closes === 0;
      return piece;
    },
    close: () => void stream.closes++,
    give: (piece: string | Uint8Array) => put(Promise.resolve(Buffer.from(piece as string))),
    end: () => put(Promise.resolve(undefined)),
    fail() {
      const failure = Promise.reject(new RangeError("the answer cannot continue"));
      failure.catch(() => undefined);
      put(failure);
    },
  };
  return stream;
}

/** Runs everything that depends on no timer and no client. */
export async function settle(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
}

/** A response in the bytes of a connection, with its chunked body decoded. */
export interface DecodedResponse {
  readonly head: string;
  readonly body: string;
  /** Whether the last chunk has arrived. */
  readonly isWhole: boolean;
  /** Bytes after the response. */
  readonly rest: string;
}

/** Decodes one response with a chunked body, per RFC 9112, section 7.1.3; ASCII only. */
export function decodeChunked(text: string): DecodedResponse {
  const headEnd = text.indexOf("\r\n\r\n");
  const head = text.slice(0, headEnd);
  let rest = text.slice(headEnd + 4);
  let body = "";
  for (;;) {
    const line = /^([0-9a-f]+)\r\n/.exec(rest);
    if (line === null) return { head, body, isWhole: false, rest };
    const size = Number.parseInt(line[1] ?? "", 16);
    const start = line[0].length;
    const chunk = rest.slice(start, start + size);
    const isComplete = rest.slice(start + size, start + size + 2) === "\r\n";
    if (!isComplete) return { head, body: body + chunk, isWhole: false, rest: "" };
    rest = rest.slice(start + size + 2);
    if (size === 0) return { head, body, isWhole: true, rest };
    body += chunk;
  }
}

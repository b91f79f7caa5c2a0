import { gzipSync } from "node:zlib";
import { callJson, traceJson, tracesJson } from "./trace-json.ts";

const UTF8 = new TextEncoder();

/** Length of the chunks of endless answers. */
const CHUNK_BYTES = 1 << 16;

const MARK = "<here>";

/** The head of an honest answer up to where a member of its first main call has a value. */
export function headUntil(member: string): string {
  const root = traceJson({ execute_invocation: callJson({ [member]: MARK }) });
  return until(tracesJson([root]));
}

/** The head of an answer up to where a marked value stands in its result. */
export function until(result: unknown): string {
  const json = JSON.stringify({ jsonrpc: "2.0", id: 1, result });
  return json.slice(0, json.indexOf(`"${MARK}"`));
}

/** In place of a value in {@link until}. */
export const HERE = MARK;

/** A body of a head and then a text again and again, up to a number of bytes. */
export function repeatedBody(
  head: string,
  text: string,
  sizeBytes: number,
  tail = "",
): ReadableStream<Uint8Array> {
  const chunk = UTF8.encode(text.repeat(Math.ceil(CHUNK_BYTES / text.length)));
  let rest = Math.ceil(sizeBytes / chunk.byteLength);
  let isFirst = true;
  return new ReadableStream(
    {
      pull(controller) {
        if (isFirst) controller.enqueue(UTF8.encode(head));
        else if (rest-- > 0) controller.enqueue(chunk.slice());
        else {
          controller.enqueue(UTF8.encode(tail));
          controller.close();
        }
        isFirst = false;
      },
    },
    { highWaterMark: 0 },
  );
}

/** As {@link repeatedBody} in gzip, made of members that stand for megabytes each. */
export function bomb(head: string, text: string, sizeBytes: number): ReadableStream<Uint8Array> {
  const piece = UTF8.encode(text.repeat(Math.ceil((1 << 23) / text.length)));
  const zipped = gzipSync(piece);
  const first = gzipSync(UTF8.encode(head));
  let rest = Math.ceil(sizeBytes / piece.byteLength);
  let isFirst = true;
  return new ReadableStream(
    {
      pull(controller) {
        if (isFirst) controller.enqueue(first);
        else if (rest-- > 0) controller.enqueue(zipped.slice());
        else controller.close();
        isFirst = false;
      },
    },
    { highWaterMark: 0 },
  );
}

/** A body that sends a text and then nothing, with the connection open. */
export function hangingBody(text: string): ReadableStream<Uint8Array> {
  let isFirst = true;
  return new ReadableStream({
    pull(controller) {
      if (isFirst) controller.enqueue(UTF8.encode(text));
      const wait = isFirst ? Promise.resolve() : new Promise<void>(() => undefined);
      isFirst = false;
      return wait;
    },
  });
}

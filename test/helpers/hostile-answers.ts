import { gzipSync } from "node:zlib";
import { callJson, traceJson, tracesJson } from "./trace-json.ts";

const UTF8 = new TextEncoder();

/** Chunk length of endless responses. */
const CHUNK_BYTES = 1 << 16;

const MARK = "<here>";

/**
 * Returns the JSON text of an honest trace response up to the value of a member of its first main
 * call.
 */
export function headUntil(member: string): string {
  const root = traceJson({ execute_invocation: callJson({ [member]: MARK }) });
  return until(tracesJson([root]));
}

/**
 * Returns the JSON text of a response up to the value {@link HERE} in its result; a test continues
 * the text.
 */
export function until(result: unknown): string {
  const json = JSON.stringify({ jsonrpc: "2.0", id: 1, result });
  return json.slice(0, json.indexOf(`"${MARK}"`));
}

/** Placeholder in the result of {@link until} where the text ends. */
export const HERE = MARK;

/** A body of a head and a repeated text, up to a number of bytes. */
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

/** Like {@link repeatedBody} in gzip, made of members that decompress to megabytes each. */
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

/** A body that sends a text and then stalls with the connection open. */
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

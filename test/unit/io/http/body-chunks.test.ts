import { describe, expect, test } from "bun:test";
import { NodeError } from "#base/errors/index.ts";
import { BodyChunks } from "#io/http/body-chunks.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

const IDLE_MS = 1_000;

/** Reads a body with a chunk of equal length every `pauseMs`, until `most` bytes are read. */
async function readSlowly(chunkBytes: number, pauseMs: number, most: number, readerMs = 0) {
  const timer = new FakeTimer();
  // Chunks are made on demand, so the time passes while the reader waits.
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        timer.advance(pauseMs);
        controller.enqueue(new Uint8Array(chunkBytes));
      },
    },
    { highWaterMark: 0 },
  );
  const bounds = { idleTimeoutMs: IDLE_MS, maxBytes: 2 ** 30, timer };
  const chunks = new BodyChunks(new Response(body), bounds);
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      timer.advance(readerMs);
      if (bytes >= most) break;
    }
  } catch (error) {
    expect(error).toBeInstanceOf(NodeError);
  }
  return { bytes, failure: chunks.failure };
}

describe("BodyChunks", () => {
  test("allows any total time while the body continues", async () => {
    const read = await readSlowly(1_024, 900, 100 * 1_024);
    expect(read).toEqual({ bytes: 100 * 1_024, failure: undefined });
  });

  test("reports a body that stops as idle", async () => {
    expect(await readSlowly(1_024, 1_001, 100 * 1_024)).toEqual({ bytes: 0, failure: "idle" });
  });

  test("reports a body that arrives too slowly as idle", async () => {
    const read = await readSlowly(100, 150, 100 * 1_024);
    expect([read.failure, read.bytes]).toEqual(["idle", 600]);
  });

  test("allows a slow reader", async () => {
    const read = await readSlowly(100, 1, 10_000, 10 * IDLE_MS);
    expect(read).toEqual({ bytes: 10_000, failure: undefined });
  });

  test("reads an available body without waiting", async () => {
    const timer = new FakeTimer();
    const bounds = { idleTimeoutMs: IDLE_MS, maxBytes: 3, timer };
    const sizes: number[] = [];
    for await (const chunk of new BodyChunks(new Response("abc"), bounds)) {
      sizes.push(chunk.byteLength);
    }
    expect(sizes).toEqual([3]);
  });
});

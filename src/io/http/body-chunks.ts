import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { NodeError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import { connectionFailure } from "./exchange.ts";

/** Limits of a body that is read while it arrives. */
export interface BodyBounds {
  /** Maximum wait for the next KiB of the body in milliseconds; time between reads does not count. */
  readonly idleTimeoutMs: number;
  /** Maximum size in bytes, both before and after decompression. */
  readonly maxBytes: number;
  readonly timer: Timer;
}

/**
 * Reason why a body was not read to its end.
 *
 * - `idle`: nothing, or next to nothing, arrived within the idle timeout
 * - `tooLong`: it has more than `maxBytes`
 * - `garbled`: it is not in its declared encoding, or in one that was not requested
 * - `broken`: the connection broke, or the request was aborted
 */
export type BodyFailure = "idle" | "tooLong" | "garbled" | "broken";

/** Slower progress than this per idle timeout counts as idle. */
const LEAST_PROGRESS_BYTES = 1024;

/** Chunk size of decompressed output in bytes, however short the input is. */
const UNZIPPED_CHUNK_BYTES = 1 << 16;

/**
 * Decompressed chunks of a response body, with backpressure: only a few chunks are buffered while the
 * consumer is slow. Ending the iteration cancels the response.
 */
export class BodyChunks {
  readonly #response: Response;
  readonly #bounds: BodyBounds;
  #failure: BodyFailure | undefined;

  /** @param response - as received, not decompressed */
  constructor(response: Response, bounds: BodyBounds) {
    this.#response = response;
    this.#bounds = bounds;
  }

  /** Reason why the iteration threw; `undefined` if it did not. */
  get failure(): BodyFailure | undefined {
    return this.#failure;
  }

  /** @throws {NodeError} when the body cannot be read to its end; {@link failure} says why */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    const { headers } = this.#response;
    const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
    const raw = this.#bounded(this.#arriving());
    if (encoding === "identity" || encoding === "") yield* raw;
    else if (encoding === "gzip" || encoding === "x-gzip")
      yield* this.#bounded(this.#unzipped(raw));
    else throw this.#failed("garbled", undefined);
  }

  async *#arriving(): AsyncGenerator<Uint8Array, void> {
    const { body } = this.#response;
    if (body === null) return;
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    let isWhole = false;
    let waitedMs = 0;
    let progressBytes = 0;
    try {
      for (;;) {
        const { timer, idleTimeoutMs } = this.#bounds;
        const fromMs = timer.nowMs();
        const next = await this.#inTime(() => reader.read(), idleTimeoutMs - waitedMs);
        if (next.done) break;
        progressBytes += next.value.byteLength;
        waitedMs += timer.nowMs() - fromMs;
        if (progressBytes >= LEAST_PROGRESS_BYTES) progressBytes = waitedMs = 0;
        else if (waitedMs >= idleTimeoutMs) throw this.#failed("idle", undefined);
        yield next.value;
      }
      isWhole = true;
    } catch (cause) {
      throw this.#failed("broken", connectionFailure(cause));
    } finally {
      // Rejects only if the body is broken, whose error is thrown above, or is no longer wanted.
      if (!isWhole) void reader.cancel().catch(() => undefined);
    }
  }

  async #inTime<T>(read: () => Promise<T>, restMs: number): Promise<T> {
    const late = Promise.withResolvers<never>();
    const cancel = this.#bounds.timer.after(restMs, () => {
      late.reject(this.#failed("idle", undefined));
    });
    try {
      return await Promise.race([read(), late.promise]);
    } finally {
      cancel();
    }
  }

  async *#bounded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      if (bytes > this.#bounds.maxBytes) throw this.#failed("tooLong", undefined);
      yield chunk;
    }
  }

  async *#unzipped(raw: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    const unzip = createGunzip({ chunkSize: UNZIPPED_CHUNK_BYTES });
    // Errors of either stream end the iteration below.
    pipeline(Readable.from(raw, { highWaterMark: 1 }), unzip, () => undefined);
    try {
      yield* unzip as AsyncIterable<Uint8Array>;
    } catch (cause) {
      throw this.#failed("garbled", cause);
    }
  }

  /** Keeps the first failure; later ones are consequences. */
  #failed(failure: BodyFailure, cause: unknown): NodeError {
    this.#failure ??= failure;
    return new NodeError("NODE_UNREACHABLE", `the body is ${failure}`, { cause });
  }
}

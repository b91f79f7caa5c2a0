import { NodeError } from "#base/errors/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { type Endpoint, endpointOf, exchange, type HttpAnswer } from "#io/http/index.ts";
import { withRetries } from "./with-retries.ts";
import { tooLong } from "./directory.ts";
import type { ReadableFolder, RemoteOptions } from "./types.ts";

/** Maximum wait for more of a response. */
const SILENCE_MS = 30_000;

/** Minimum average rate of a response in bytes per second, after an initial {@link SILENCE_MS}. */
const LEAST_BYTES_PER_SECOND = 32_768;

/** Files below a URL, read by GET. The server is not trusted; redirects are not followed. */
export class HttpFolder implements ReadableFolder {
  readonly name: string;
  readonly #endpoint: Endpoint;
  readonly #options: RemoteOptions;

  /** @param address - `http://` or `https://` URL without a query; user and password are sent in a header */
  constructor(address: string, options: RemoteOptions) {
    const endpoint = endpointOf(address, []);
    this.name = endpoint.name;
    this.#endpoint = { ...endpoint, url: endpoint.url.replace(/\/+$/, "") };
    this.#options = options;
  }

  read(name: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return withRetries(this.#options, () => this.#get(name, maxBytes));
  }

  async #get(name: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const place = `${this.name}/${name}`;
    const { signal } = this.#options;
    const ended = new AbortController();
    const end = (): void => ended.abort();
    signal.addEventListener("abort", end);
    const wholeMs = SILENCE_MS + (maxBytes / LEAST_BYTES_PER_SECOND) * 1000;
    const cancelWhole = SYSTEM_TIMER.after(wholeMs, end);
    let cancelSilence = SYSTEM_TIMER.after(SILENCE_MS, end);
    let answer: HttpAnswer;
    try {
      answer = await exchange({
        endpoint: this.#endpoint,
        path: `/${name}`,
        headers: {},
        body: undefined,
        maxAnswerBytes: maxBytes,
        signal: ended.signal,
        onProgress() {
          cancelSilence();
          cancelSilence = SYSTEM_TIMER.after(SILENCE_MS, end);
        },
      });
    } catch (cause) {
      const why = ended.signal.aborted
        ? "the server sends nothing, or too slowly"
        : "the connection failed";
      throw new NodeError("NODE_UNREACHABLE", `${place} cannot be read: ${why}`, { cause });
    } finally {
      cancelWhole();
      cancelSilence();
      signal.removeEventListener("abort", end);
    }
    return bytesOf(answer, place, maxBytes);
  }
}

function bytesOf(
  answer: HttpAnswer,
  place: string,
  maxBytes: number,
): Uint8Array<ArrayBuffer> | undefined {
  switch (answer.kind) {
    case "tooLong":
      throw tooLong(place, maxBytes);
    case "garbled":
      throw badAnswer(`${place}: the response is not in its declared encoding`);
    case "elsewhere":
      throw badAnswer(
        `${place}: the response (HTTP ${answer.status}) redirects to another address, which is not followed`,
      );
    case "answered": {
      const { status, bytes } = answer;
      if (status === 200) return bytes;
      if (status === 404 || status === 410) return undefined;
      const message = `${place}: the response is HTTP ${status}`;
      if (status === 429 || status >= 500) throw new NodeError("NODE_UNREACHABLE", message);
      throw badAnswer(message);
    }
  }
}

function badAnswer(message: string): NodeError {
  return new NodeError("NODE_BAD_ANSWER", message);
}

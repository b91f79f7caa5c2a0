import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Lie, Occasion, ProxiedResponse } from "./gateway-proxy.ts";
import { createRandom } from "./random.ts";

const JSON_HEADERS = { "content-type": "application/json" };

/** Delays the honest response. */
export function late(delayMs: number): Lie {
  return async ({ honest }) => {
    await Bun.sleep(delayMs);
    return honest();
  };
}

/** {@link Lie} that never responds; the connection stays open. */
export const hanging: Lie = () => Promise.resolve(undefined);

/** {@link Lie} that closes the connection before the response. */
export const cut: Lie = ({ response }) => {
  response.destroy();
  return Promise.resolve(undefined);
};

/** {@link Lie} that closes the connection in the middle of the honest response. */
export const cutShort: Lie = async ({ honest, response }) => {
  const { status, text } = await honest();
  response.writeHead(status, { ...JSON_HEADERS, "content-length": String(text.length) });
  response.write(text.slice(0, text.length / 2), () => response.destroy());
  return undefined;
};

/** Responds 429 with `Retry-After` in seconds. */
export function throttled(retryAfterSeconds: number): Lie {
  const headers = { "retry-after": String(retryAfterSeconds) };
  return () => Promise.resolve({ status: 429, headers, text: "" });
}

/** Responds with a status and a text, as a proxy in front of the gateway does. */
export function status(code: number, text = "<html>"): Lie {
  return () => Promise.resolve({ status: code, headers: { "content-type": "text/html" }, text });
}

/** Redirects to another location. */
export function elsewhere(location: string): Lie {
  return () => Promise.resolve({ status: 302, headers: { location }, text: "" });
}

/** Responds with any text and status 200. */
export function says(text: string): Lie {
  return () => Promise.resolve({ status: 200, headers: JSON_HEADERS, text });
}

/** Responds with endless text: pieces with pauses between them. */
export function endless(piece: string, pauseMs: number): Lie {
  return async ({ response }) => {
    response.writeHead(200, JSON_HEADERS);
    const isClosed = closed(response);
    while (!response.destroyed) {
      if (!response.write(piece)) await Promise.race([drained(response), isClosed]);
      await Bun.sleep(pauseMs);
    }
    return undefined;
  };
}

/**
 * A short body that decompresses to this many bytes.
 *
 * @param trailerBytes - size in the gzip trailer; by default the true one
 */
export function bomb(sizeBytes: number, trailerBytes = sizeBytes): Lie {
  return async ({ response }) => {
    const packed = await promisify(gzip)(new Uint8Array(sizeBytes).fill(0x20));
    packed.writeUInt32LE(trailerBytes % 2 ** 32, packed.length - 4);
    response.writeHead(200, { ...JSON_HEADERS, "content-encoding": "gzip" });
    response.end(packed);
    return undefined;
  };
}

function drained(response: Occasion["response"]): Promise<void> {
  return new Promise((done) => response.once("drain", done));
}

function closed(response: Occasion["response"]): Promise<void> {
  return new Promise((done) => response.once("close", done));
}

/** JSON object of a response that a {@link Lie} changes. */
export type Json = Record<string, unknown>;

/** Changes the honest response; an error passes unchanged. */
export function changed(change: (answer: Json) => void): Lie {
  return async ({ honest }) => {
    const reply = await honest();
    if (reply.status !== 200) return reply;
    const answer = JSON.parse(reply.text) as Json;
    change(answer);
    return plain({ ...reply, text: JSON.stringify(answer) });
  };
}

/** Replaces a value everywhere in the honest response. */
export function replaced(value: string, by: string): Lie {
  return async ({ honest }) => {
    const reply = await honest();
    return plain({ ...reply, text: reply.text.replaceAll(value, by) });
  };
}

/** Drops the headers of an honest response, whose ETag does not match a changed one. */
function plain({ status: code, text }: ProxiedResponse): ProxiedResponse {
  return { status: code, headers: JSON_HEADERS, text };
}

const NOT_FOUND: ProxiedResponse = {
  status: 400,
  headers: JSON_HEADERS,
  text: JSON.stringify({ code: "StarknetErrorCode.BLOCK_NOT_FOUND", message: "Block not found" }),
};

/** Routes that default to the newest block. */
const OF_A_BLOCK = ["get_block", "get_state_update", "get_signature", "get_block_traces"];

/** Responds like a replica that lacks the newest blocks. */
export function behind(blocks: number): Lie {
  return async ({ request, honest }) => {
    const { route, query, blockNumber } = request;
    const newest = await honest("/feeder_gateway/get_block?blockNumber=latest&headerOnly=true");
    if (newest.status !== 200) return newest;
    const head = (JSON.parse(newest.text) as { block_number: number }).block_number - blocks;
    if (route === "get_preconfirmed_block") return NOT_FOUND;
    if (head < 0 || (blockNumber !== undefined && blockNumber > head)) return NOT_FOUND;
    const isNewest = blockNumber === undefined && !query.has("blockHash");
    if (!OF_A_BLOCK.includes(route) || !isNewest) return honest();
    const numbered = new URLSearchParams(query);
    numbered.set("blockNumber", String(head));
    return honest(`/feeder_gateway/${route}?${numbered.toString()}`);
  };
}

/** Uses the lies in rotation. */
export function inTurn(...lies: readonly Lie[]): Lie {
  let next = 0;
  return (occasion) => (lies[next++ % lies.length] ?? honestly)(occasion);
}

/**
 * Uses a random lie for each request, as a balancer picks replicas. A rotation could coincide with
 * a client's cycle, so that it sees only one replica.
 */
export function atRandom(seed: number, ...lies: readonly Lie[]): Lie {
  const random = createRandom(seed);
  return (occasion) => (random.pick(lies) ?? honestly)(occasion);
}

/** {@link Lie} that passes the honest response. */
export const honestly: Lie = ({ honest }) => honest();

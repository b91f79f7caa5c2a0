import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { refusal, refusalOf, type StoreAnswer } from "./answers.ts";
import { FaultsInForce, type StoreFaults, type StoreMethod } from "./faults.ts";
import type { Bucket } from "./objects.ts";
import { effectOf, type StoreWrites } from "./requests.ts";
import { type StoreKeys, wrongSignature } from "./signature.ts";

/** Name of the only bucket of the test store. */
export const BUCKET = "chain";

/** URL path by which a test in another process sets the faults of a store. */
export const FAULTS_PATH = "/-/faults";
export const WRITES_PATH = "/-/writes";

/** A listening store. */
export interface ListeningStore {
  readonly port: number;
  readonly faults: FaultsInForce;
  readonly writes: StoreWrites;
  /** See `StoreRecords.copies`. */
  readonly copies: Set<string>;
  close(): Promise<void>;
}

/**
 * Serves a bucket as S3 does.
 *
 * @param port - of the local host; 0 for a free one
 */
export async function serveStore(
  bucket: Bucket,
  keys: StoreKeys,
  port: number,
): Promise<ListeningStore> {
  const faults = new FaultsInForce();
  const writes: StoreWrites = new Map();
  const copies = new Set<string>();
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", `http://${request.headers.host ?? "store"}`);
    const body = await bytesOf(request);
    if (url.pathname === FAULTS_PATH) {
      faults.set(JSON.parse(new TextDecoder().decode(body)) as StoreFaults);
      response.end();
    } else if (url.pathname === WRITES_PATH) response.end(JSON.stringify([...writes]));
    else await serve(request, url, body, response);
  };
  const serve = async (
    { method: verb = "GET", headers }: IncomingMessage,
    url: URL,
    body: Uint8Array,
    response: ServerResponse,
  ): Promise<void> => {
    const code = wrongSignature({ method: verb, url, headers, body }, keys);
    if (code !== undefined) return send(response, refusal(code));
    const [, name, ...rest] = decodeURIComponent(url.pathname).split("/");
    const key = rest.join("/");
    const method = methodOf(verb, key);
    if (name !== BUCKET) return send(response, refusal("NoSuchBucket"));
    if (method === undefined) return send(response, refusal("NotImplemented"));
    const { searchParams: query } = url;
    const rule = faults.use(method, method === "LIST" ? (query.get("prefix") ?? "") : key);
    const { fault, beforeMs = 0, afterMs = 0 } = rule ?? {};
    if (beforeMs > 0) await Bun.sleep(beforeMs);
    if (fault === "silent") return undefined;
    if (fault === "down") return cut(response);
    if (typeof fault === "number") return send(response, refusalOf(fault));
    const request = { method, key, query, headers, body };
    const kept = fault === "forgotten" ? { ...bucket, put: () => undefined } : bucket;
    const said = await effectOf(request, kept, { writes, copies }, faults.conditions);
    if (afterMs > 0) await Bun.sleep(afterMs);
    return fault === "lost" ? cut(response) : send(response, said);
  };
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
  return {
    port: (server.address() as AddressInfo).port,
    faults,
    writes,
    copies,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function methodOf(verb: string, key: string): StoreMethod | undefined {
  if (verb === "GET") return key === "" ? "LIST" : "GET";
  return key !== "" && (verb === "PUT" || verb === "DELETE") ? verb : undefined;
}

function send(response: ServerResponse, { status, headers, body }: StoreAnswer): void {
  response.writeHead(status, headers);
  response.end(body);
}

function cut(response: ServerResponse): void {
  response.socket?.destroy();
}

async function bytesOf(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

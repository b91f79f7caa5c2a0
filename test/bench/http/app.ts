import { createMethodTables } from "#api/rpc/index.ts";
import type { HttpHandler, HttpReply, HttpRequest } from "#api/rpc/http/message.ts";
import { RequestBody } from "#api/rpc/http/request-body.ts";
import { Caller } from "#api/rpc/limits/caller.ts";
import { serveSample } from "#test/helpers/sample-server.ts";

const BIG_BYTES = 8 << 20;

/** The application of a node with the sample chain, including WebSocket, for any server. */
async function sampleApp(): Promise<HttpHandler> {
  let app: HttpHandler | undefined;
  await serveSample({
    tables: createMethodTables(),
    listener: {
      hostname: "127.0.0.1",
      port: 0,
      connections: 0,
      serve: (handler) => (app = handler),
      hold: () => undefined,
      stop: async () => undefined,
    },
  });
  return app ?? (() => textReply("no application"));
}

/** The sample application, and the routes of the probes. */
export async function createApp(isRecording: boolean): Promise<HttpHandler> {
  const app = await sampleApp();
  const recorded: string[] = [];
  return async (request) => {
    const path = URL.parse(request.url, "http://a")?.pathname ?? "";
    if (path === "/recorded") return textReply(JSON.stringify(recorded.splice(0)));
    if (isRecording) {
      const body = await request.readBody(1 << 20);
      if (body !== undefined) recorded.push(`${request.method} ${request.url} ${body.byteLength}`);
      return textReply("");
    }
    if (path === "/big") return { ...textReply(""), body: new Uint8Array(BIG_BYTES).fill(120) };
    if (path === "/never") return new Promise(() => undefined);
    if (path !== "/sleep") return app(request);
    await Bun.sleep(100);
    return textReply("slept");
  };
}

function textReply(body: string): HttpReply {
  return { status: 200, headers: { "content-type": "text/plain" }, body };
}

/** Converts a request of another kind of server. */
export function requestOf(
  method: string,
  url: string,
  get: (name: string) => string | null,
  address: string | undefined,
  body: AsyncIterable<Uint8Array> | null,
): HttpRequest {
  const readBody = async (maxBytes: number): Promise<RequestBody | undefined> => {
    if (Number(get("content-length") ?? 0) > maxBytes) return undefined;
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of body ?? []) {
      size += part.byteLength;
      if (size > maxBytes) return undefined;
      parts.push(part);
    }
    return new RequestBody([{ bytes: Buffer.concat(parts), from: 0, to: size }]);
  };
  const caller = new Caller(address);
  return { method, url, headers: { get }, readBody, caller, release: () => undefined };
}

import { HttpConnection } from "#api/rpc/http/connection.ts";
import { emptyReply, type HttpHandler, type HttpReply } from "#api/rpc/http/message.ts";
import type { HttpTimeouts } from "#api/rpc/http/timeouts.ts";
import { fakeSocket } from "./fake-socket.ts";
import { httpService, TIMEOUTS } from "./http-connection.ts";
import { decodeChunked, type ScriptedStream, scriptedStream, settle } from "./scripted-stream.ts";

/** A connection that responds to `/N` with stream number N, and to other requests with 204. */
export function streamingConnection({
  version = "1.1",
  fields = "",
  timeouts = TIMEOUTS,
}: {
  readonly version?: string;
  readonly fields?: string;
  readonly timeouts?: HttpTimeouts;
} = {}) {
  const streams: ScriptedStream[] = [scriptedStream(), scriptedStream()];
  const asked: string[] = [];
  const handler: HttpHandler = ({ url }): HttpReply => {
    asked.push(url);
    const stream = streams[Number(url.slice(1))];
    if (stream === undefined) return emptyReply(204);
    return { status: 200, headers: { "content-type": "text/plain" }, body: null, stream };
  };
  const service = httpService(handler, { timeouts });
  const socket = fakeSocket();
  const connection = new HttpConnection(socket, service);
  const [source = scriptedStream(), second = scriptedStream()] = streams;
  return {
    asked,
    connection,
    service,
    socket,
    source,
    second,
    send: (text: string) => connection.receive(Buffer.from(text)),
    ask: (path: string, method = "GET") =>
      connection.receive(
        Buffer.from(`${method} ${path} HTTP/${version}\r\nhost: a\r\n${fields}\r\n`),
      ),
    async give(...pieces: (string | Uint8Array)[]) {
      for (const piece of pieces) {
        source.give(piece);
        await settle();
      }
    },
    async end() {
      source.end();
      await settle();
    },
    async room(takes: number) {
      socket.takes = takes;
      connection.drained();
      await settle();
    },
    later: (ms: number) => connection.checkTimes(performance.now() + ms),
    /** Head and body of the first response, and whether the body is known to be complete. */
    get received() {
      const { text } = socket;
      if (text.includes("transfer-encoding: chunked")) return decodeChunked(text);
      const end = text.indexOf("\r\n\r\n");
      const isWhole = socket.calls.includes("shutdown");
      return { head: text.slice(0, end), body: text.slice(end + 4), isWhole, rest: "" };
    },
  };
}

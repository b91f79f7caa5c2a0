import { REQUEST_VECTORS } from "#test/helpers/http-vectors/index.ts";
import { rawPost, rpcBody } from "#test/helpers/raw-http.ts";
import { clientFrame } from "#test/helpers/ws-frames.ts";
import { Client, holds } from "./client.ts";
import type { Served } from "./children.ts";
import type { Probe } from "./probe.ts";
import { TIGHT, USUAL } from "./settings.ts";

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`;
const CALL = rawPost(rpcBody(1, "blockNumber"));

const HOSTILE = REQUEST_VECTORS.filter(({ after, runs }) => after === "end" && runs.length === 0);

/** Requests that the server has recorded since the last call. */
async function recordedBy(server: Served): Promise<number> {
  const url = `http://${server.hostname}:${server.port}/recorded`;
  return ((await (await fetch(url)).json()) as unknown[]).length;
}

/** Handling of single requests. */
export const REQUEST_PROBES: readonly Probe[] = [
  {
    what: "a request that comes while the one before it is answered",
    settings: USUAL,
    async run(server) {
      const client = await Client.open(server);
      client.send(get("/sleep"));
      await Bun.sleep(20);
      client.send(CALL);
      await holds(() => client.statuses.length === 2 || client.isEnded, 2_000);
      client.close();
      return client.statuses.length === 2 ? "both are answered" : "neither is answered";
    },
  },
  {
    what: `of ${HOSTILE.length} hostile requests, those that are executed`,
    settings: { ...USUAL, isRecording: true },
    async run(server) {
      const executed: string[] = [];
      for (const { what, bytes } of HOSTILE) {
        const client = await Client.open(server);
        client.send(bytes + get("/next"));
        await holds(() => client.isEnded, 100);
        client.close();
        if ((await recordedBy(server)) > 0) executed.push(what);
      }
      return executed.length === 0 ? "none" : `${executed.length}: ${executed.join(", ")}`;
    },
  },
  {
    what: "a client that asks before it sends a body that is too long",
    settings: USUAL,
    async run(server) {
      const client = await Client.open(server);
      client.send(
        "POST / HTTP/1.1\r\nhost: 127.0.0.1\r\nexpect: 100-continue\r\ncontent-length: 99999999\r\n\r\n",
      );
      await holds(() => client.isEnded || client.statuses.length > 1, 1_000);
      client.close();
      return client.statuses.length === 0
        ? "hears nothing"
        : `is told ${client.statuses.join(", ")}`;
    },
  },
  {
    what: "an upload of 64 MiB that nobody wants (404)",
    settings: USUAL,
    async run(server) {
      const client = await Client.open(server);
      const bytes = 64 << 20;
      client.send(`POST /nowhere HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: ${bytes}\r\n\r\n`);
      for (let left = bytes; left > 0 && !client.isEnded; left -= 1 << 20) {
        client.send(Buffer.alloc(1 << 20));
        await Bun.sleep(1);
      }
      await holds(() => client.isEnded || client.sent >= bytes, 3_000);
      client.close();
      const taken = `${(client.sent / 1_048_576).toFixed(0)} MiB are read`;
      return `${client.statuses[0] ?? "no answer"}, ${taken}`;
    },
  },
  {
    what: "a head of 100 kB",
    settings: USUAL,
    async run(server) {
      const client = await Client.open(server);
      client.send(`GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\na: ${"a".repeat(100_000)}\r\n\r\n`);
      await holds(() => client.isEnded || client.statuses.length > 0, 1_000);
      client.close();
      return client.statuses[0] ?? (client.isEnded ? "is closed without a word" : "hears nothing");
    },
  },
  {
    what: "WebSocket on the same port by our frames (RFC 6455)",
    settings: USUAL,
    async run(server) {
      const client = await Client.open(server);
      client.send(
        `${get("/").slice(0, -2)}connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
      );
      await holds(() => client.statuses.length > 0, 1_000);
      client.send(clientFrame(rpcBody(1, "blockNumber")));
      await holds(() => client.text.includes('"result"'), 1_000);
      client.close();
      if (client.text.includes('"result"')) return "answers";
      return `no connection is handed over (${client.statuses[0] ?? "no answer"})`;
    },
  },
  {
    what: "IPv6",
    settings: { ...TIGHT, hostname: "::1" },
    async run(server) {
      const client = await Client.open(server);
      client.send(get("/health").replace("127.0.0.1", "[::1]"));
      await holds(() => client.statuses.length > 0, 1_000);
      client.close();
      return client.statuses[0] ?? "no answer";
    },
  },
];

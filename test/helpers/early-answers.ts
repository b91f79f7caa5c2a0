/** A request that gets its response before its body is read. */
export interface EarlyRequest {
  readonly what: string;
  readonly status: number;
  /** Request line and fields, without those of the body. */
  readonly head: string;
  /** Whether its connection is closed in any case. */
  readonly isLast?: boolean;
}

const HOST = "host: 127.0.0.1\r\n";

/** Every way to get an early response, for a server on a loopback address. */
export const EARLY_REQUESTS: readonly EarlyRequest[] = [
  { what: "a wrong method", status: 405, head: `PUT / HTTP/1.1\r\n${HOST}` },
  { what: "a GET of JSON-RPC", status: 405, head: `GET /rpc HTTP/1.1\r\n${HOST}` },
  { what: "a wrong path", status: 404, head: `POST /nothing HTTP/1.1\r\n${HOST}` },
  {
    what: "a wrong encoding",
    status: 415,
    head: `POST / HTTP/1.1\r\n${HOST}content-encoding: br\r\n`,
  },
  { what: "a foreign host", status: 403, head: "POST / HTTP/1.1\r\nhost: example.org\r\n" },
  {
    what: "a foreign page",
    status: 403,
    head: `POST / HTTP/1.1\r\n${HOST}origin: https://example.org\r\ncontent-type: text/plain\r\n`,
  },
  {
    what: "a preflight",
    status: 204,
    head: `OPTIONS / HTTP/1.1\r\n${HOST}origin: http://localhost\r\n`,
  },
  { what: "OPTIONS", status: 204, head: `OPTIONS / HTTP/1.1\r\n${HOST}` },
  { what: "GET /health", status: 200, head: `GET /health HTTP/1.1\r\n${HOST}` },
  { what: "GET /ready", status: 200, head: `GET /ready HTTP/1.1\r\n${HOST}` },
  {
    what: "a WebSocket of a wrong version",
    status: 426,
    head: `GET / HTTP/1.1\r\n${HOST}connection: upgrade\r\nupgrade: websocket\r\n`,
    isLast: true,
  },
  { what: "no host", status: 400, head: "POST / HTTP/1.1\r\n", isLast: true },
  { what: "two hosts", status: 400, head: `POST / HTTP/1.1\r\n${HOST}${HOST}`, isLast: true },
  {
    what: "a wrong expectation",
    status: 417,
    head: `POST / HTTP/1.1\r\n${HOST}expect: more\r\n`,
    isLast: true,
  },
  { what: "another version", status: 505, head: `POST / HTTP/2.0\r\n${HOST}`, isLast: true },
  {
    what: "too many fields",
    status: 431,
    head: `POST / HTTP/1.1\r\n${HOST}${"a: b\r\n".repeat(300)}`,
    isLast: true,
  },
  {
    what: "too long a head",
    status: 431,
    head: `POST / HTTP/1.1\r\n${HOST}a: ${"a".repeat(20_000)}\r\n`,
    isLast: true,
  },
];

/**
 * How the body of a request is announced: by its length, in chunks, or with `Expect: 100-continue`.
 */
export type Framing = "length" | "chunks" | "expects";

/** Creates the bytes of an HTTP request with a body of this size. */
export function requestWithBody(head: string, bodyBytes: number, framing: Framing): string {
  if (framing === "chunks") {
    const size = 50_000;
    const chunks = Array.from({ length: Math.ceil(bodyBytes / size) }, (_, i) => {
      const length = Math.min(size, bodyBytes - i * size);
      return `${length.toString(16)}\r\n${"x".repeat(length)}\r\n`;
    });
    return `${head}transfer-encoding: chunked\r\n\r\n${chunks.join("")}0\r\n\r\n`;
  }
  const expects = framing === "expects" ? "expect: 100-continue\r\n" : "";
  return `${head}${expects}content-length: ${bodyBytes}\r\n\r\n${"x".repeat(bodyBytes)}`;
}

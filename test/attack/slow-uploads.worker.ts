import { RawConnection, rawHandshake } from "#test/helpers/raw-http.ts";
import { clientFrame } from "#test/helpers/ws-frames.ts";

/** Uploads of one kind, each on a separate connection. */
export interface Uploads {
  readonly what: string;
  readonly count: number;
  readonly bodyBytes: number;
  /** Size of the initial part; then the client is silent or sends at a constant rate. */
  readonly firstBytes: number;
  readonly bytesPerSecond: number;
  readonly via: "length" | "chunks" | "WebSocket";
}

/** Order for this thread; it uploads until it is terminated. */
export interface UploadOrder {
  readonly port: number;
  readonly uploads: Uploads;
}

const HANDSHAKE = rawHandshake();

/** Repeats uploads: one that is cut off starts again. */
async function upload({ port, uploads }: UploadOrder): Promise<never> {
  for (;;) {
    const connection = await begin(port, uploads);
    const pace = setInterval(() => {
      if (uploads.bytesPerSecond > 0) connection.send(part(uploads, uploads.bytesPerSecond / 10));
    }, 100);
    await connection.ends(600_000);
    clearInterval(pace);
    connection.close();
    await Bun.sleep(100);
  }
}

let frameHead: Uint8Array | undefined;

async function begin(port: number, uploads: Uploads): Promise<RawConnection> {
  const connection = await RawConnection.open(port);
  const head = "POST / HTTP/1.1\r\nhost: localhost\r\n";
  if (uploads.via === "length")
    connection.send(`${head}content-length: ${uploads.bodyBytes}\r\n\r\n`);
  else if (uploads.via === "chunks") connection.send(`${head}transfer-encoding: chunked\r\n\r\n`);
  else {
    await connection.send(HANDSHAKE).responses(1);
    // Head of a frame with the whole length; the rest is its payload.
    frameHead ??= clientFrame("x".repeat(uploads.bodyBytes)).subarray(0, 14);
    connection.send(frameHead);
  }
  if (uploads.firstBytes > 0) connection.send(part(uploads, uploads.firstBytes));
  return connection;
}

function part({ via }: Uploads, bytes: number): string {
  const size = Math.round(bytes);
  const payload = " ".repeat(size);
  return via === "chunks" ? `${size.toString(16)}\r\n${payload}\r\n` : payload;
}

declare const self: Worker;
self.onmessage = ({ data }: MessageEvent<UploadOrder>) => {
  for (let i = 0; i < data.uploads.count; i++) void upload(data);
};

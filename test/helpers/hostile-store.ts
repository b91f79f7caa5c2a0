import { expect } from "bun:test";
import { ObjectStoreError } from "#base/errors/index.ts";
import { type ObjectStore, openObjectStore } from "#io/objects/index.ts";
import { STORE_KEYS } from "./store-server.ts";

/**
 * Credentials of the client of {@link saying}; {@link storeFailureOf} checks that no error shows
 * one.
 */
export const KEYS = { ...STORE_KEYS, sessionToken: "store-session-token" };

/** State of a connection with a response in progress. */
interface Answering {
  left: Buffer;
  isAsked: boolean;
}

/**
 * Starts an object store server that responds to every request with the same bytes.
 *
 * @param answer - complete HTTP response, head included
 * @param ending - whether the server closes the connection after the response
 * @returns a client of the server, and the requests as received
 */
export function saying(
  answer: string | Uint8Array,
  ending: "closed" | "open" = "closed",
): Disposable & { readonly store: ObjectStore; readonly asked: readonly string[] } {
  const asked: string[] = [];
  // A socket accepts as much of a long response as fits.
  const send = (socket: Bun.Socket<Answering>): void => {
    const { data } = socket;
    data.left = data.left.subarray(socket.write(data.left));
    if (data.left.length === 0 && ending === "closed") socket.end();
  };
  const server = Bun.listen<Answering>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        socket.data = { left: Buffer.alloc(0), isAsked: false };
      },
      data(socket, request) {
        asked.push(request.toString());
        socket.data = { left: Buffer.from(answer), isAsked: true };
        send(socket);
      },
      drain(socket) {
        if (socket.data.isAsked) send(socket);
      },
    },
  });
  const options = {
    bucket: "chain",
    prefix: "test",
    endpoint: `http://127.0.0.1:${server.port}`,
    region: "us-east-1",
    credentialsFile: null,
  };
  return {
    asked,
    store: openObjectStore(options, KEYS, new AbortController().signal),
    [Symbol.dispose]: () => server.stop(true),
  };
}

/** An HTTP response with a correct length. */
export function answerOf(status: string, body: string, more = 'ETag: "e"'): string {
  return `HTTP/1.1 ${status}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${more}\r\nConnection: close\r\n\r\n${body}`;
}

/** An error in the format of S3. */
export const errorOf = (code: string): string =>
  `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`;

/** Error of a rejected request; expects no key in it. */
export async function storeFailureOf(work: Promise<unknown>): Promise<ObjectStoreError> {
  const cause = await work.catch((error: unknown) => error);
  expect(cause).toBeInstanceOf(ObjectStoreError);
  const shown = Bun.inspect(cause);
  for (const secret of [KEYS.secretAccessKey, KEYS.sessionToken, KEYS.accessKeyId]) {
    expect(shown).not.toContain(secret);
  }
  return cause as ObjectStoreError;
}

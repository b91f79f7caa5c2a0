import { createServer, type Server } from "node:net";

/** Commit that the manifests of {@link manifestOf} name for every file. */
export const COMMIT = "0123456789abcdef0123456789abcdef01234567";

/** Repository that the manifests of {@link manifestOf} name for every file. */
export const REPOSITORY = "someone/data";

/** SHA-256 as 64 hexadecimal digits. */
export function sha256(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}

/** A manifest of files by local path; each is in `there/` of the repository. */
export function manifestOf(files: Readonly<Record<string, string>>): string {
  const lines = Object.entries(files).map(
    ([to, text]) => `${sha256(text)} ${Buffer.byteLength(text)} there/${to} ${to}`,
  );
  return [`source ${REPOSITORY} ${COMMIT}`, ...lines, ""].join("\n");
}

/** Path of a file on a mirror. */
export function pathAt(to: string): string {
  return `/${REPOSITORY}/${COMMIT}/there/${to}`;
}

/** A mirror with responses set by the test, and the requested files. */
export interface Mirror extends Disposable {
  readonly url: string;
  readonly asked: readonly string[];
}

/** Starts a local mirror; `answer` gets the local path of a file. */
export function openMirror(answer: (to: string) => Response | Promise<Response>): Mirror {
  const asked: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      asked.push(pathname);
      const prefix = pathAt("");
      if (!pathname.startsWith(prefix)) return new Response("", { status: 404 });
      return answer(pathname.slice(prefix.length));
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    asked,
    [Symbol.dispose]: () => void server.stop(true),
  };
}

/** A server that responds to each request with these raw bytes and closes the connection. */
export async function openRawMirror(bytes: string): Promise<{ readonly url: string } & Disposable> {
  const server: Server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(bytes));
  });
  const { promise, resolve } = Promise.withResolvers<number>();
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    resolve(typeof address === "object" && address !== null ? address.port : 0);
  });
  return {
    url: `http://127.0.0.1:${await promise}`,
    [Symbol.dispose]: () => void server.close(),
  };
}

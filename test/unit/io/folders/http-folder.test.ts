import { afterEach, beforeAll, afterAll, expect, test } from "bun:test";
import { HttpFolder } from "#io/folders/index.ts";

type Answer = (request: Request) => Response | Promise<Response>;

let server: ReturnType<typeof Bun.serve>;
let answer: Answer;
let asked: { readonly path: string; readonly authorization: string | null }[] = [];

beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const authorization = request.headers.get("authorization");
      asked.push({ path: new URL(request.url).pathname, authorization });
      return answer(request);
    },
  });
});

afterEach(() => {
  asked = [];
});

afterAll(() => server.stop(true));

const never = new AbortController().signal;

const folderAt = (path = "/snapshots/1", user = "", signal = never): HttpFolder =>
  new HttpFolder(`http://${user}127.0.0.1:${server.port}${path}`, {
    attempts: 3,
    pauseMs: 1,
    signal,
  });

const failure = (read: Promise<unknown>): Promise<{ code: string; message: string }> =>
  read.then(
    () => ({ code: "none", message: "" }),
    (error: { code: string; message: string }) => error,
  );

test("a file is asked for below the address, with the user in a header and in no name", async () => {
  answer = () => new Response(Uint8Array.of(1, 2));
  const folder = folderAt("/snapshots/1//", "me:secret@");
  expect(await folder.read("a.bin", 2)).toEqual(Uint8Array.of(1, 2));
  const authorization = `Basic ${btoa("me:secret")}`;
  expect(asked).toEqual([{ path: "/snapshots/1/a.bin", authorization }]);
  expect(folder.name).toBe(`http://127.0.0.1:${server.port}/***/***`);
});

test("404 and 410 say that there is no such file", async () => {
  for (const status of [404, 410]) {
    answer = () => new Response("no", { status });
    expect(await folderAt().read("a.bin", 2)).toBe(undefined);
  }
  expect(asked.length).toBe(2);
});

test("a redirect is not followed", async () => {
  answer = () => Response.redirect("http://127.0.0.1:1/else", 302);
  const { code, message } = await failure(folderAt().read("a.bin", 2));
  expect(code).toBe("NODE_BAD_ANSWER");
  expect(message).toContain("redirects to another address");
  expect(message).not.toContain("else");
  expect(asked.length).toBe(1);
});

test("an answer without end is given up at its bound", async () => {
  let sent = 0;
  answer = () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          sent += 65_536;
          controller.enqueue(new Uint8Array(65_536));
        },
      }),
    );
  expect((await failure(folderAt().read("a.bin", 1_000_000))).code).toBe("STORAGE_FILE_TOO_LONG");
  expect(sent).toBeLessThan(50_000_000);
});

test("what is short for gigabytes is not unpacked", async () => {
  const zipped = Bun.gzipSync(new Uint8Array(50_000_000));
  answer = () => new Response(zipped, { headers: { "content-encoding": "gzip" } });
  expect((await failure(folderAt().read("a.bin", 1_000_000))).code).toBe("STORAGE_FILE_TOO_LONG");
});

test("a store that is out of order is asked again, a refusal is not", async () => {
  const statuses = [503, 429];
  answer = () => new Response("x", { status: statuses.shift() ?? 200 });
  expect(await folderAt().read("a.bin", 1)).toEqual(Uint8Array.of(120));
  answer = () => new Response("x", { status: 500 });
  asked = [];
  expect((await failure(folderAt().read("a.bin", 1))).code).toBe("NODE_UNREACHABLE");
  expect(asked.length).toBe(3);
  answer = () => new Response("x", { status: 403 });
  asked = [];
  expect((await failure(folderAt().read("a.bin", 1))).message).toContain("HTTP 403");
  expect(asked.length).toBe(1);
});

test("nobody there, and a connection that breaks, are told after the last attempt", async () => {
  const nowhere = new HttpFolder("http://127.0.0.1:1/x", {
    attempts: 2,
    pauseMs: 1,
    signal: never,
  });
  const { code, message } = await failure(nowhere.read("a.bin", 1));
  expect(code).toBe("NODE_UNREACHABLE");
  expect(message).toContain("http://127.0.0.1:1/***/a.bin cannot be read");
});

test("a stop ends a question that hangs, and all that are asked afterwards", async () => {
  const stop = new AbortController();
  answer = () => new Promise<Response>(() => undefined);
  const folder = folderAt("/x", "", stop.signal);
  const hanging = failure(folder.read("a.bin", 1));
  while (asked.length === 0) await Bun.sleep(1);
  stop.abort();
  expect((await hanging).code).toBe("NODE_STOPPED");
  expect((await failure(folder.read("a.bin", 1))).code).toBe("NODE_STOPPED");
  expect(asked.length).toBe(1);
});

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

test("requests files below the address, with the user only in a header", async () => {
  answer = () => new Response(Uint8Array.of(1, 2));
  const folder = folderAt("/snapshots/1//", "me:secret@");
  expect(await folder.read("a.bin", 2)).toEqual(Uint8Array.of(1, 2));
  const authorization = `Basic ${btoa("me:secret")}`;
  expect(asked).toEqual([{ path: "/snapshots/1/a.bin", authorization }]);
  expect(folder.name).toBe(`http://127.0.0.1:${server.port}/***/***`);
});

test("status 404 and 410 mean that the file does not exist", async () => {
  for (const status of [404, 410]) {
    answer = () => new Response("no", { status });
    expect(await folderAt().read("a.bin", 2)).toBe(undefined);
  }
  expect(asked.length).toBe(2);
});

test("does not follow a redirect", async () => {
  answer = () => Response.redirect("http://127.0.0.1:1/else", 302);
  const { code, message } = await failure(folderAt().read("a.bin", 2));
  expect(code).toBe("NODE_BAD_ANSWER");
  expect(message).toContain("redirects to another address");
  expect(message).not.toContain("else");
  expect(asked.length).toBe(1);
});

test("stops reading an endless response at the limit", async () => {
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

test("does not decompress a body above the limit", async () => {
  const zipped = Bun.gzipSync(new Uint8Array(50_000_000));
  answer = () => new Response(zipped, { headers: { "content-encoding": "gzip" } });
  expect((await failure(folderAt().read("a.bin", 1_000_000))).code).toBe("STORAGE_FILE_TOO_LONG");
});

test("retries a failing store but not a refusal", async () => {
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

test("reports an unreachable store after the last attempt", async () => {
  const nowhere = new HttpFolder("http://127.0.0.1:1/x", {
    attempts: 2,
    pauseMs: 1,
    signal: never,
  });
  const { code, message } = await failure(nowhere.read("a.bin", 1));
  expect(code).toBe("NODE_UNREACHABLE");
  expect(message).toContain("http://127.0.0.1:1/***/a.bin cannot be read");
});

test("a stop rejects the hanging request and all later ones", async () => {
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

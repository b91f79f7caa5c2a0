import { expect, spyOn, test } from "bun:test";
import { endpointOf, linkedSignal, postJson } from "#io/http/index.ts";

/** Posts to a server with this handler. */
async function posted(
  answer: (request: Request) => Response | Promise<Response>,
  more: { readonly timeoutMs?: number; readonly signal?: AbortSignal } = {},
) {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
  try {
    return await postJson({
      endpoint: endpointOf(`http://127.0.0.1:${server.port}/path?key=1`, []),
      body: '{"a":1}',
      maxAnswerBytes: 100,
      timeoutMs: more.timeoutMs ?? 10_000,
      signal: more.signal ?? new AbortController().signal,
    });
  } finally {
    await server.stop(true);
  }
}

const never = (): Promise<Response> => new Promise(() => undefined);

test("postJson posts JSON to the address of the endpoint and returns the response", async () => {
  const asked: unknown[] = [];
  const answer = await posted(async (request) => {
    const { pathname, search } = new URL(request.url);
    const type = request.headers.get("content-type");
    asked.push(request.method, pathname + search, type, await request.json());
    return new Response("said", { status: 418 });
  });
  expect(asked).toEqual(["POST", "/path?key=1", "application/json", { a: 1 }]);
  expect(answer).toMatchObject({ kind: "answered", status: 418 });
});

test("postJson returns the reason for a missing response", async () => {
  expect((await posted(never, { timeoutMs: 50 })).kind).toBe("timedOut");
  expect((await posted(never, { signal: AbortSignal.timeout(50) })).kind).toBe("stopped");
  expect((await posted(never, { signal: AbortSignal.abort() })).kind).toBe("stopped");
  const isGone = await postJson({
    endpoint: endpointOf("http://127.0.0.1:1", []),
    body: "{}",
    maxAnswerBytes: 100,
    timeoutMs: 10_000,
    signal: new AbortController().signal,
  });
  expect(isGone.kind).toBe("unreachable");
  expect((await posted(() => new Response("x".repeat(101)))).kind).toBe("tooLong");
});

test("postJson removes its listeners from a long-lived signal", async () => {
  const { signal } = new AbortController();
  const added = spyOn(signal, "addEventListener");
  const removed = spyOn(signal, "removeEventListener");
  for (let i = 0; i < 3; i++) await posted(() => new Response("said"), { signal });
  expect(added).toHaveBeenCalledTimes(3);
  expect(removed.mock.calls).toEqual(added.mock.calls);
});

test("linkedSignal aborts with the first of its signals, even an aborted one, until it is unlinked", () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const linked = linkedSignal([first.signal, second.signal]);
  const unlinked = linkedSignal([first.signal, second.signal]);
  unlinked.unlink();
  expect(linked.signal.aborted).toBe(false);
  second.abort();
  expect([linked.signal.aborted, unlinked.signal.aborted]).toEqual([true, false]);
  expect(linkedSignal([first.signal, second.signal]).signal.aborted).toBe(true);
});

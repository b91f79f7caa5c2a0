import { afterEach, expect, test } from "bun:test";
import { RpcFault, RpcNode } from "#app/bootstrap/net/json-rpc.ts";
import { BootstrapError } from "#base/errors/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";

let server: Bun.Server<undefined> | undefined;
afterEach(async () => {
  await server?.stop(true);
  server = undefined;
});

/** A node with one fixed response; its address contains a key and a password. */
function nodeThat(answer: () => Response, signal = new AbortController().signal): RpcNode {
  server = Bun.serve({ port: 0, fetch: answer });
  const url = `http://user:pass-word@127.0.0.1:${server.port}/v3/secret-api-key`;
  return new RpcNode({ url, name: "ETH_RPC", timer: SYSTEM_TIMER, signal });
}

async function failureOf(node: RpcNode): Promise<BootstrapError> {
  const error: unknown = await node.call("eth_chainId", []).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!(error instanceof BootstrapError)) throw error;
  expect(error.message).not.toMatch(/pass-word|secret-api-key/);
  return error;
}

test("returns a result unchanged", async () => {
  const result = { a: [1, "0x2", null] };
  expect(await nodeThat(() => Response.json({ id: 1, result })).call("m", [])).toEqual(result);
});

test("hides the address and its credentials from a repeated error", async () => {
  const said = `http://user:pass-word@host/v3/secret-api-key ${btoa("user:pass-word")}`;
  const error = { code: 401, message: said, data: { said } };
  const { message } = await failureOf(nodeThat(() => Response.json({ error }, { status: 401 })));
  expect(message).toContain("http://***:***@host/v3/*** ***");
  expect(message).not.toContain(btoa("user:pass-word"));
});

test("reports the node's code and text, shortened to one line", async () => {
  const message = `no\n${"x".repeat(5000)}`;
  const error = await failureOf(nodeThat(() => Response.json({ error: { code: 20, message } })));
  expect(error).toBeInstanceOf(RpcFault);
  expect(error).toMatchObject({ rpcCode: 20 });
  expect(error.message).toStartWith("ETH_RPC refuses eth_chainId: no xxx");
  expect(error.message.length).toBeLessThan(400);
});

test("rejects malformed, deep, long, redirected and encoded responses", async () => {
  const answers: readonly (() => Response)[] = [
    () => new Response("<html>"),
    () => new Response(""),
    () => Response.json(null),
    () => Response.json([]),
    () => Response.json({ id: 1 }),
    () => new Response("[".repeat(4 << 20)),
    () => new Response(`{"result":"${"x".repeat(9 << 20)}"}`),
    () => Response.redirect("http://127.0.0.1:1/"),
    () => new Response("x", { headers: { "content-encoding": "br" } }),
    () => new Response("x", { status: 500 }),
  ];
  for (const answer of answers) {
    expect((await failureOf(nodeThat(answer))).code).toBe("BOOTSTRAP_NONSENSE");
    await server?.stop(true);
  }
});

test("retries a busy node", async () => {
  const statuses = [429, 503];
  const node = nodeThat(() => Response.json({ result: 5 }, { status: statuses.shift() ?? 200 }));
  expect(await node.call("eth_chainId", [])).toBe(5);
  expect(statuses).toEqual([]);
});

test("names an unreachable node by its variable", async () => {
  const node = nodeThat(() => new Response("x"));
  await server?.stop(true);
  const error = await failureOf(node);
  expect(error.code).toBe("BOOTSTRAP_UNREACHABLE");
  expect(error.message).toBe("the node of ETH_RPC does not answer: is it running there?");
});

test("stops waiting for a hanging node on abort", async () => {
  const stop = new AbortController();
  const hangs = () => new Response(new ReadableStream({ start: () => undefined }));
  const asked = failureOf(nodeThat(hangs, stop.signal));
  await Bun.sleep(20);
  stop.abort();
  expect((await asked).code).toBe("BOOTSTRAP_STOPPED");
});

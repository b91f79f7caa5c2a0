import { beforeAll, describe, expect, test } from "bun:test";
import { bomb, hangingBody, repeatedBody } from "#test/helpers/hostile-answers.ts";
import { runReplay } from "#test/helpers/replay-run.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { NO_ESTIMATE, transferCall } from "#test/helpers/tokens.ts";
import { useChain } from "#test/helpers/use-chain.ts";

const ANSWER_BYTES = bySize({ quick: 60 << 20, full: 1 << 30 });

/** Memory of a replay of a short block, and some reserve. */
const MAX_RESIDENT_BYTES = 400 << 20;

const METHOD = "starknet_traceBlockTransactions";

const chain = useChain();

beforeAll(async () => {
  const { transaction_hash } = await chain.account(0).execute(transferCall("0x5", 1n), NO_ESTIMATE);
  await chain.provider.waitForTransaction(transaction_hash, { retryInterval: 50 });
}, 60_000);

/** Starts a node that proxies the chain but replaces the body of trace responses. */
function nodeWith(
  body: (answer: string) => ReadableStream<Uint8Array>,
  headers: Readonly<Record<string, string>> = {},
) {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const requestBody = await request.text();
      const json = { "content-type": "application/json" };
      const answer = await fetch(chain.url, { method: "POST", headers: json, body: requestBody });
      const honest = await answer.text();
      const { method } = JSON.parse(requestBody) as { readonly method: string };
      if (method !== METHOD) return new Response(honest);
      return new Response(body(honest), { headers: { ...headers } });
    },
  });
  return { url: server.url, [Symbol.asyncDispose]: () => server.stop(true) };
}

const blanks = new TextEncoder().encode(" ".repeat(1 << 20));

/** The same JSON with a mebibyte of white space before each token, up to the total length. */
function padded(answer: string): ReadableStream<Uint8Array> {
  const tokens = answer.match(/"(?:[^"\\]|\\.)*"|[^",:[\]{}\s]+|[,:[\]{}]/g) ?? [];
  const encoder = new TextEncoder();
  let next = 0;
  return new ReadableStream(
    {
      pull(controller) {
        const token = tokens[next++];
        if (token === undefined) return controller.close();
        if (next * blanks.byteLength <= ANSWER_BYTES) controller.enqueue(blanks.slice());
        controller.enqueue(encoder.encode(token));
      },
    },
    { highWaterMark: 0 },
  );
}

/** Splits a response at the start of its first calldata list. */
function partsAtCalldata(answer: string): readonly [head: string, tail: string] {
  const at = answer.indexOf('"calldata":[') + '"calldata":['.length;
  return [answer.slice(0, at), answer.slice(at)];
}

const FELT = `"0x7${"f".repeat(61)}",`;

describe("a replay of a block with long traces", () => {
  test("agrees in bounded memory with a response that is mostly white space", async () => {
    await using node = nodeWith(padded);
    const run = await runReplay(node.url.href, "--block", "1");
    expect([run.code, run.err]).toEqual([0, ""]);
    expect(run.lines[0]).toStartWith("block 1 agrees: 1 transaction,");
    expect(run.maxResidentBytes).toBeLessThan(MAX_RESIDENT_BYTES);
  }, 300_000);

  test("reports the length of an oversized list, in bounded memory", async () => {
    await using node = nodeWith((answer) => {
      const [head, tail] = partsAtCalldata(answer);
      return repeatedBody(head, FELT, ANSWER_BYTES, tail);
    });
    const run = await runReplay(node.url.href, "--block", "1");
    expect([run.code, run.err]).toEqual([1, ""]);
    expect(run.lines[0]).toMatch(/^block 1 differs: trace\.\w+\.calldata\.length$/);
    expect(Number(run.lines[3]?.replace("  theirs: ", ""))).toBeGreaterThan(
      ANSWER_BYTES / FELT.length,
    );
    expect(run.maxResidentBytes).toBeLessThan(MAX_RESIDENT_BYTES);
  }, 300_000);
});

describe("a replay fails and names the node if its trace response", () => {
  const ENDLESS = 2 ** 45;
  /** Timeout for the node that stalls; its other responses must arrive in this time, too. */
  const STOP_TIMEOUT = "3s";
  const upTo = (answer: string): string => partsAtCalldata(answer)[0];
  const cases: readonly (readonly [
    string,
    (answer: string) => ReadableStream<Uint8Array>,
    RegExp,
    Readonly<Record<string, string>>,
  ])[] = [
    [
      "is cut off",
      (answer) => repeatedBody(upTo(answer), " ", 0),
      /ends too early: traces\[0\]\.trace_root\.\w+\.calldata: expected more JSON/,
      {},
    ],
    [
      "stalls in the middle",
      (answer) => hangingBody(upTo(answer)),
      /did not continue in 3000 ms, after \d+ bytes, in traces\[0\]\.trace_root\.\w+\.calldata/,
      {},
    ],
    [
      "has an endless string",
      (answer) => repeatedBody(`${upTo(answer)}"`, "x", ENDLESS),
      /over a limit: traces\[0\]\.trace_root\.\w+\.calldata\[0\]: expected texts of at most/,
      {},
    ],
    [
      "is nested too deeply",
      (answer) => repeatedBody(`${upTo(answer)}],"calls":`, '[{"calls":', ENDLESS),
      /over a limit: traces.*nests at most 1024 levels/,
      {},
    ],
    [
      "is a compression bomb",
      (answer) => bomb(upTo(answer), " ", ENDLESS),
      /over a limit: .*calldata: expected at most \d+ bytes of white space/,
      { "content-encoding": "gzip" },
    ],
  ];
  test.each(cases)(
    "%s",
    async (name, body, reason, headers) => {
      await using node = nodeWith(body, headers);
      const timeout = name === "stalls in the middle" ? STOP_TIMEOUT : "30s";
      const bounds = ["--retries", "0", "--timeout", timeout];
      const run = await runReplay(node.url.href, "--block", "1", ...bounds);
      expect([run.code, run.lines]).toEqual([1, [""]]);
      expect(run.err).toMatch(reason);
      expect(run.err).toContain(`the answer of ${node.url.origin} to ${METHOD} `);
      expect(run.err.length).toBeLessThan(1_000);
      expect(run.maxResidentBytes).toBeLessThan(MAX_RESIDENT_BYTES);
    },
    60_000,
  );
});

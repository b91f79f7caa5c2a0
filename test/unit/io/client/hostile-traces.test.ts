import { beforeAll, describe, expect, test } from "bun:test";
import { NodeError } from "#base/errors/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import {
  createHttpChannel,
  NodeClient,
  STREAM_LIMITS,
  type StreamLimits,
} from "#io/client/index.ts";
import {
  bomb,
  hangingBody,
  headUntil,
  HERE,
  repeatedBody,
  until,
} from "#test/helpers/hostile-answers.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { callJson, traceJson, tracesJson } from "#test/helpers/trace-json.ts";

/** Production limits; in quick mode a sixty-fourth of the memory-bound ones. */
const LIMITS: StreamLimits = bySize({
  quick: {
    ...STREAM_LIMITS,
    maxKeptBytes: STREAM_LIMITS.maxKeptBytes >> 6,
    maxSkippedBytes: STREAM_LIMITS.maxSkippedBytes >> 6,
    maxTexts: STREAM_LIMITS.maxTexts >> 6,
  },
  full: STREAM_LIMITS,
});
const MAX_GROWTH_BYTES = bySize({ quick: 1_024 << 20, full: 1_600 << 20 });

/** More repetitions than any limit allows. */
const ENDLESS = 2 ** 45;

/** Request timeout for the node that stops mid-response. */
const IDLE_MS = 500;

const call = JSON.stringify(callJson());
const trace = JSON.stringify({ transaction_hash: "0x1", trace_root: traceJson() });
const reason = { execute_invocation: { revert_reason: "x".repeat(100_000) } };
const reverted = JSON.stringify({ transaction_hash: "0x1", trace_root: traceJson(reason) });
const inCall = String.raw`traces\[0\]\.trace_root\.execute_invocation`;

type Body = ReadableStream<Uint8Array> | string;
type Lie = readonly [
  name: string,
  body: () => Body,
  said: string,
  headers?: Readonly<Record<string, string>>,
];

const CUT = `${headUntil("calls")}[${call}`;
const twice = `${headUntil("calldata")}["0x1"],"calldata":["0x2"]`;
const GZIP = { "content-encoding": "gzip" };

const LIES: readonly Lie[] = [
  ["is truncated", () => CUT, `ends too early: ${inCall}\\.calls\\[0\\]: expected more JSON`],
  ["breaks off", () => "", "breaks off after \\d+ bytes|ends too early"],
  [
    "stops in the middle",
    () => hangingBody(`${CUT}${" ".repeat(2_000)}`),
    `did not continue in ${IDLE_MS} ms, after \\d+ bytes, in ${inCall}\\.calls\\[0\\]`,
  ],
  [
    "has an endless list of felts",
    () => repeatedBody(`${headUntil("calldata")}[`, '"0x0",', ENDLESS),
    `over a limit: ${inCall}\\.calldata\\[${LIMITS.maxTexts}\\]: expected an array of at most`,
  ],
  [
    "has endless white space",
    () => repeatedBody(headUntil("calldata"), " \n\t", ENDLESS),
    `over a limit: ${inCall}\\.calldata: expected at most \\d+ bytes of white space`,
  ],
  [
    "has an endless text",
    () => repeatedBody(`${headUntil("revert_reason")}"`, "x", ENDLESS),
    `over a limit: ${inCall}\\.revert_reason: expected texts of at most \\d+ bytes`,
  ],
  [
    "has an endless felt",
    () => repeatedBody(`${headUntil("calldata")}["0x`, "0", ENDLESS),
    `over a limit: ${inCall}\\.calldata\\[0\\]: expected texts of at most \\d+ bytes`,
  ],
  [
    "has an endless member name",
    () => repeatedBody(`${headUntil("calls")}[{"`, "x", ENDLESS),
    "over a limit: .*expected texts of at most \\d+ bytes",
  ],
  [
    "has an endless number",
    () => repeatedBody(`${headUntil("events")}[{"order":`, "1", ENDLESS),
    `over a limit: ${inCall}\\.events\\[0\\]\\.order: expected numbers of at most`,
  ],
  [
    "nests calls",
    () => repeatedBody(headUntil("calls"), '[{"calls":', ENDLESS),
    "over a limit: traces.*: expected JSON that nests at most 1024 levels deep",
  ],
  [
    "nests an unknown member",
    () => repeatedBody(headUntil("other"), '[{"a":', ENDLESS),
    "over a limit: traces.*: expected JSON that nests at most 1024 levels deep",
  ],
  [
    "nests a state diff",
    () => repeatedBody(until(tracesJson([traceJson({ state_diff: HERE })])), "[", ENDLESS),
    "over a limit: traces.*: expected JSON that nests at most 1024 levels deep",
  ],
  [
    "has ten million calls",
    () => repeatedBody(`${headUntil("calls")}[`, `${call},`, ENDLESS),
    `over a limit: ${inCall}\\.calls\\[\\d+\\].*: expected values that take at most \\d+ MiB`,
  ],
  [
    "has ten million events",
    () => repeatedBody(`${headUntil("events")}[`, '{"order":0,"keys":[],"data":[]},', ENDLESS),
    `over a limit: ${inCall}\\.events\\[\\d+\\].*: expected values that take at most \\d+ MiB`,
  ],
  [
    "has ten million traces",
    () => repeatedBody(until({ traces: HERE }) + "[", `${trace},`, ENDLESS),
    "over a limit: traces\\[\\d+\\].*: expected values that take at most \\d+ MiB",
  ],
  [
    "has ten million long reasons of reverts",
    () => repeatedBody(`${until({ traces: HERE })}[`, `${reverted},`, ENDLESS),
    "over a limit: traces\\[\\d+\\].*: expected values that take at most \\d+ MiB",
  ],
  [
    "has ten million reads",
    () =>
      repeatedBody(
        `${until({ initial_reads: HERE })}{"storage":[`,
        '{"contract_address":"0x1","key":"0x2","value":"0x3"},',
        ENDLESS,
      ),
    "over a limit: initial_reads\\.storage\\[\\d+\\].*: expected values that take at most \\d+ MiB",
  ],
  [
    "has ten million empty calls",
    () => repeatedBody(`${headUntil("calls")}[`, "{},", ENDLESS),
    `does not match the specification: ${inCall}\\.calls\\[0\\]\\.contract_address: expected .*missing`,
  ],
  [
    "has an endless unknown member",
    () => repeatedBody(`${headUntil("other")}[`, '{"a":[1]},', ENDLESS),
    `over a limit: ${inCall}\\.other.*: expected at most \\d+ bytes of unknown members`,
  ],
  [
    "has endless unknown members",
    () => repeatedBody(headUntil("other"), '1,"other":', ENDLESS),
    `over a limit: ${inCall}\\.other: expected at most \\d+ bytes of unknown members`,
  ],
  [
    "repeats a member",
    () => twice,
    `the specification: ${inCall}\\.calldata: expected this member once, not twice`,
  ],
  [
    "has another type deep inside",
    () => `${headUntil("calls")}${`[{"calls":`.repeat(50)}[{"result":["0x1",{}]}`,
    "the specification: traces.*\\.calls\\[0\\]\\.result\\[1\\]: expected felt",
  ],
  [
    "expands to gigabytes of white space",
    () => bomb(headUntil("calldata"), " ", ENDLESS),
    `over a limit: ${inCall}\\.calldata: expected at most \\d+ bytes of white space`,
    GZIP,
  ],
  [
    "expands to gigabytes of felts",
    () => bomb(`${headUntil("calldata")}[`, '"0x0",', ENDLESS),
    `over a limit: ${inCall}\\.calldata\\[${LIMITS.maxTexts}\\]: expected an array of at most`,
    GZIP,
  ],
  ["is not gzip", () => CUT, "not in a requested encoding: it breaks after", GZIP],
  ["is an HTML page", () => "<html>sorry</html>", "did not answer \\S+ with JSON-RPC"],
  ["has trailing data", () => `{"result":${JSON.stringify(tracesJson([]))}}{}`, "with JSON: "],
  [
    "has an endless error message",
    () => repeatedBody('{"error":{"message":"', "x", ENDLESS),
    "over a limit: error\\.message: expected texts of at most",
  ],
];

/** Server with this response; "breaks off" needs a bare socket. */
function hostileNode([name, body, , headers = {}]: Lie) {
  if (name === "breaks off") {
    const text = `HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n${CUT}`;
    return Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { data: (socket) => void socket.end(text) },
    });
  }
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    fetch: () => new Response(body(), { headers: { ...headers } }),
  });
}

describe("a trace response of a hostile node", () => {
  // Memory of earlier test files is no growth.
  beforeAll(() => Bun.gc(true));

  test.each(LIES.map((lie) => [lie[0], lie] as const))(
    "that %s: is rejected with URL, method and path in bounded memory",
    async (_, lie) => {
      using node = hostileNode(lie);
      const client = new NodeClient(
        createHttpChannel({
          url: `http://127.0.0.1:${node.port}`,
          timeoutMs: lie[0] === "stops in the middle" ? IDLE_MS : 60_000,
          retries: 0,
          maxAnswerBytes: 1,
          streamLimits: LIMITS,
          signal: new AbortController().signal,
          timer: SYSTEM_TIMER,
        }),
      );
      const before = process.memoryUsage.rss();
      let most = 0;
      const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
      const error = await client.traces(1).catch((thrown: unknown) => thrown);
      clearInterval(watch);
      expect(error).toBeInstanceOf(NodeError);
      const { message } = error as NodeError;
      expect(message).toMatch(new RegExp(lie[2]));
      expect(message).toContain(`http://127.0.0.1:${node.port}`);
      expect(message).toContain("starknet_traceBlockTransactions");
      expect(message.length).toBeLessThan(800);
      expect(most - before).toBeLessThan(MAX_GROWTH_BYTES);
    },
    300_000,
  );
});

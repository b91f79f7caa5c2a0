import { expect, test } from "bun:test";
import { createMethodTables } from "#api/rpc/index.ts";
import { rawCall } from "#test/helpers/binary.ts";
import { integerOfEnvironment } from "#test/helpers/environment.ts";
import { useChain } from "#test/helpers/use-chain.ts";
import { openRpcDocuments } from "../fuzz/rpc/documents.ts";
import { preparedSamples } from "../fuzz/rpc/samples.ts";
import { findingsAbout } from "../fuzz/rpc/judge.ts";
import { requestOf, type RequestSource } from "../fuzz/rpc/requests.ts";
import { httpLane, type Lane, servesWebSocket, webSocketLane } from "../fuzz/rpc/transport.ts";
import { bySize } from "#test/helpers/test-size.ts";

/** `FUZZ_SEED` sets another seed and `FUZZ_RUNS` another number of requests. */
const SEED = integerOfEnvironment("FUZZ_SEED") ?? 20_261_121;
const REQUESTS = integerOfEnvironment("FUZZ_RUNS") ?? bySize({ quick: 1_500, full: 10_000 });
/** Above this share, requests also change prices and the clock of the chain. */
const DEVNET_FROM = 0.9;
const LANES = 8;
/** Number of findings after which the run stops. */
const SHOWN = 20;

const chain = useChain({ args: ["--dev-accounts", "4"] });

test("every request gets a response without an internal error, and the chain continues", async () => {
  const tables = createMethodTables();
  const source: RequestSource = {
    samples: await preparedSamples(chain),
    tables,
    documents: new Map(
      tables.flatMap(({ spec: { version } }) => {
        const documents = openRpcDocuments(version);
        return documents === undefined ? [] : [[version, documents] as const];
      }),
    ),
  };
  const hasWebSocket = await servesWebSocket(chain);
  const found: { seed: number; about: string; request: string }[] = [];
  const counts = { requests: 0, results: 0, errors: 0, silent: 0 };
  let slowest = { ms: 0, seed: 0 };
  let next = 0;

  const run = async (lane: Lane): Promise<void> => {
    while (next < REQUESTS && found.length < SHOWN) {
      const index = next++;
      const seed = SEED + index;
      const request = requestOf(source, seed, {
        devnet: index >= REQUESTS * DEVNET_FROM,
        subscriptions: lane.isWebSocket,
      });
      const note = (about: string): void => {
        const shown = `${request.version} ${request.body.slice(0, 1_500)}`;
        found.push({ seed, about: about.slice(0, 500), request: shown });
      };
      const startedMs = performance.now();
      try {
        const answer = await lane.send(request);
        const ms = performance.now() - startedMs;
        if (ms > slowest.ms) slowest = { ms, seed };
        counts.requests++;
        if (answer === undefined) counts.silent++;
        else if (answer.includes('"result":')) counts.results++;
        else counts.errors++;
        findingsAbout(request, answer).slice(0, 3).forEach(note);
      } catch (error) {
        note(`no answer after ${Math.round(performance.now() - startedMs)} ms: ${String(error)}`);
      }
    }
    lane.close();
  };

  const lanes = Array.from({ length: LANES }, (_, i) =>
    hasWebSocket && i % 2 === 1 ? webSocketLane(chain) : httpLane(chain),
  );
  await Promise.all(lanes.map(run));
  console.log(
    `rpc fuzz: seed ${SEED}, ${counts.requests} bodies over HTTP${hasWebSocket ? " and WebSocket" : " alone: WebSocket is not served"}: ` +
      `${counts.results} with results, ${counts.errors} with errors only, ${counts.silent} without an answer; ` +
      `slowest ${Math.round(slowest.ms)} ms (seed ${slowest.seed})`,
  );
  const internal = chain.output().match(/^.*(?:ERROR|internal).*$/gm) ?? [];
  if (found.length > 0) console.log([...new Set(internal)].slice(0, SHOWN).join("\n"));
  expect(found).toEqual([]);
  expect(counts.requests).toBe(REQUESTS);
  // Half of the requests are executable: fewer results would fuzz only the parser.
  expect(counts.results).toBeGreaterThanOrEqual(Math.floor(REQUESTS / 5));
  // Requests may have reverted the chain to its genesis.
  const height = async () => Number((await rawCall(chain.url, "starknet_blockNumber")).result);
  const before = await height();
  await rawCall(chain.url, "devnet_createBlock");
  expect(await height()).toBeGreaterThan(before);
}, 600_000);

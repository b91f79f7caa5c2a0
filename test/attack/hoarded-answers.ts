import { readFileSync } from "node:fs";
import { createMethodTables } from "#api/rpc/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { record } from "#test/contracts/hostile/contract.ts";
import { rawCall, type RunningChain, startChain } from "#test/helpers/binary.ts";
import { executeWork } from "#test/helpers/hostile-clients.ts";
import { HOSTILE_ADDRESS, hostileCall } from "#test/helpers/hostile-config.ts";
import { largeContract, writeLargeClasses } from "#test/helpers/large-classes.ts";
import { mainThreadMs } from "#test/helpers/main-thread-time.ts";
import { MemoryWatch } from "#test/helpers/memory-watch.ts";
import { RawConnection, rawPost, rpcBody } from "#test/helpers/raw-http.ts";
import { stallBoundMs } from "#test/helpers/stall.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { STRK } from "#test/helpers/tokens.ts";
import type { Attack, AttackReport, AttackScale } from "./attack.ts";
import type { HoardOrder } from "./hoarded-answers.worker.ts";
import { type HoardWorld, methodParams } from "./hoarded-answers-params.ts";

/** The connection limit of a node, less the honest client's and closing ones. */
const CONNECTIONS = { small: 300, full: 980 } as const;
/** Large classes: more than the response cache holds. */
const CLASSES = 12;
const BATCH_LENGTH = 1_024;
/** Large responses of a batch whose total stays below the response limit. */
const CLASSES_OF_BATCH = 3;
/** Rounds that take about half a second on a quiet machine. */
const HALF_A_SECOND = 150_000;
const FLOOD_MS = { small: 1_500, full: 10_000 } as const;
const METHOD_MS = { small: 1_000, full: 1_000 } as const;
/** Concurrent batches of large classes of an honest client with another address. */
const HONEST_BATCHES = { small: 24, full: 60 } as const;
/** Deadline for all of them, with retries. */
const INDEXER_MS = 60_000;
/** Default of `--rpc-timeout`: a node refuses nothing earlier that waits for room. */
const TIMEOUT_MS = 30_000;
/** Every second connection reads. */
const READER_OF = 2;
/** Transactions with the maximum calldata, in one block. */
const LARGE_TRANSACTIONS = 12;
const CALLDATA_FELTS = 4_900;

/** Bound of the resident memory, whatever clients request. */
const MOST_BYTES = 1_500_000_000;
/**
 * Bound of an honest request over a new connection, as the client sees it; a breach takes many
 * times that. If a thousand clients connect concurrently, the kernel drops those beyond its queue,
 * and the client retries after a second. On a busy machine it is longer: the node bounds its work
 * ahead of a client ({@link MAIN_MS}), and cannot bound a time in which other programs run.
 */
const WAIT_MS = 3_000;
/**
 * Main-thread work that a connected honest client may wait for, also while a thousand connect and
 * disconnect.
 */
const MAIN_MS = 1_000;
const HONEST_ADDRESS = "127.0.0.2";
const PROBE_PAUSE_MS = 20;
/** Served by the main thread alone. */
const MAIN_METHOD = "blockNumber";

interface Waits {
  /** Wait in milliseconds of main-thread time, from request to response. */
  main: number;
  /** Wait by the clock, including the connect. */
  waitMs: number;
  probes: number;
  readonly errors: string[];
}

const requestOf = (id: number, method: string, params: unknown): unknown => ({
  jsonrpc: "2.0",
  id,
  method: method.includes("_") ? method : `starknet_${method}`,
  params,
});

const batchOf = (length: number, of: (id: number) => unknown): string =>
  JSON.stringify(Array.from({ length }, (_, id) => of(id)));

/** Large classes, followed by calls that keep the batch from finishing. */
function slowBatches(): readonly string[] {
  return Array.from({ length: CLASSES }, (_, first) =>
    batchOf(BATCH_LENGTH, (id) =>
      id < CLASSES_OF_BATCH
        ? requestOf(id, "getClassAt", ["latest", largeContract((first + id) % CLASSES)])
        : requestOf(id, "call", hostileCall("pedersen", HALF_A_SECOND + id)),
    ),
  );
}

/** Repeats a request over new connections from another address. */
async function probe(chain: RunningChain, forMs: number): Promise<Waits> {
  const waits: Waits = { main: 0, waitMs: 0, probes: 0, errors: [] };
  const selector = hexFromFelt(selectorFromName("balance_of"));
  const account = chain.accounts[0]?.address;
  const call = { contract_address: STRK, entry_point_selector: selector, calldata: [account] };
  const ask = async (method: string, params: unknown): Promise<void> => {
    const startMs = performance.now();
    const connection = await RawConnection.open(chain.rpcPort, false, HONEST_ADDRESS);
    const startMain = mainThreadMs(chain.pid);
    const post = rawPost(rpcBody(1, method, params));
    const [response] = await connection.send(post).responses(1, 60_000);
    if (method === MAIN_METHOD) {
      waits.main = Math.max(waits.main, mainThreadMs(chain.pid) - startMain);
    }
    connection.close();
    waits.waitMs = Math.max(waits.waitMs, performance.now() - startMs);
    waits.probes++;
    if (response?.body.includes('"result"') !== true) {
      waits.errors.push(`${method}: ${response?.body ?? "no answer"}`);
    }
  };
  const endMs = performance.now() + forMs;
  do {
    await ask(MAIN_METHOD, []);
    await ask("call", [call, "latest"]);
    await Bun.sleep(PROBE_PAUSE_MS);
  } while (performance.now() < endMs);
  return waits;
}

/** Terminates the attackers of a phase with their connections. */
async function endHoard(worker: Worker): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  worker.onmessage = () => resolve();
  worker.postMessage("end");
  await promise;
  worker.terminate();
}

/** Connections of a terminated thread that the node may still have. */
const FEW_CONNECTIONS = 20;

/**
 * The node notices late that clients are gone whose sockets it does not read; it closes those for
 * new ones.
 */
const ENDED_MS = { small: 2_000, full: 20_000 } as const;

/** Waits until the node has noticed closed connections: the next phase needs their slots. */
async function connectionsEnded(port: number, scale: AttackScale): Promise<void> {
  const endMs = performance.now() + ENDED_MS[scale];
  const hexPort = port.toString(16).toUpperCase().padStart(4, "0");
  // Established, or closed by the client.
  const isOfNode = new RegExp(`^ *\\d+: [0-9A-F]{8}:${hexPort} \\S+ 0[18] `);
  do {
    await Bun.sleep(PROBE_PAUSE_MS);
    const rows = readFileSync("/proc/net/tcp", "latin1").split("\n");
    if (rows.filter((row) => isOfNode.test(row)).length <= FEW_CONNECTIONS) return;
  } while (performance.now() < endMs);
}

/** Produces a block of large transactions, and collects arguments for the methods. */
async function makeWorld(chain: RunningChain): Promise<HoardWorld> {
  const tail = Array.from({ length: CALLDATA_FELTS }, (_, i) => BigInt(i) << 200n);
  const work = [...record("steps", { count: 0 }), ...tail];
  let transactionHash = "";
  for (let nonce = 0; nonce < LARGE_TRANSACTIONS; nonce++) {
    const { result } = await executeWork(chain.url, BigInt(nonce), work);
    transactionHash = (result as { transaction_hash?: string } | undefined)?.transaction_hash ?? "";
  }
  const found = await rawCall(chain.url, "starknet_getClassHashAt", ["latest", largeContract(0)]);
  return {
    transactionHash,
    classHash: String(found.result),
    contract: HOSTILE_ADDRESS,
    calldata: tail.slice(0, 1_000).map(hexFromFelt),
  };
}

/**
 * Sends a batch again if the node refuses a part of it that it could not start within its timeout,
 * as it may on a busy machine. @returns the last response; a refusal if one came too early
 */
async function startedBatch(url: string, body: string, endMs: number): Promise<string> {
  for (;;) {
    const startMs = performance.now();
    const text = await (await fetch(url, { method: "POST", body })).text();
    const nowMs = performance.now();
    const isLate = nowMs - startMs >= TIMEOUT_MS && nowMs < endMs;
    if (!isLate || !text.includes('"code":-32005')) return text;
  }
}

/** A lone indexer that reads its responses. @returns its errors */
async function indexerFaults({ url }: RunningChain, scale: AttackScale): Promise<string[]> {
  const endMs = performance.now() + stallBoundMs(INDEXER_MS);
  const faults = await Promise.all(
    Array.from({ length: HONEST_BATCHES[scale] }, async (_, first) => {
      const body = batchOf(CLASSES_OF_BATCH, (id) =>
        requestOf(id, "getClassAt", ["latest", largeContract((first + id) % CLASSES)]),
      );
      const text = await startedBatch(url, body, endMs);
      const end = text.slice(-300);
      return text.length > CLASSES_OF_BATCH * 1e6 ? [] : [`an indexer was told ${end}`];
    }),
  );
  return faults.flat().slice(0, 1);
}

interface Phase {
  readonly name: string;
  readonly bodies: readonly string[];
  readonly forMs: number;
}

/** Phases with each served method, single and in batches; in small all methods share a flood. */
function methodPhases(world: HoardWorld, scale: AttackScale): readonly Phase[] {
  const [newest] = createMethodTables();
  const names = [...newest.methods.keys(), ...newest.extensions.keys()];
  const phases = names.flatMap((name): readonly Phase[] => {
    const params = methodParams(name, world);
    const alone = JSON.stringify(requestOf(0, name, params));
    const length = Math.max(1, Math.min(BATCH_LENGTH, Math.floor(2_000_000 / alone.length)));
    const batch = batchOf(length, (id) => requestOf(id, name, params));
    return [
      { name: `${name} alone`, bodies: [alone], forMs: METHOD_MS.full },
      { name: `${name} in batches`, bodies: [batch], forMs: METHOD_MS.full },
    ];
  });
  if (scale === "full") return phases;
  const bodies = phases.flatMap((phase) => phase.bodies);
  return [{ name: `${names.length} methods`, bodies, forMs: METHOD_MS.small }];
}

async function attack(chain: RunningChain, scale: AttackScale): Promise<AttackReport> {
  const world = await makeWorld(chain);
  const memory = new MemoryWatch(chain.pid);
  const faults: string[] = [];
  const told: string[] = [];
  let peakBytes = 0;
  await probe(chain, PROBE_PAUSE_MS);
  faults.push(...(await indexerFaults(chain, scale)));
  const slow: Phase = { name: "slow batches", bodies: slowBatches(), forMs: FLOOD_MS[scale] };
  for (const { name, bodies, forMs } of [slow, ...methodPhases(world, scale)]) {
    memory.takePeak();
    // Other programs may have started since the last phase.
    const mostMs = stallBoundMs(WAIT_MS);
    const worker = new Worker(new URL("hoarded-answers.worker.ts", import.meta.url));
    worker.postMessage({
      port: chain.rpcPort,
      connections: CONNECTIONS[scale],
      bodies,
      readerOf: READER_OF,
    } satisfies HoardOrder);
    const { main, waitMs, probes, errors } = await probe(chain, forMs);
    await endHoard(worker);
    await connectionsEnded(chain.rpcPort, scale);
    const bytes = memory.takePeak();
    peakBytes = Math.max(peakBytes, bytes);
    const shown = `${name}: ${Math.round(bytes / 1e6)} MB, ${probes} honest requests, at most ${Math.round(main)} ms of the main thread and ${Math.round(waitMs)} ms`;
    const isHeld = bytes < MOST_BYTES && main < MAIN_MS && waitMs < mostMs && errors.length === 0;
    if (!isHeld) faults.push([shown, ...errors.slice(0, 1)].join(", "));
    else if (scale === "small" || name === slow.name) told.push(shown);
  }
  memory.stop();
  const figures = [`at most ${Math.round(peakBytes / 1e6)} MB`, ...told, ...faults].join("; ");
  return { held: faults.length === 0, figures };
}

/**
 * Hundreds of connections of one address that request more than the process may buffer for them.
 */
export const HOARDED_ANSWERS: Attack = {
  name: "hoarded-answers",
  about: "an address that requests large responses without reading them does not fill memory",
  async run(scale) {
    using folder = temporaryFolder();
    const chain = await startChain({
      basePath: folder.path,
      chainConfig: writeLargeClasses(folder.path, CLASSES),
      args: ["--dev-accounts", "2", "--log-level", "warn"],
    });
    try {
      return await attack(chain, scale);
    } finally {
      await chain.stop("SIGKILL");
    }
  },
};

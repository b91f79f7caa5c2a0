import { selectorFromName } from "#protocol/crypto/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { record } from "#test/contracts/hostile/contract.ts";
import { rawCall, type RunningChain, startChain } from "#test/helpers/binary.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { HOSTILE_ACCOUNTS, hostileCall, writeHostileConfig } from "#test/helpers/hostile-config.ts";
import { RawConnection, rawPost, rpcBody } from "#test/helpers/raw-http.ts";
import { STRK } from "#test/helpers/tokens.ts";
import { type Attack, type AttackReport, type AttackScale, boundMs } from "./attack.ts";

/** On a quiet machine an honest query takes less than 0.3 s during any of the floods. */
const LONGEST_WAIT_MS = 2_000;
/** Factor for a busy machine, relative to the time without a flood. */
const SLOWNESS = 20;
/** How long honest clients are measured during each flood. */
const PROBE_MS = { small: 500, full: 10_000 } as const;
const WARM_UP_MS = 300;
const PROBE_PAUSE_MS = 20;
/** Rounds that take about half a second on a quiet machine. */
const HALF_A_SECOND = { operation: "pedersen", rounds: 150_000 } as const;
/** More rounds than the gas allows. */
const ENDLESS = 10_000_000;
/** More than the number of query threads on a machine with few cores. */
const CALLS_AT_ONCE = 4;
/** By then long calls are running, and none is near its end. */
const BEGUN_MS = 100;
/** A hundredth of half a second. */
const TRANSACTION_ROUNDS = 1_500;
/** Default limits of a node: requests of a batch, and transactions of an estimate. */
const BATCH_LENGTH = 1_024;
const TRANSACTIONS = 100;
const CONNECTIONS = 50;
const BATCHES = 10;

/** A body that is repeated over a number of connections. */
interface Flood {
  readonly name: string;
  readonly connections: number;
  /** @param index - of the connection */
  readonly bodyOf: (index: number) => string;
}

const longCall = (extra: number): unknown => ({
  method: "starknet_call",
  params: hostileCall(HALF_A_SECOND.operation, HALF_A_SECOND.rounds + extra),
});

const batchOf = (length: number, requestOf: (index: number) => unknown): string =>
  JSON.stringify(
    Array.from({ length }, (_, id) => ({ jsonrpc: "2.0", id, ...(requestOf(id) as object) })),
  );

const bound = { max_amount: "0x0", max_price_per_unit: "0x0" };

/** A transaction of the hostile account whose execution does some work. */
const workingInvoke = (nonce: number) => ({
  type: "INVOKE",
  version: "0x3",
  signature: [],
  nonce: hexFromFelt(BigInt(nonce)),
  sender_address: hexFromFelt(HOSTILE_ACCOUNTS.estimate),
  calldata: [
    ...record("steps", { count: 0 }),
    ...record(HALF_A_SECOND.operation, { count: TRANSACTION_ROUNDS }),
  ].map(hexFromFelt),
  account_deployment_data: [],
  resource_bounds: { l1_gas: bound, l1_data_gas: bound, l2_gas: bound },
  tip: "0x0",
  paymaster_data: [],
  nonce_data_availability_mode: "L1",
  fee_data_availability_mode: "L1",
});

function floodsOf(classHash: string): readonly Flood[] {
  const calls = (): string => batchOf(BATCH_LENGTH, longCall);
  const classes = (): string =>
    batchOf(BATCH_LENGTH, () => ({ method: "starknet_getClass", params: ["latest", classHash] }));
  const transactions = Array.from({ length: TRANSACTIONS }, (_, nonce) => workingInvoke(nonce));
  const estimate = (): string =>
    batchOf(1, () => ({
      method: "starknet_estimateFee",
      params: [transactions, ["SKIP_VALIDATE"], "latest"],
    }));
  const single = (index: number): string => batchOf(1, () => longCall(index));
  const alone: readonly Flood[] = [
    { name: "a batch of calls", connections: 1, bodyOf: calls },
    { name: "single calls", connections: CONNECTIONS, bodyOf: single },
    { name: "batches of calls", connections: BATCHES, bodyOf: calls },
    { name: "batches of getClass", connections: BATCHES, bodyOf: classes },
    { name: "estimates", connections: BATCHES, bodyOf: estimate },
  ];
  const connections = alone.reduce((sum, flood) => sum + flood.connections, 0);
  const bodies = alone.flatMap((flood) =>
    Array.from({ length: flood.connections }, (_, i) => () => flood.bodyOf(i)),
  );
  return [
    ...alone,
    { name: "all at once", connections, bodyOf: (index) => bodies[index]?.() ?? "" },
  ];
}

/** Sends a flood until it is aborted; pending requests are abandoned. */
async function send(url: string, flood: Flood, signal: AbortSignal): Promise<void> {
  const one = async (index: number): Promise<void> => {
    const body = flood.bodyOf(index);
    const headers = { "content-type": "application/json" };
    while (!signal.aborted) {
      const answer = await fetch(url, { method: "POST", headers, body, signal });
      await answer.arrayBuffer();
    }
  };
  await Promise.allSettled(Array.from({ length: flood.connections }, (_, i) => one(i)));
}

/** Longest waits of honest clients, and the errors that they got. */
interface Waits {
  readonly slowestMs: Record<string, number>;
  readonly errors: string[];
}

/** Sends an honest client's requests repeatedly, over one shared or separate connections. */
async function probe(chain: RunningChain, forMs: number): Promise<Waits> {
  const account = chain.accounts[0]?.address;
  const selector = hexFromFelt(selectorFromName("balance_of"));
  const request = { contract_address: STRK, entry_point_selector: selector, calldata: [account] };
  const questions: readonly (readonly [string, readonly unknown[]])[] = [
    ["call", [request, "latest"]],
    ["getClassAt", ["latest", account]],
  ];
  const waits: Waits = { slowestMs: {}, errors: [] };
  const endMs = performance.now() + forMs;
  const client = async (method: string, params: unknown, isKept: boolean): Promise<void> => {
    let connection: RawConnection | undefined;
    while (performance.now() < endMs) {
      const startedMs = performance.now();
      connection ??= await RawConnection.open(chain.rpcPort);
      connection.send(rawPost(rpcBody(1, method, params)));
      const [response] = await connection.responses(1);
      const tookMs = performance.now() - startedMs;
      waits.slowestMs[method] = Math.max(waits.slowestMs[method] ?? 0, tookMs);
      if (response?.body.includes('"result"') !== true) {
        waits.errors.push(`${method}: ${response?.body ?? "no answer"}`);
      }
      if (!isKept) {
        connection.close();
        connection = undefined;
      }
      await Bun.sleep(PROBE_PAUSE_MS);
    }
    connection?.close();
  };
  await Promise.all(
    questions.flatMap(([method, params]) => [
      client(method, params, true),
      client(method, params, false),
    ]),
  );
  return waits;
}

const slowestOf = ({ slowestMs }: Waits): number => Math.max(...Object.values(slowestMs));

function shown({ slowestMs, errors }: Waits): string {
  const waits = Object.entries(slowestMs).map(([method, ms]) => `${method} ${Math.round(ms)} ms`);
  return [...waits, ...errors.slice(0, 1)].join(", ");
}

/**
 * Sends long calls that are new to the node, and then an honest request.
 *
 * @returns whether the honest client got its response before any of them
 */
async function isAnsweredFirst({ url, rpcPort, accounts }: RunningChain): Promise<boolean> {
  let answered = 0;
  const body = rawPost(rpcBody(1, "call", hostileCall(HALF_A_SECOND.operation, ENDLESS)));
  const ask = async (): Promise<RawConnection> => {
    const connection = await RawConnection.open(rpcPort);
    void connection
      .send(body)
      .responses(1)
      .then(({ length }) => (answered += length));
    return connection;
  };
  const asking = await Promise.all(Array.from({ length: CALLS_AT_ONCE }, ask));
  await Bun.sleep(BEGUN_MS);
  await rawCall(url, "starknet_getClassAt", ["latest", accounts[0]?.address]);
  const isFirst = answered === 0;
  for (const connection of asking) connection.close();
  return isFirst;
}

async function attack(chain: RunningChain, scale: AttackScale): Promise<AttackReport> {
  const found = await rawCall(chain.url, "starknet_getClassHashAt", ["latest", STRK]);
  await probe(chain, WARM_UP_MS);
  let held = await isAnsweredFirst(chain);
  const alone = await probe(chain, PROBE_MS[scale]);
  const waitMs = Math.max(boundMs(scale, LONGEST_WAIT_MS), SLOWNESS * slowestOf(alone));
  const parts = [`${held ? "" : "(the last thread was taken) "}nothing: ${shown(alone)}`];
  for (const flood of floodsOf(String(found.result))) {
    const end = new AbortController();
    const sending = send(chain.url, flood, end.signal);
    const waits = await probe(chain, PROBE_MS[scale]);
    end.abort();
    await sending;
    parts.push(`${flood.name}: ${shown(waits)}`);
    held &&= waits.errors.length === 0 && slowestOf(waits) < waitMs;
  }
  return { held, figures: `slowest honest queries beside ${parts.join("; ")}` };
}

/** Long queries, in batches, over many connections, with large responses. */
export const QUERY_FLOOD: Attack = {
  name: "query-flood",
  about: "floods of long queries do not delay short queries of other clients",
  async run(scale) {
    using folder = temporaryFolder();
    const chainConfig = writeHostileConfig(folder.path);
    const chain = await startChain({
      basePath: folder.path,
      chainConfig,
      args: ["--dev-accounts", "2"],
    });
    try {
      return await attack(chain, scale);
    } finally {
      await chain.stop();
    }
  },
};

/**
 * A fork whose origin takes 50 ms for each response: time and requests to the origin of the start, of the first
 * ERC-20 transfer, of the second by another account, and of the hundredth, from submission to acceptance, all to
 * one recipient; then of one to a fresh recipient, whose balance must be requested. The time of the hundredth is
 * the median of it and the 19 before, which the nodes execute in turns, so that other work on the machine affects
 * all of them. Next to a chain of our own that is no fork and, if `PEER` names
 * starknet-devnet 0.10.1, next to its fork of the same origin. All accounts are those of the origin. Prints
 * milliseconds and requests, medians of the rounds.
 *
 * Arguments: rounds (default 3), delay of the origin in milliseconds (default 50), time from the start of a node
 * until the first transfer in milliseconds (default 1000); requests meanwhile count as those of the start.
 */
import { freePort, rawCall, startChain } from "#test/helpers/binary.ts";
import { ORIGIN_FAULTS } from "#test/helpers/fork/origin-faults.ts";
import { type OriginProxy, startOriginProxy } from "#test/helpers/fork/origin-proxy.ts";
import { DEVNET_PRICES } from "#test/helpers/fork/starknet-devnet.ts";
import { type Signer, signedTransfer } from "#test/helpers/load.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { median } from "./pairs.ts";

const [rounds = 3, delayMs = 50, pauseMs = 1000] = process.argv.slice(2).map(Number);
const CHAIN = "APPCHAIN_DEVNET";
/** Transfers between the second and those that give the time of the hundredth, and the number of the latter. */
const BETWEEN = 78n;
const LAST = 20;
const POLL_MS = 1;

/** Figures of one transfer. */
interface Figure {
  readonly ms: number;
  /** HTTP requests to the origin. */
  readonly requests: number;
}

/** A node that responds, with the accounts of the origin. */
interface Started extends AsyncDisposable {
  readonly url: string;
  /** Between it and the origin; `undefined` if it is no fork. */
  readonly proxy: OriginProxy | undefined;
}

const RECIPIENT = 0x20_0000_0000n;
const FRESH = RECIPIENT + 1n;

/** Sends a transfer, and waits until its block is accepted. */
async function transfer(
  url: string,
  signer: Signer,
  nonce: bigint,
  recipient: bigint,
): Promise<void> {
  const { body, hash } = signedTransfer(CHAIN, signer, nonce, recipient);
  const headers = { "content-type": "application/json" };
  const sent = await (await fetch(url, { method: "POST", headers, body })).text();
  if (!sent.includes("transaction_hash")) throw new TypeError(sent);
  const params = [`0x${hash.toString(16)}`];
  for (;;) {
    const { result } = await rawCall(url, "starknet_getTransactionReceipt", params);
    const receipt = result as { finality_status: string; execution_status: string } | undefined;
    if (receipt?.execution_status === "REVERTED") throw new TypeError(JSON.stringify(receipt));
    if (receipt?.finality_status === "ACCEPTED_ON_L2") return;
    await Bun.sleep(POLL_MS);
  }
}

/** A node of a round with its figures so far, in order. */
interface Measured {
  readonly name: string;
  readonly node: Started;
  readonly figures: Figure[];
}

/** Measures a transfer of a node. */
async function timed(
  { url, proxy }: Started,
  signer: Signer,
  nonce: bigint,
  recipient = RECIPIENT,
): Promise<Figure> {
  const before = proxy?.requests.length ?? 0;
  const startMs = performance.now();
  await transfer(url, signer, nonce, recipient);
  const ms = performance.now() - startMs;
  return { ms, requests: (proxy?.requests.length ?? 0) - before };
}

type Start = (origin: string) => Promise<Started>;

const ours: Start = async (origin) => {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder());
  const proxy = stack.use(await startOriginProxy(origin));
  proxy.add(ORIGIN_FAULTS.slow(delayMs));
  const args = ["--fork-url", `${proxy.url}/rpc/v0_10`, "--dev-seed", "99", "--dev-accounts", "1"];
  const chain = await startChain({ basePath: folder.path, args });
  stack.defer(async () => void (await chain.stop()));
  return { url: chain.url, proxy, [Symbol.asyncDispose]: () => stack.disposeAsync() };
};

const unforked: Start = async () => {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder());
  const chain = await startChain({ basePath: folder.path });
  stack.defer(async () => void (await chain.stop()));
  return { url: chain.url, proxy: undefined, [Symbol.asyncDispose]: () => stack.disposeAsync() };
};

function peerOf(program: string): Start {
  return async (origin) => {
    const stack = new AsyncDisposableStack();
    const proxy = stack.use(await startOriginProxy(origin));
    proxy.add(ORIGIN_FAULTS.slow(delayMs));
    const port = await freePort();
    const fork = ["--fork-network", `${proxy.url}/rpc/v0_10`];
    const args = ["--port", String(port), ...DEVNET_PRICES, ...fork];
    const child = Bun.spawn([program, ...args], {
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
    });
    stack.defer(async () => {
      child.kill();
      await child.exited;
    });
    const url = `http://127.0.0.1:${port}`;
    while (!(await isAlive(url))) await Bun.sleep(20);
    return { url, proxy, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  };
}

function isAlive(url: string): Promise<boolean> {
  return fetch(`${url}/is_alive`).then(
    ({ ok }) => ok,
    () => false,
  );
}

const peer = process.env["PEER"];
const starts: readonly (readonly [string, Start])[] = [
  ["fork", ours],
  ...(peer === undefined ? [] : [["starknet-devnet's fork", peerOf(peer)] as const]),
  ["no fork", unforked],
];

/** Starts each node, and measures its start and first transfers before the next one starts. */
async function begin(
  [name, start]: readonly [string, Start],
  origin: string,
  nodes: AsyncDisposableStack,
): Promise<Measured> {
  const startedMs = performance.now();
  const node = nodes.use(await start(origin));
  const ms = performance.now() - startedMs;
  await Bun.sleep(pauseMs);
  const figures: Figure[] = [{ ms, requests: node.proxy?.requests.length ?? 0 }];
  figures.push(await timed(node, one, 0n), await timed(node, other, 0n));
  return { name, node, figures };
}

/** Measures all nodes once. */
async function round(origin: string): Promise<readonly Measured[]> {
  await using nodes = new AsyncDisposableStack();
  const measured: Measured[] = [];
  for (const each of starts) measured.push(await begin(each, origin, nodes));
  // In turns as well: a node that has waited for others is slower for a while.
  for (let nonce = 1n; nonce <= BETWEEN; nonce++) {
    for (const { node } of measured) await transfer(node.url, one, nonce, RECIPIENT);
  }
  const last = new Map<Measured, Figure[]>(measured.map((each) => [each, []]));
  let nonce = BETWEEN + 1n;
  for (let sent = 0; sent < LAST; sent++, nonce++) {
    const order = sent % 2 === 0 ? measured : measured.toReversed();
    for (const each of order) last.get(each)?.push(await timed(each.node, one, nonce));
  }
  for (const [{ node, figures }, all] of last) {
    const ms = median(all.map((each) => each.ms));
    figures.push({ ms, requests: all.at(-1)?.requests ?? 0 });
    figures.push(await timed(node, one, nonce, FRESH));
  }
  return measured;
}

using folder = temporaryFolder();
const origin = await startChain({ basePath: folder.path });
const [one, other] = [origin.signer(0), origin.signer(1)];
const figures = new Map<string, Figure[][]>(starts.map(([name]) => [name, []]));
for (let made = 0; made < rounds; made++) {
  for (const measured of await round(origin.url)) {
    figures.get(measured.name)?.push(measured.figures);
  }
}
await origin.stop();
console.log(`origin: ${delayMs} ms a response; medians of ${rounds} rounds`);
for (const [name, all] of figures) {
  const parts = [
    "start",
    "first",
    "second, by another account",
    "hundredth",
    "to a fresh recipient",
  ].map((what, at) => {
    const of = (part: keyof Figure) => median(all.map((each) => each[at]?.[part] ?? 0));
    return `${what} ${of("ms").toFixed(1)} ms, ${of("requests")} requests`;
  });
  console.log(`${name}: ${parts.join("; ")}`);
}

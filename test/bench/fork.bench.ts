/**
 * A fork whose origin takes 50 ms for each response: time and requests to the origin of the first
 * ERC-20 transfer, of the second by another account, and of the hundredth, from submission to
 * acceptance, all to one recipient; then of one to a fresh recipient, whose balance must be
 * requested. Next to a chain of our own that is no fork and, if `PEER` names starknet-devnet 0.10.1,
 * next to its fork of the same origin. All accounts are those of the origin. Prints milliseconds and
 * requests, medians of the rounds.
 *
 * Arguments: rounds (default 3), delay of the origin in milliseconds (default 50).
 */
import { freePort, rawCall, startChain } from "#test/helpers/binary.ts";
import { ORIGIN_FAULTS } from "#test/helpers/fork/origin-faults.ts";
import { type OriginProxy, startOriginProxy } from "#test/helpers/fork/origin-proxy.ts";
import { type Signer, signedTransfer } from "#test/helpers/load.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { DEVNET_PRICES } from "./compare/server.ts";
import { median } from "./pairs.ts";

const [rounds = 3, delayMs = 50] = process.argv.slice(2).map(Number);
const CHAIN = "APPCHAIN_DEVNET";
/** Transfers before the last one: the hundredth. */
const BETWEEN = 97;
const POLL_MS = 1;

/** Figures of one transfer. */
interface Figure {
  readonly ms: number;
  /** HTTP requests to the origin. */
  readonly requests: number;
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

/** Measures the first, the second by another account, the hundredth transfer, and one to a fresh recipient. */
async function measure(
  url: string,
  [one, other]: readonly [Signer, Signer],
  proxy: OriginProxy | undefined,
): Promise<Figure[]> {
  const timed = async (signer: Signer, nonce: bigint, recipient = RECIPIENT): Promise<Figure> => {
    const before = proxy?.requests.length ?? 0;
    const startMs = performance.now();
    await transfer(url, signer, nonce, recipient);
    const ms = performance.now() - startMs;
    return { ms, requests: (proxy?.requests.length ?? 0) - before };
  };
  const first = await timed(one, 0n);
  const second = await timed(other, 0n);
  for (let nonce = 1; nonce <= BETWEEN; nonce++) {
    await transfer(url, one, BigInt(nonce), RECIPIENT);
  }
  const hundredth = await timed(one, BigInt(BETWEEN + 1));
  return [first, second, hundredth, await timed(one, BigInt(BETWEEN + 2), FRESH)];
}

type Variant = (origin: string, signers: readonly [Signer, Signer]) => Promise<Figure[]>;

const ours: Variant = async (origin, signers) => {
  using folder = temporaryFolder();
  await using proxy = await startOriginProxy(origin);
  proxy.add(ORIGIN_FAULTS.slow(delayMs));
  const args = ["--fork-url", `${proxy.url}/rpc/v0_10`, "--dev-seed", "99", "--dev-accounts", "1"];
  const chain = await startChain({ basePath: folder.path, args });
  try {
    return await measure(chain.url, signers, proxy);
  } finally {
    await chain.stop();
  }
};

const unforked: Variant = async (_origin, signers) => {
  using folder = temporaryFolder();
  const chain = await startChain({ basePath: folder.path });
  try {
    return await measure(chain.url, signers, undefined);
  } finally {
    await chain.stop();
  }
};

function peerOf(program: string): Variant {
  return async (origin, signers) => {
    await using proxy = await startOriginProxy(origin);
    proxy.add(ORIGIN_FAULTS.slow(delayMs));
    const port = await freePort();
    const fork = ["--fork-network", `${proxy.url}/rpc/v0_10`];
    const args = ["--port", String(port), ...DEVNET_PRICES, ...fork];
    const child = Bun.spawn([program, ...args], {
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
    });
    const url = `http://127.0.0.1:${port}`;
    try {
      while (!(await isAlive(url))) await Bun.sleep(20);
      return await measure(url, signers, proxy);
    } finally {
      child.kill();
      await child.exited;
    }
  };
}

function isAlive(url: string): Promise<boolean> {
  return fetch(`${url}/is_alive`).then(
    ({ ok }) => ok,
    () => false,
  );
}

const peer = process.env["PEER"];
const variants: readonly (readonly [string, Variant])[] = [
  ["fork", ours],
  ...(peer === undefined ? [] : [["starknet-devnet's fork", peerOf(peer)] as const]),
  ["no fork", unforked],
];
using folder = temporaryFolder();
const origin = await startChain({ basePath: folder.path });
const signers = [origin.signer(0), origin.signer(1)] as const;
const figures = new Map<string, Figure[][]>(variants.map(([name]) => [name, []]));
for (let round = 0; round < rounds; round++) {
  for (const [name, variant] of variants) {
    figures.get(name)?.push(await variant(origin.url, signers));
  }
}
await origin.stop();
console.log(`origin: ${delayMs} ms a response; medians of ${rounds} rounds`);
for (const [name, all] of figures) {
  const parts = ["first", "second, by another account", "hundredth", "to a fresh recipient"].map(
    (what, at) => {
      const of = (part: keyof Figure) => median(all.map((each) => each[at]?.[part] ?? 0));
      return `${what} ${of("ms").toFixed(1)} ms, ${of("requests")} requests`;
    },
  );
  console.log(`${name}: ${parts.join("; ")}`);
}

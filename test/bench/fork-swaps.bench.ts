/**
 * A fork whose origin takes 50 ms for each response, and swaps in pools of the origin: requests to the origin and
 * milliseconds of the estimate, then of the transaction until its acceptance. In order: the first pool by one
 * account, another pool of the same class by another account, the first pool by a third, and a quote in the first
 * pool as of the block before the fork block, then as of the one before that.
 *
 * Arguments: delay of the origin in milliseconds (default 50), rounds (default 3). Prints medians.
 */
import { join } from "node:path";
import { hash as hashes } from "starknet";
import { contractAddress } from "#protocol/chain/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { rawCall, type RunningChain, startChain } from "#test/helpers/binary.ts";
import { ORIGIN_FAULTS } from "#test/helpers/fork/origin-faults.ts";
import { startOriginProxy } from "#test/helpers/fork/origin-proxy.ts";
import { type SignedCall, signedCalls, type SignedTransfer } from "#test/helpers/load.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { ETH, ONE_TOKEN, STRK } from "#test/helpers/tokens.ts";
import { median } from "./pairs.ts";

const [delayMs = 50, rounds = 3] = process.argv.slice(2).map(Number);
const CHAIN = "APPCHAIN_DEVNET";
const POOL = join(import.meta.dir, "../contracts/pool/pool.sierra.json");
const DEPLOYER = 0x02ceed65a4bd731034c01113685c831b01c15d7d432f71afb1cf1634b53a2125n;
const [strk, eth] = [BigInt(STRK), BigInt(ETH)];

const callTo = (to: bigint, name: string, calldata: readonly bigint[]): SignedCall => ({
  to,
  selector: selectorFromName(name),
  calldata,
});

async function send(url: string, { body, hash }: SignedTransfer): Promise<void> {
  const headers = { "content-type": "application/json" };
  const sent = await (await fetch(url, { method: "POST", headers, body })).text();
  if (!sent.includes("transaction_hash")) throw new TypeError(sent);
  for (;;) {
    const { result } = await rawCall(url, "starknet_getTransactionReceipt", [
      `0x${hash.toString(16)}`,
    ]);
    const receipt = result as { finality_status: string; execution_status: string } | undefined;
    if (receipt?.execution_status === "REVERTED") throw new TypeError(JSON.stringify(receipt));
    if (receipt?.finality_status === "ACCEPTED_ON_L2") return;
    await Bun.sleep(1);
  }
}

/** Deploys two pools and funds them. @returns their addresses */
async function deployPools(origin: RunningChain): Promise<readonly bigint[]> {
  const sierra = await Bun.file(POOL).json();
  const abi = JSON.parse(sierra.abi);
  const classHash = BigInt(hashes.computeContractClassHash(JSON.stringify({ ...sierra, abi })));
  const salts = [1n, 2n];
  const pools = salts.map((salt) => contractAddress(0n, salt, classHash, [strk, eth]));
  const calls = salts.flatMap((salt, index) => {
    const pool = pools[index] ?? 0n;
    return [
      callTo(DEPLOYER, "deploy_contract", [classHash, salt, 0n, 2n, strk, eth]),
      callTo(strk, "transfer", [pool, 100n * ONE_TOKEN, 0n]),
      callTo(eth, "transfer", [pool, ONE_TOKEN, 0n]),
    ];
  });
  await send(origin.url, signedCalls(CHAIN, origin.signer(9), 0n, calls));
  for (const nonce of [1n, 2n, 3n]) {
    const transfer = callTo(strk, "transfer", [pools[0] ?? 0n, 1n, 0n]);
    await send(origin.url, signedCalls(CHAIN, origin.signer(9), nonce, [transfer]));
  }
  return pools;
}

function swap(pool: bigint): readonly SignedCall[] {
  const amount = [ONE_TOKEN, 0n];
  return [
    callTo(strk, "approve", [pool, ...amount]),
    callTo(pool, "swap", [strk, ...amount, 1n, 0n]),
  ];
}

using folder = temporaryFolder();
const origin = await startChain({ basePath: folder.path, args: ["--predeclare-class", POOL] });
const [one = 0n, two = 0n] = await deployPools(origin);
const figures = new Map<string, { ms: number; requests: number }[]>();

async function round(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const forkFolder = stack.use(temporaryFolder());
  const proxy = stack.use(await startOriginProxy(origin.url));
  proxy.add(ORIGIN_FAULTS.slow(delayMs));
  const args = ["--fork-url", `${proxy.url}/rpc/v0_10`, "--dev-seed", "99", "--dev-accounts", "1"];
  const fork = await startChain({ basePath: forkFolder.path, args });
  stack.defer(async () => void (await fork.stop()));
  await Bun.sleep(1000);
  const timed = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    const before = proxy.requests.length;
    const startMs = performance.now();
    await work();
    const figure = { ms: performance.now() - startMs, requests: proxy.requests.length - before };
    figures.set(name, [...(figures.get(name) ?? []), figure]);
    await Bun.sleep(300);
  };
  const steps = [
    ["first pool", one, 0],
    ["second pool", two, 1],
    ["first pool again", one, 2],
  ] as const;
  for (const [name, pool, account] of steps) {
    const signed = signedCalls(CHAIN, origin.signer(account), 0n, swap(pool));
    const [transaction] = JSON.parse(signed.body).params;
    if (process.env["NO_ESTIMATE"] === undefined) {
      await timed(`${name}, estimate`, async () => {
        const params = [[transaction], [], "latest"];
        const { error } = await rawCall(fork.url, "starknet_estimateFee", params);
        if (error !== undefined) throw new TypeError(JSON.stringify(error));
      });
    }
    await timed(`${name}, transaction`, () => send(fork.url, signed));
  }
  const { result: newest } = await rawCall(origin.url, "starknet_blockNumber");
  for (const back of [1, 2]) {
    await timed(`quote ${back} blocks below`, async () => {
      const request = {
        contract_address: `0x${one.toString(16)}`,
        entry_point_selector: `0x${selectorFromName("quote").toString(16)}`,
        calldata: [STRK, "0x64", "0x0"],
      };
      const block = { block_number: Number(newest) - back };
      const { error } = await rawCall(fork.url, "starknet_call", [request, block]);
      if (error !== undefined) throw new TypeError(JSON.stringify(error));
    });
  }
}

for (let made = 0; made < rounds; made++) await round();
await origin.stop();
console.log(`origin: ${delayMs} ms a response; medians of ${rounds} rounds`);
for (const [name, all] of figures) {
  const ms = median(all.map((each) => each.ms)).toFixed(0);
  console.log(`${name}: ${median(all.map((each) => each.requests))} requests, ${ms} ms`);
}

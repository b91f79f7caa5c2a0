import { hexFromFelt } from "#base/primitives/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { rawCall, startChain } from "#test/helpers/binary.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { record } from "#test/contracts/hostile/contract.ts";
import { HonestLoad } from "#test/helpers/honest-load.ts";
import { executeWork, simulateWork } from "#test/helpers/hostile-clients.ts";
import { HOSTILE_ACCOUNTS, writeHostileConfig } from "#test/helpers/hostile-config.ts";
import { MemoryWatch } from "#test/helpers/memory-watch.ts";
import { type Attack, boundMs } from "./attack.ts";

/** What an honest client's request may take, on a machine that does other things, too. */
const HONEST_MS = 10_000;
/** A machine's cells, what its calls hand over, and two traces as large as an answer may be. */
const MEMORY_BYTES = 2_500 * 2 ** 20;

/** Felts that each inner call is given; the most that a transaction's calldata takes. */
const LENGTH = 4_900;
/** Calls of one transaction: together they are given 300 MiB. */
const CALLS = 2_000;

const TAIL = Array.from({ length: LENGTH }, (_, i) => BigInt(i) << 200n);
const CALLED = { b: selectorFromName("run"), count: CALLS };
const LARGE = [
  ...record("call_contract", { a: HOSTILE_ACCOUNTS.execute, ...CALLED }),
  ...record("steps", { count: 0 }),
  ...TAIL,
];
const SMALL = record("steps", { count: 1 });

const TOO_LARGE = "is larger than an answer may be";

/** One paid transaction that is cheap to send and whose trace nobody can be told. */
export const LARGE_TRACES: Attack = {
  name: "large-traces",
  about: "an included transaction whose calls are given 300 MiB, and its block's traces asked for",

  async run(scale) {
    using folder = temporaryFolder();
    const chain = await startChain({
      basePath: folder.path,
      chainConfig: writeHostileConfig(folder.path),
      // All that is sent together is in one block.
      args: [
        "--dev-accounts",
        "4",
        "--chain-config-override",
        "block_time=4s,blocks_on_demand=false",
      ],
    });
    const { url } = chain;
    const memory = new MemoryWatch(chain.pid);
    const honestMs = boundMs(scale, HONEST_MS);
    const problems: string[] = [];
    try {
      const hashes: string[] = [];
      for (const [nonce, work] of [SMALL, LARGE, SMALL].entries()) {
        const { result, error } = await executeWork(url, BigInt(nonce), work);
        if (error !== undefined) problems.push(`not received: ${JSON.stringify(error)}`);
        hashes.push((result as { transaction_hash?: string } | undefined)?.transaction_hash ?? "");
      }
      await acceptedAll(url, hashes);
      const honest = new HonestLoad(chain, { chainId: "APPCHAIN_DEVNET", transfersPerSecond: 2 });
      honest.start();
      const startedMs = performance.now();
      const expect = async (what: string, method: string, params: unknown, isLarge: boolean) => {
        const answer = await rawCall(url, `starknet_${method}`, params);
        const text = JSON.stringify(answer.error ?? "answered");
        const isRight = isLarge
          ? text.includes(TOO_LARGE) && text.includes(short(hashes[1]))
          : answer.error === undefined;
        if (!isRight) problems.push(`${what}: ${text.slice(0, 300)}`);
      };
      const [first, large, last] = hashes;
      const block = await blockOf(url, large);
      if ((await blockOf(url, first)) !== block || (await blockOf(url, last)) !== block) {
        problems.push("the transactions are in several blocks");
      }
      const rounds = scale === "small" ? 1 : 10;
      for (let round = 0; round < rounds; round++) {
        await Promise.all([
          expect("the one after it", "traceTransaction", [last], false),
          expect("it", "traceTransaction", [large], true),
          expect("its block", "traceBlockTransactions", [{ block_number: block }], true),
          expect("the one before it", "traceTransaction", [first], false),
        ]);
      }
      const tookMs = Math.round(performance.now() - startedMs);
      const simulated = JSON.stringify(await simulateWork(url, LARGE)).slice(0, 300);
      if (!simulated.includes(`at index 0 ${TOO_LARGE}`)) problems.push(`simulated: ${simulated}`);
      const { slowestMs, errors } = await honest.stop();
      const slowest = Math.round(Math.max(...Object.values(slowestMs)));
      const peakBytes = memory.takePeak();
      if (slowest > honestMs) problems.push(`an honest request took ${slowest} ms`);
      if (errors.length > 0) problems.push(`honest clients met ${errors[0]}`);
      if (peakBytes > MEMORY_BYTES) problems.push(`it took ${peakBytes / 2 ** 20} MiB`);
      const figures =
        `${4 * rounds} traces in ${tookMs} ms, honest clients at most ${slowest} ms, ` +
        `${Math.round(peakBytes / 2 ** 20)} MiB`;
      return { held: problems.length === 0, figures: [figures, ...problems].join("; ") };
    } finally {
      memory.stop();
      await chain.stop();
    }
  },
};

/** A hash as errors show it. */
function short(hash: string | undefined): string {
  return hexFromFelt(BigInt(hash === undefined || hash === "" ? 0 : hash));
}

async function acceptedAll(url: string, hashes: readonly string[]): Promise<void> {
  for (const hash of hashes) {
    for (let i = 0; i < 1_000; i++) {
      const { result } = await rawCall(url, "starknet_getTransactionReceipt", [hash]);
      const status = (result as { finality_status?: string } | undefined)?.finality_status;
      if (status === "ACCEPTED_ON_L2") break;
      await Bun.sleep(50);
    }
  }
}

async function blockOf(url: string, hash: string | undefined): Promise<number> {
  const { result } = await rawCall(url, "starknet_getTransactionReceipt", [hash]);
  return (result as { block_number?: number } | undefined)?.block_number ?? -1;
}

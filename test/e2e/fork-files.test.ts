import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { faultsOf, type ReadOutcome, readsOf, sendReads } from "#test/attack/fork-reads.ts";
import { ASYNC_SUBMISSION, resultOf, type RunningChain } from "#test/helpers/binary.ts";
import { ORIGIN_FAULTS } from "#test/helpers/fork/origin-faults.ts";
import { type OriginProxy, startOriginProxy } from "#test/helpers/fork/origin-proxy.ts";
import { type SpreadOrigin, startSpreadOrigin } from "#test/helpers/fork/spread-origin.ts";
import { refusedStart } from "#test/helpers/refused-start.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { NO_ESTIMATE, transferCall } from "#test/helpers/tokens.ts";
import { untilTrue } from "#test/helpers/until-true.ts";
import { useChains, useStoppedChain } from "#test/helpers/use-chain.ts";

const KILLS = bySize({ quick: 1, full: 20 });
const TRANSFERS = bySize({ quick: 4, full: 40 });

/** Calls by which a start checks the origin, with or without a response. */
const GREETING = new Set(["specVersion", "chainId", "blockNumber", "getBlockWithTxHashes"]);

const start = useChains();
afterEach(() => proxy.honest());
const originFolder = temporaryFolder();
let origin: SpreadOrigin;
let proxy: OriginProxy;
let expected: readonly ReadOutcome["answer"][];

const questions = () => origin.transfers.flatMap((transfer) => readsOf(transfer, origin.forkBlock));

/** Differences between a fork's responses and those of the origin. */
async function faults(url: string): Promise<string[]> {
  const outcomes = await sendReads(url, questions());
  const right = { outcome: "values", origin: proxy.name, boundMs: Infinity } as const;
  return outcomes.flatMap((each, i) => faultsOf(each, { ...right, answer: expected[i] ?? {} }));
}

/** Methods of the requests for values of the origin. */
const requested = (): readonly string[] =>
  proxy.requests
    .flat()
    .map(({ method }) => method)
    .filter((method) => !GREETING.has(method));

/** Another chain with the origin's id and number of blocks. */
async function startOther(): Promise<SpreadOrigin & AsyncDisposable> {
  const folder = temporaryFolder();
  const other = await startSpreadOrigin(folder.path, TRANSFERS, { seed: "2", firstAmount: 1_000 });
  return {
    ...other,
    async [Symbol.asyncDispose]() {
      await other.chain.stop();
      folder[Symbol.dispose]();
    },
  };
}

const hashOf = (chain: RunningChain, block_number: number): Promise<string> =>
  resultOf<{ readonly block_hash: string }>(chain, "starknet_getBlockWithTxHashes", [
    { block_number },
  ]).then(({ block_hash }) => block_hash);

const forkArgs = (): readonly string[] => [
  ...["--fork-url", `${proxy.url}/rpc/v0_10`],
  ...["--fork-block", String(origin.forkBlock)],
  ...["--dev-accounts", "1", "--dev-seed", "99"],
];
const options = () => ({ args: forkArgs(), env: ASYNC_SUBMISSION });

beforeAll(async () => {
  origin = await startSpreadOrigin(originFolder.path, TRANSFERS, { seed: "1", firstAmount: 1 });
  proxy = await startOriginProxy(origin.chain.url);
  expected = (await sendReads(origin.chain.url, questions())).map(({ answer }) => answer);
}, 120_000);
afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await origin.chain.stop();
  originFolder[Symbol.dispose]();
});

describe("the cache of a fork", () => {
  const kept = useStoppedChain(options);
  beforeAll(() => kept.start(), 120_000);

  test("belongs to one node at a time", async () => {
    const { code, output } = await refusedStart(kept.folder.path, options());
    expect(code).toBe(1);
    expect(output).toContain("another process");
    expect(await faults(kept.url)).toEqual([]);
  }, 120_000);

  test("serves a second run without the origin, with equal responses", async () => {
    expect(await faults(kept.url)).toEqual([]);
    const first = await transferred(kept);
    await kept.stop();
    proxy.add(ORIGIN_FAULTS.down());
    proxy.requests.length = 0;
    await kept.start();
    expect(await faults(kept.url)).toEqual([]);
    expect(await transferred(kept)).toBe(first + 1n);
    expect(requested()).toEqual([]);
  }, 120_000);

  test(
    `survives ${KILLS} kills while it is filled`,
    async () => {
      const fork = await start(options());
      for (let i = 0; i < KILLS; i++) {
        const reading = sendReads(fork.url, questions()).catch(() => []);
        await Bun.sleep((i * 37) % 200);
        await fork.stop("SIGKILL");
        await reading;
        await fork.start();
      }
      expect(await faults(fork.url)).toEqual([]);
    },
    60_000 + KILLS * 10_000,
  );

  test("is kept by devnet_restart", async () => {
    const fork = await start(options());
    expect(await faults(fork.url)).toEqual([]);
    expect(await transferred(fork)).toBe(1n);
    proxy.add(ORIGIN_FAULTS.down());
    proxy.requests.length = 0;
    await resultOf(fork, "devnet_restart");
    expect(await faults(fork.url)).toEqual([]);
    expect(await transferred(fork)).toBe(1n);
    expect(requested()).toEqual([]);
  }, 120_000);

  test("is refused for an origin whose fork block has another hash, with both hashes", async () => {
    const fork = await start(options());
    const before = await faults(fork.url);
    await fork.stop();
    await using other = await startOther();
    proxy.add({ lie: ({ honest }) => honest(other.chain.url) });
    const { code, output } = await refusedStart(fork.folder.path, options());
    expect(code).toBe(1);
    const hashes = [origin, other].map(({ chain, forkBlock }) => hashOf(chain, forkBlock));
    for (const hash of await Promise.all(hashes)) expect(output).toContain(hash);
    proxy.honest();
    await fork.start();
    expect([before, await faults(fork.url)]).toEqual([[], []]);
  }, 120_000);

  test("is not stored on a full disk, and the fork continues", async () => {
    using disk = temporaryFolder();
    const mount = (...words: string[]) => Bun.spawnSync(["mount", ...words]).exitCode === 0;
    // The user may lack the permission to mount.
    if (!mount("-t", "tmpfs", "-o", "size=200k", "none", disk.path)) return;
    try {
      const fork = await start((folder) => {
        symlinkSync(join(disk.path, "fork.db"), join(folder.path, "fork.db"));
        return options();
      });
      expect(await faults(fork.url)).toEqual([]);
      expect(
        await untilTrue(() => /values of the fork's origin are not stored/.test(fork.output())),
      ).toBe(true);
      expect(await transferred(fork)).toBe(1n);
      mount("-o", "remount,size=64m", disk.path);
      expect(
        await untilTrue(() => /values of the fork's origin are stored again/.test(fork.output())),
      ).toBe(true);
      await fork.stop();
    } finally {
      Bun.spawnSync(["umount", disk.path]);
    }
  }, 120_000);
});

/** Transfers from the fork's own account. @returns the account's nonce afterwards */
async function transferred(fork: Awaited<ReturnType<typeof start>>): Promise<bigint> {
  const account = fork.account(0);
  const { transaction_hash } = await account.execute(transferCall("0x1a57", 1n), NO_ESTIMATE);
  await account.provider.waitForTransaction(transaction_hash, { retryInterval: 50 });
  const at = ["latest", account.address];
  return BigInt(await resultOf<string>(fork, "starknet_getNonce", at));
}

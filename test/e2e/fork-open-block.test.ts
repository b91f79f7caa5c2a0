import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { hexFromFelt } from "#base/primitives/index.ts";
import { ASYNC_SUBMISSION, resultOf } from "#test/helpers/binary.ts";
import { ORIGIN_FAULTS } from "#test/helpers/fork/origin-faults.ts";
import {
  type OriginProxy,
  type OriginRule,
  startOriginProxy,
} from "#test/helpers/fork/origin-proxy.ts";
import {
  ORIGIN_CHAIN,
  type SpreadOrigin,
  startSpreadOrigin,
} from "#test/helpers/fork/spread-origin.ts";
import { ON_DEMAND } from "#test/helpers/gateway-chain.ts";
import { post, type Submitted } from "#test/helpers/kill-load.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { untilTrue } from "#test/helpers/until-true.ts";
import { useStoppedChain } from "#test/helpers/use-chain.ts";

const TIMEOUT_MS = 120_000;
const TRANSFERS = 2;
/** A recipient whose balance the fork has read. */
const KNOWN = 0x5000n;

const folders = [temporaryFolder(), temporaryFolder()] as const;
const fork = useStoppedChain();
let origin: SpreadOrigin;
/** A chain with the same id, and another block of the fork block's number. */
let other: SpreadOrigin;
let proxy: OriginProxy;

/** What the origin does while a block of the fork is open. */
const FAULTS: Readonly<Record<string, () => OriginRule>> = {
  dies: ORIGIN_FAULTS.down,
  hangs: ORIGIN_FAULTS.hang,
  "is reorganized, or another chain": () => ({ lie: ({ honest }) => honest(other.chain.url) }),
  "prunes the fork block": () => ORIGIN_FAULTS.refuse(24, "Block not found"),
  "breaks each response in half": ORIGIN_FAULTS.half,
};

beforeAll(async () => {
  origin = await startSpreadOrigin(folders[0].path, TRANSFERS, { seed: "1", firstAmount: 1 });
  other = await startSpreadOrigin(folders[1].path, TRANSFERS, { seed: "2", firstAmount: 1_000 });
  proxy = await startOriginProxy(origin.chain.url);
  const source = ["--fork-url", proxy.url, "--fork-timeout", "1s"];
  const accounts = ["--dev-accounts", "3", "--dev-seed", "99"];
  await fork.start({ args: [...source, ...accounts, ...ON_DEMAND], env: ASYNC_SUBMISSION });
}, TIMEOUT_MS);
afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await Promise.all([origin, other].map(({ chain }) => chain.stop()));
  for (const folder of folders) folder[Symbol.dispose]();
});

const nonces = [0n, 0n, 0n];
let fresh = 0x9900_0000n;

/** Sends a transfer of an account of the fork. @returns its hash */
async function send(account: number, recipient: bigint): Promise<string> {
  const nonce = nonces[account] ?? 0n;
  nonces[account] = nonce + 1n;
  const { body, hash } = signedTransfer(ORIGIN_CHAIN, fork.signer(account), nonce, recipient);
  const answer = await post<Submitted>(fork.url, body);
  expect(answer?.error).toBeUndefined();
  return hexFromFelt(hash);
}

/** Transactions of the open block. */
const open = (): Promise<readonly string[]> =>
  resultOf<{ readonly transactions: readonly string[] }>(fork, "starknet_getBlockWithTxHashes", [
    "pre_confirmed",
  ]).then(({ transactions }) => transactions);

/** Waits until the open block has exactly these transactions. */
async function opened(hashes: readonly string[]): Promise<void> {
  const has = async () => Bun.deepEquals((await open()).toSorted(), hashes.toSorted());
  await untilTrue(has);
  expect((await open()).toSorted()).toEqual(hashes.toSorted());
}

async function closed(): Promise<readonly string[]> {
  await resultOf(fork, "devnet_createBlock", {});
  return resultOf<{ readonly transactions: readonly string[] }>(
    fork,
    "starknet_getBlockWithTxHashes",
    ["latest"],
  ).then(({ transactions }) => transactions);
}

describe("while a block of a fork is open and its origin", () => {
  for (const [name, rule] of Object.entries(FAULTS)) {
    test(
      `${name}, the block continues without the transactions that need it, and they follow`,
      async () => {
        const before = await send(0, KNOWN);
        await opened([before]);
        // Reads the values of this account's transfers.
        const known = await send(1, KNOWN);
        await opened([before, known]);

        proxy.add(rule());
        const waiting = await send(0, fresh++);
        const next = await send(1, KNOWN);
        await opened([before, known, next]);
        expect((await closed()).toSorted()).toEqual([before, known, next].toSorted());
        const later = await send(1, KNOWN);
        await opened([later]);

        proxy.honest();
        await opened([later, waiting]);
        expect((await closed()).toSorted()).toEqual([later, waiting].toSorted());
        for (const hash of [before, known, next, later, waiting]) {
          const status = await resultOf(fork, "starknet_getTransactionStatus", [hash]);
          expect(status).toMatchObject({ execution_status: "SUCCEEDED" });
        }
      },
      TIMEOUT_MS,
    );
  }
});

import { beforeAll, expect, test } from "bun:test";
import { declare, LARGE_CLASS, SMALL_CLASS } from "#test/helpers/declares.ts";
import { integerOfEnvironment } from "#test/helpers/environment.ts";
import { residentBytes } from "#test/helpers/memory-watch.ts";
import { createRandom } from "#test/helpers/random.ts";
import {
  ask,
  type RevertableChain,
  revertOnce,
  sendTransfers,
  startRevertableChain,
  type Answer,
} from "#test/helpers/revert-load.ts";
import { SHARED } from "#test/helpers/shared.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { STRK } from "#test/helpers/tokens.ts";
import { useStoppedChain } from "#test/helpers/use-chain.ts";
import { WsClient } from "#test/helpers/ws-client.ts";

/** Duration of the flood. */
const FLOOD_MS = integerOfEnvironment("FLOOD_MS") ?? bySize({ quick: 2_000, full: 4_000 });
const SEED = integerOfEnvironment("FUZZ_SEED") ?? Date.now() % 2 ** 32;
const random = createRandom(SEED);

const stopped = useStoppedChain();
let life: RevertableChain;
beforeAll(async () => {
  life = await startRevertableChain(stopped, ["--admission-threads", "4"]);
}, 60_000);

interface Block {
  readonly block_hash: string;
  readonly block_number: number;
  readonly parent_hash: string;
  readonly transactions: readonly string[];
}

/** Requests that clients repeat, by what they know of the chain. */
const READS: readonly ((block: Block, account: string) => readonly [string, unknown])[] = [
  () => ["starknet_getBlockWithReceipts", ["latest"]],
  ({ block_hash }) => ["starknet_traceBlockTransactions", [{ block_hash }]],
  ({ block_number }) => ["starknet_getStateUpdate", [{ block_number }]],
  ({ block_hash }) => [
    "starknet_getStorageProof",
    { block_id: { block_hash }, contract_addresses: [STRK] },
  ],
  ({ transactions: [hash = "0x1"] }) => ["starknet_getTransactionStatus", [hash]],
  (_, account) => ["starknet_getNonce", ["pre_confirmed", account]],
  ({ block_number }) => [
    "starknet_getEvents",
    { filter: { from_block: { block_number }, chunk_size: 10 } },
  ],
];

/** Whether a response is acceptable while the chain is being reverted. */
function isAcceptable({ error }: Answer): boolean {
  if (error === undefined) return true;
  const text = JSON.stringify(error);
  // Block, transaction, nonce, validation: the object is gone; or a duplicate whose first response
  // was lost. Other errors must state the revert.
  return (
    [24, 29, 52, 55, 59].includes(error.code) ||
    text.includes("was reverted") ||
    text.includes("were reverted")
  );
}

test(
  "a chain that several clients revert concurrently answers all requests and continues",
  async () => {
    console.log(`FUZZ_SEED=${SEED}`);
    const { chain } = life;
    const ws = await WsClient.open(`${chain.url.replace("http", "ws")}/rpc/v0_10`);
    expect(await ws.ask("starknet_subscribeNewHeads")).toHaveProperty("result");
    const endsAt = Date.now() + FLOOD_MS;
    const isRunning = (): boolean => Date.now() < endsAt;
    const unacceptable: unknown[] = [];
    const counts: Record<string, number> = {};
    const note = (what: string, answer: Answer): void => {
      const outcome = answer.error === undefined ? "answered" : `error ${answer.error.code}`;
      counts[`${what}: ${outcome}`] = (counts[`${what}: ${outcome}`] ?? 0) + 1;
      if (!isAcceptable(answer)) unacceptable.push([what, answer.error]);
    };
    const reverter = async (): Promise<void> => {
      while (isRunning()) {
        const { method, ...answer } = await revertOnce(life, random);
        note(method, answer);
        await Bun.sleep(random.below(200));
      }
    };
    const sender = (index: number): Promise<void> =>
      sendTransfers(life, index, (answer) => {
        note("transfer", answer);
        return isRunning();
      });
    const reader = async (): Promise<void> => {
      while (isRunning()) {
        const answer = await ask(chain.url, "starknet_getBlockWithTxHashes", ["latest"]);
        note("latest", answer);
        const read = random.pick(READS);
        if (answer.result === undefined || read === undefined) continue;
        const account = chain.accounts[0]?.address ?? "";
        const [method, params] = read(answer.result as Block, account);
        note(method, await ask(chain.url, method, params));
      }
    };
    const declarer = async (index: number): Promise<void> => {
      while (isRunning()) {
        const files = index % 2 === 0 ? LARGE_CLASS : SMALL_CLASS;
        // Either outcome is fine, but the request must complete.
        await declare(chain.account(index), files).catch(String);
      }
    };
    await Promise.all([
      ...[0, 1, 2].map(reverter),
      ...[0, 1, 2].map(sender),
      ...[0, 1].map(reader),
      ...(SHARED === undefined ? [] : [3, 4].map(declarer)),
    ]);
    console.log(JSON.stringify(counts), residentBytes(chain.pid) >> 20, "MiB");
    expect(unacceptable).toEqual([]);

    let sent = 0;
    await sendTransfers(life, 5, (answer) => {
      expect(answer.error).toBeUndefined();
      return ++sent < 3;
    });
    const made = await ask(chain.url, "devnet_createBlock");
    const { block_hash: hash } = made.result as Block;
    await ws.take((message) => JSON.stringify(message).includes(hash));
    ws.socket.close();
    let parent = hash;
    for (let number = await chain.provider.getBlockNumber(); number >= 0; number--) {
      const place = [{ block_number: number }];
      const { result } = await ask(chain.url, "starknet_getBlockWithTxHashes", place);
      expect(BigInt((result as Block).block_hash)).toBe(BigInt(parent));
      parent = (result as Block).parent_hash;
    }
    expect(BigInt(parent)).toBe(0n);
  },
  120_000 + FLOOD_MS * 3,
);

test("a stop during reverts is clean", async () => {
  const reverts = Array.from({ length: 6 }, () => revertOnce(life, random));
  const ended = Promise.allSettled(reverts);
  await Bun.sleep(50 + random.below(400));
  expect(await life.chain.stop()).toBe(0);
  await ended;
}, 60_000);

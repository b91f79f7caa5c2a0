import { Database } from "bun:sqlite";
import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { resultOf } from "#test/helpers/binary.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { STRK, transferCall } from "#test/helpers/tokens.ts";
import { untilTrue } from "#test/helpers/until-true.ts";
import { useFollower, waitForBlock } from "#test/helpers/follower.ts";
import { withGateway } from "#test/helpers/gateway-sends.ts";
import { type UsedChain, useChains, useStoppedChain } from "#test/helpers/use-chain.ts";

const start = useChains();
const EXPLORER = ["--explorer", "on"];
const follower = useFollower();

/** A node that serves the explorer. */
type ExplorerNode = Pick<UsedChain, "url" | "provider">;

/** Empty blocks of the chain whose index is rebuilt and interrupted. */
const BLOCKS = bySize({ quick: 100, full: 3_000 });
/** Blocks with a transaction that a revert takes away. */
const REVERTED = bySize({ quick: 30, full: 1_000 });
const KILLS = bySize({ quick: 1, full: 20 });
const KILL_TIMEOUT_MS = bySize({ quick: 600_000, full: 1_800_000 });

interface Listed {
  readonly items: readonly Record<string, unknown>[];
  readonly next: string | null;
  readonly indexed: { readonly from: number; readonly to: number | null };
}

async function list(chain: ExplorerNode, path: string): Promise<Listed> {
  const response = await fetch(`${chain.url}/explorer/api/${path}`);
  expect(response.status).toBe(200);
  return (await response.json()) as Listed;
}

/** Waits until the index covers the whole chain. */
async function untilIndexed(chain: ExplorerNode): Promise<void> {
  const isIndexed = async (): Promise<boolean> => {
    const head = await chain.provider.getBlockNumber();
    return (await list(chain, "declared")).indexed.to === head;
  };
  expect(await untilTrue(isIndexed, 30_000)).toBe(true);
}

/** Sends a transfer from an account, and returns its hash once it is in a block. */
async function transfer(chain: UsedChain, from: number, to: string): Promise<string> {
  const { transaction_hash: hash } = await chain.account(from).execute(transferCall(to, 7n));
  await chain.provider.waitForTransaction(hash, { retryInterval: 20 });
  await resultOf(chain, "devnet_createBlock");
  return hash;
}

const hashesOf = async (chain: ExplorerNode, path: string): Promise<unknown[]> =>
  (await list(chain, path)).items.map(({ hash }) => hash);

/** Rows of all lists in the file of the index. */
function rowsOf(path: string): unknown[] {
  using database = new Database(path, { readonly: true });
  return ["felt", "indexed_block", "sent", "touched", "transfer", "class_contract", "declared"].map(
    (table) => database.query(`select * from ${table}`).values(),
  );
}

test("transfers appear in the lists of their sender, contract and holders, and leave with their block", async () => {
  const chain = await start({ args: EXPLORER });
  const [sender = "", recipient = ""] = chain.accounts.map(({ address }) =>
    address.replace(/^0x0*/, "0x"),
  );
  const first = await transfer(chain, 0, recipient);
  const second = await transfer(chain, 0, recipient);
  await untilIndexed(chain);
  expect(await hashesOf(chain, `transactions?sender=${sender}`)).toEqual([second, first]);
  expect(await hashesOf(chain, `transactions?contract=${STRK}&limit=2`)).toEqual([second, first]);
  const received = await list(chain, `transfers?holder=${recipient}&token=${STRK}&limit=1`);
  expect(received.items).toEqual([
    expect.objectContaining({ hash: second, from: sender, to: recipient, amount: "7" }),
  ]);
  const [newest] = (await list(chain, `transactions?sender=${sender}`)).items;
  const block = newest?.["block_number"];
  const activity = (await (await fetch(`${chain.url}/explorer/api/activity`)).json()) as {
    readonly minutes: readonly { readonly transactions: number }[];
  };
  expect(activity.minutes.reduce((sum, { transactions }) => sum + transactions, 0)).toBe(2);

  await resultOf(chain, "devnet_abortBlocks", [{ block_number: block }]);
  await untilIndexed(chain);
  expect(await hashesOf(chain, `transactions?sender=${sender}`)).toEqual([first]);
  const third = await transfer(chain, 0, "0x77");
  await untilIndexed(chain);
  expect(await hashesOf(chain, `transactions?sender=${sender}`)).toEqual([third, first]);
  expect(await hashesOf(chain, "transfers?holder=0x77")).toEqual([third]);
}, 60_000);

test(
  `killed ${KILLS} times while it is filled, deleted or overwritten, the index is that of the chain`,
  async () => {
    const chain = await start({ args: EXPLORER });
    const path = chain.folder.file("explorer.db");
    const remove = (): void => {
      for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
    };
    await transfer(chain, 0, "0x77");
    for (let block = 0; block < BLOCKS; block++) await resultOf(chain, "devnet_createBlock");
    await transfer(chain, 1, "0x77");
    await untilIndexed(chain);
    await chain.stop();
    const rows = rowsOf(path);
    const damages: readonly (() => void)[] = [
      remove,
      () => {
        remove();
        writeFileSync(path, "no database".repeat(1_000));
      },
      () => {
        const file = openSync(path, "r+");
        writeSync(file, Buffer.alloc(64, 0xff), 0, 64, 8_192);
      },
    ];
    for (let kill = 0; kill < KILLS; kill++) {
      remove();
      await chain.start();
      await Bun.sleep(5 * (kill + 1));
      await chain.stop("SIGKILL");
      await chain.start();
      await untilIndexed(chain);
      await chain.stop();
      expect([kill, rowsOf(path)]).toEqual([kill, rows]);
    }
    for (const damage of damages) {
      damage();
      await chain.start();
      // A request may have to find the damage first.
      const isRight = async (): Promise<boolean> => {
        const response = await fetch(`${chain.url}/explorer/api/transfers?holder=0x77`);
        if (response.status !== 200) return false;
        return ((await response.json()) as Listed).items.length === 2;
      };
      expect(await untilTrue(isRight, 30_000)).toBe(true);
      await untilIndexed(chain);
      await chain.stop();
      expect(rowsOf(path)).toEqual(rows);
    }
  },
  KILL_TIMEOUT_MS,
);

test(`after a revert of ${REVERTED} blocks the index is as before them, and the chain continues`, async () => {
  const chain = await start({ args: EXPLORER });
  await transfer(chain, 0, "0x77");
  await untilIndexed(chain);
  const path = chain.folder.file("explorer.db");
  const rows = rowsOf(path);
  const head = await chain.provider.getBlockNumber();
  for (let block = 0; block < REVERTED; block++) {
    await resultOf(chain, "devnet_mint", { address: "0x78", amount: 1 });
  }
  await untilIndexed(chain);
  expect((await list(chain, "transfers?holder=0x78&limit=1")).next).not.toBeNull();
  await resultOf(chain, "devnet_abortBlocks", [{ block_number: head + 1 }]);
  const made = await transfer(chain, 0, "0x79");
  await untilIndexed(chain);
  expect(await hashesOf(chain, "transfers?holder=0x78")).toEqual([]);
  expect(await hashesOf(chain, "transfers?holder=0x79")).toEqual([made]);
  await resultOf(chain, "devnet_abortBlocks", [{ block_number: head + 1 }]);
  // Lists end at the chain's head before the index has deleted what is above it.
  expect(await untilTrue(() => Bun.deepEquals(rowsOf(path), rows), 30_000)).toBe(true);
}, 600_000);

describe("a chain without the explorer", () => {
  let gateway: Awaited<ReturnType<typeof withGateway>>;
  const chain = useStoppedChain();

  beforeAll(async () => {
    gateway = await withGateway();
    await chain.start({ args: [...gateway.args, "--explorer", "off"] });
  }, 120_000);

  test("has neither its paths nor its file", async () => {
    const { status } = await fetch(`${chain.url}/explorer/api/status`);
    expect(status).toBe(404);
    expect(existsSync(chain.folder.file("explorer.db"))).toBe(false);
  }, 60_000);

  test("is listed by its full nodes, and a fork lists local blocks only", async () => {
    const [first = ""] = chain.accounts.map(({ address }) => address.replace(/^0x0*/, "0x"));
    const inherited = await transfer(chain, 0, "0x77");
    const head = await chain.provider.getBlockNumber();

    await follower.start({ gateways: [gateway.url], args: EXPLORER });
    await waitForBlock(follower, head);
    await untilIndexed(follower);
    expect(await hashesOf(follower, `transactions?sender=${first}`)).toEqual([inherited]);

    const fork = await start({
      args: ["--fork-url", `${chain.url}/rpc`, "--seed", "77", ...EXPLORER],
    });
    const made = await transfer(fork, 0, "0x77");
    await untilIndexed(fork);
    expect((await list(fork, "declared")).indexed.from).toBe(head + 1);
    expect(await hashesOf(fork, `transactions?sender=${first}`)).toEqual([]);
    expect(await hashesOf(fork, `transfers?holder=0x77&token=${STRK}`)).toEqual([made]);
    const latest = await fork.provider.getBlockNumber();
    const blocks = (await list(fork, "blocks?limit=100&transactions=100")).items;
    expect(blocks.map(({ block_number }) => block_number)).toEqual(
      Array.from({ length: latest + 1 }, (_, i) => latest - i),
    );
    const listed = blocks.flatMap(({ transactions }) => transactions as { hash: string }[]);
    expect(listed.map(({ hash }) => hash)).toEqual(expect.arrayContaining([made, inherited]));
    const status = (await (await fetch(`${fork.url}/explorer/api/status`)).json()) as object;
    expect(status).toMatchObject({ fork: { origin: chain.url, block_number: head } });
  }, 120_000);
});

import { afterAll, beforeAll, expect, test } from "bun:test";
import { availableParallelism } from "node:os";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { ASYNC_SUBMISSION, rawCall, SEVERAL_QUERY_THREADS } from "#test/helpers/binary.ts";
import { threadsOf } from "#test/helpers/child-processes.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { STRK } from "#test/helpers/tokens.ts";
import { useChain } from "#test/helpers/use-chain.ts";
import { bySize } from "#test/helpers/test-size.ts";

const LOAD_MS = bySize({ quick: 3_000, full: 12_000 });
const SENDERS = 6;
const WATCHERS = 6;
const CHAIN_ID = "APPCHAIN_DEVNET";
const BALANCE_OF = hexFromFelt(selectorFromName("balance_of"));

/** Stages of a transaction; for one client they never go back. */
const RANKS = ["RECEIVED", "CANDIDATE", "PRE_CONFIRMED", "ACCEPTED_ON_L2"];

const chain = useChain({ env: { ...ASYNC_SUBMISSION, ...SEVERAL_QUERY_THREADS } });
/** Processes that only keep the cores busy. */
let burners: Bun.Subprocess[];

beforeAll(async () => {
  burners = Array.from({ length: availableParallelism() }, () =>
    Bun.spawn([process.execPath, "-e", "for (;;);"], { stdout: "ignore", stderr: "ignore" }),
  );
}, 60_000);

afterAll(async () => {
  for (const burner of burners) burner.kill("SIGKILL");
});

interface Block {
  readonly block_number: number;
  readonly transactions: readonly string[];
}

/** Client that records everything that went backwards. */
class Client {
  readonly breaches: string[] = [];
  #highest = new Map<string, number>();

  /** Records a value; it must not be lower than an earlier one of the same name. */
  see(name: string, value: number): void {
    const before = this.#highest.get(name) ?? Number.NEGATIVE_INFINITY;
    if (!(value >= before)) this.breaches.push(`${name}: ${value} after ${before}`);
    this.#highest.set(name, Math.max(before, value));
  }

  async ask<T>(method: string, params: unknown = []): Promise<T | undefined> {
    const { result, error } = await rawCall(chain.url, `starknet_${method}`, params);
    if (error !== undefined) this.breaches.push(`${method} ${JSON.stringify({ params, error })}`);
    return result as T | undefined;
  }
}

/** Reads numbers on the main thread and blocks on the query threads, singly and in batches. */
async function watch(client: Client, isRunning: () => boolean): Promise<void> {
  while (isRunning()) {
    const number = (await client.ask<number>("blockNumber")) ?? 0;
    client.see("accepted block", number);
    await client.ask<Block>("getBlockWithTxHashes", [{ block_number: number }]);
    const latest = await client.ask<Block>("getBlockWithTxHashes", ["latest"]);
    client.see("accepted block", latest?.block_number ?? 0);
    // The open block may follow blocks that are sealed but not accepted yet.
    const open = await client.ask<Block>("getBlockWithTxHashes", ["pre_confirmed"]);
    const place = (open?.block_number ?? 0) * 1e6 + (open?.transactions.length ?? 0);
    client.see("open block", place);
    if (!((open?.block_number ?? 0) > (latest?.block_number ?? 0))) {
      client.breaches.push(`open block ${open?.block_number} after ${latest?.block_number}`);
    }
    const response = await fetch(chain.url, {
      method: "POST",
      body: JSON.stringify([
        { jsonrpc: "2.0", id: 0, method: "starknet_blockNumber", params: [] },
        { jsonrpc: "2.0", id: 1, method: "starknet_getBlockWithTxHashes", params: ["latest"] },
      ]),
    });
    const [first, second] = (await response.json()) as [{ result: number }, { result: Block }];
    client.see("accepted block in a batch", Math.min(first.result, second.result.block_number));
    client.see("accepted block", first.result);
  }
}

/** Sends transfers and follows each of them to its block. */
async function send(client: Client, index: number, isRunning: () => boolean): Promise<number> {
  const signer = chain.signer(index);
  const recipient = 0xd00d000n + BigInt(index);
  const balance = async (block: string): Promise<number> => {
    const request = {
      contract_address: STRK,
      entry_point_selector: BALANCE_OF,
      calldata: [hexFromFelt(recipient)],
    };
    return Number((await client.ask<string[]>("call", [request, block]))?.[0] ?? 0);
  };
  let sent = 0;
  while (isRunning()) {
    const { hash, body } = signedTransfer(CHAIN_ID, signer, BigInt(sent), recipient);
    const response = await fetch(chain.url, { method: "POST", body });
    const refusal = ((await response.json()) as { error?: unknown }).error;
    if (refusal !== undefined) client.breaches.push(`refused: ${JSON.stringify(refusal)}`);
    sent++;
    for (let rank = 0; rank < RANKS.length - 1 && isRunning();) {
      const status = await client.ask<{ finality_status: string }>("getTransactionStatus", [
        hexFromFelt(hash),
      ]);
      rank = RANKS.indexOf(status?.finality_status ?? "");
      client.see(`status of transfer ${sent}`, rank);
      const block = ["", "", "pre_confirmed", "latest"][rank] ?? "";
      if (block === "") continue;
      client.see(`balance at ${block}`, sent);
      client.see(`balance at ${block}`, await balance(block));
      client.see(`nonce at ${block}`, sent);
      const nonce = await client.ask<string>("getNonce", [block, hexFromFelt(signer.address)]);
      client.see(`nonce at ${block}`, Number(nonce));
    }
  }
  return sent;
}

test("a node has as many query threads as configured", () => {
  const queries = threadsOf(chain.pid).filter((name) => name.startsWith("query-"));
  expect(queries.toSorted()).toEqual(["query-0", "query-1", "query-2"]);
});

test("no client sees data go backwards on a loaded machine", async () => {
  const endsAt = Date.now() + LOAD_MS;
  const isRunning = () => Date.now() < endsAt;
  const senders = Array.from({ length: SENDERS }, () => new Client());
  const watchers = Array.from({ length: WATCHERS }, () => new Client());
  const [sent] = await Promise.all([
    Promise.all(senders.map((client, i) => send(client, i, isRunning))),
    Promise.all(watchers.map((client) => watch(client, isRunning))),
  ]);
  const breaches = [...senders, ...watchers].flatMap((client) => client.breaches);
  expect(breaches.slice(0, 10)).toEqual([]);
  expect(breaches).toHaveLength(0);
  // The load did produce data.
  expect(Math.min(...sent)).toBeGreaterThan(0);
  expect((await rawCall(chain.url, "starknet_blockNumber")).result).toBeGreaterThan(0);
}, 60_000);

/**
 * Searches for events in a chain of many blocks with one event each, in a database in a file: the
 * size of the index, the time to store it, and the latency of pages, in one process, without HTTP.
 *
 * Argument: number of blocks (default 1 000 000: about two minutes and 500 MB in the folder for
 * temporary files).
 */
import { eventsPage } from "#api/rpc/events/page.ts";
import { fail } from "#api/rpc/errors.ts";
import type { EventFilter } from "#api/rpc/spec/version.ts";
import type { Felt } from "#base/primitives/index.ts";
import { BlockWriter } from "#io/storage/block/writer.ts";
import { createChainReader, type DatabaseHandle, openDatabase } from "#io/storage/index.ts";
import { TransactionWriter } from "#io/storage/transactions/writer.ts";
import type { Event } from "#protocol/chain/index.ts";
import { blockCommit } from "#test/helpers/blocks.ts";
import { eventFilterWith } from "#test/helpers/event-world.ts";
import { fakeReceipt } from "#test/helpers/fake-chain.ts";
import { INVOKE_V3 } from "#test/helpers/sample-chain.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { median } from "./pairs.ts";
import { PAGE_LIMITS } from "#api/rpc/events/limits.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import type { FullContext } from "#test/helpers/serving.ts";

const BLOCKS = Number(process.argv[2] ?? 1_000_000);
/** Blocks per database transaction. */
const PORTION = 1000;
const CONTRACTS = 100;
const ACCOUNTS = 10_000;
const RARE_BLOCK = Math.floor(BLOCKS * 0.777);

const hashes = new Map<string, Felt>();
function hashOf(name: string): Felt {
  const known = hashes.get(name);
  if (known !== undefined) return known;
  const made = BigInt(`0x${new Bun.CryptoHasher("sha256").update(name).digest("hex")}`) >> 5n;
  hashes.set(name, made);
  return made;
}

const contract = (i: number): Felt => hashOf(`contract ${i % CONTRACTS}`);
const account = (i: number): Felt => hashOf(`account ${i % ACCOUNTS}`);
const TRANSFER = hashOf("Transfer");
const RARE = hashOf("rare");

/** A transfer of one of a hundred tokens between two of ten thousand accounts. */
function eventOf(block: number): Event {
  const mixed = Math.imul(block, 0x9e37_79b1) >>> 0;
  const to = block === RARE_BLOCK ? RARE : account(mixed >>> 7);
  return { fromAddress: contract(mixed), keys: [TRANSFER, account(mixed), to], data: [1n, 0n] };
}

function write(handle: DatabaseHandle): void {
  const { statements } = handle;
  const blocks = new BlockWriter(statements);
  const transactions = new TransactionWriter(statements);
  const slowest = { atSegment: 0, else: 0 };
  let totalMs = 0;
  for (let from = 0; from < BLOCKS; from += PORTION) {
    handle.connection.transaction(() => {
      for (let number = from; number < Math.min(from + PORTION, BLOCKS); number++) {
        const transactionHash = (1n << 200n) + BigInt(number);
        const commit = blockCommit(number, {
          transactions: [{ hash: transactionHash, transaction: INVOKE_V3 }],
          receipts: [fakeReceipt({ transactionHash, events: [eventOf(number)] })],
        });
        const start = performance.now();
        blocks.insert(commit);
        const tookMs = performance.now() - start;
        totalMs += tookMs;
        const kind = (number + 1) % 1024 === 0 ? "atSegment" : "else";
        slowest[kind] = Math.max(slowest[kind], tookMs);
        transactions.insert(commit.block, number);
      }
    })();
    if (from % (100 * PORTION) === 0) handle.checkpoint();
  }
  const average = ((totalMs * 1000) / BLOCKS).toFixed(1);
  console.log(`block rows with the index: ${average} us a block`);
  console.log(`  slowest at the end of a segment ${slowest.atSegment.toFixed(1)} ms`);
  handle.checkpoint();
}

function printSizes(handle: DatabaseHandle): void {
  const row = handle.connection
    .query<{ rows: bigint; bytes: bigint }, []>(
      "select count(*) as rows, sum(length(entries)) as bytes from event_segment",
    )
    .get();
  const perBlock = Number(row?.bytes ?? 0n) / BLOCKS;
  console.log(`index: ${perBlock.toFixed(1)} bytes a block in ${row?.rows} rows`);
}

/**
 * Times of a filter's pages: by the clock, and of the processor, which other load does not affect.
 */
interface PageTimes {
  readonly timesMs: readonly number[];
  readonly cpuMs: readonly number[];
  readonly events: number;
}

/** Reads all pages of a filter. */
function readAll(context: FullContext, filter: EventFilter, most = 2000): PageTimes {
  const timesMs: number[] = [];
  const cpuMs: number[] = [];
  let events = 0;
  let token: string | undefined;
  do {
    const asked = token === undefined ? filter : { ...filter, continuationToken: token };
    const cpuStart = process.cpuUsage();
    const start = performance.now();
    const page = eventsPage(context, asked, fail, PAGE_LIMITS);
    timesMs.push(performance.now() - start);
    const { user, system } = process.cpuUsage(cpuStart);
    cpuMs.push((user + system) / 1000);
    events += page.events.length;
    token = page.continuationToken;
  } while (token !== undefined && timesMs.length < most);
  return { timesMs, cpuMs, events };
}

const quantile = (times: readonly number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * part)] ?? 0;

const inMs = (value: number): string => `${value.toFixed(1)} ms`;

function print(what: string, { timesMs, cpuMs, events }: PageTimes): void {
  const sum = timesMs.reduce((total, each) => total + each, 0);
  const quantiles = (times: readonly number[]): string =>
    `p50 ${inMs(median(times))}, p99 ${inMs(quantile(times, 0.99))}`;
  console.log(
    `${what}: ${events} events in ${timesMs.length} pages, ${inMs(sum)}; a page ${quantiles(timesMs)}; CPU ${quantiles(cpuMs)}`,
  );
}

const KEYS_256 = Array.from({ length: 256 }, (_, i) => hashOf(`nobody ${i}`));
const SOME_256 = Array.from({ length: 256 }, (_, i) => account(i * 7));

using folder = temporaryFolder();
const path = folder.file("chain.db");
const handle = await openDatabase({ path, chainId: "B", mode: "writer", durability: "normal" });
const startedMs = performance.now();
write(handle);
console.log(`${BLOCKS} blocks written in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
printSizes(handle);
handle.close();

const reading = await openDatabase({ path, chainId: "B", mode: "reader", durability: "normal" });
const context = sampleContext({
  chainId: 0n,
  chain: createChainReader(reading),
  pending: () => undefined,
});
const range = (first: number, last: number): Partial<EventFilter> => ({
  fromBlock: { kind: "number", number: first },
  toBlock: { kind: "number", number: last },
});
const FILTERS: readonly (readonly [what: string, parts: Partial<EventFilter>, most?: number])[] = [
  ["first page of 100", { chunkSize: 100 }, 1],
  ["rare key", { keys: [[], [], [RARE]] }],
  ["rare key at a wrong position", { keys: [[], [RARE]] }],
  ["a key that nobody has", { keys: [[], [hashOf("nobody")]] }],
  ["256 keys that nobody has", { keys: [[], KEYS_256] }],
  ["256 keys of accounts", { keys: [[], SOME_256] }],
  ["one account to one account", { keys: [[TRANSFER], [account(1)], [account(77)]] }],
  ["an address and two keys", { addresses: [contract(5)], keys: [[TRANSFER], [account(5)]] }],
  ["an address, pages of 100", { addresses: [contract(5)], chunkSize: 100 }],
  ["the newest 1000 blocks", range(BLOCKS - 1000, BLOCKS)],
  ["everything, pages of 1000", {}],
  ["everything, pages of 100", { chunkSize: 100 }, 1000],
];
for (const [what, parts, most] of FILTERS) {
  print(what, readAll(context, eventFilterWith(parts), most));
}
const random: PageTimes[] = [];
for (let i = 0; i < 1000; i++) {
  const from = { kind: "number", number: Math.imul(i, 0x9e37_79b1) >>> 12 } as const;
  const parts = { keys: [[], [account(i * 31)]], chunkSize: 100, fromBlock: from };
  random.push(readAll(context, eventFilterWith(parts), 1));
}
print("pages of 100 of random accounts from random blocks on", {
  timesMs: random.flatMap(({ timesMs }) => timesMs),
  cpuMs: random.flatMap(({ cpuMs }) => cpuMs),
  events: random.reduce((sum, { events }) => sum + events, 0),
});
reading.close();

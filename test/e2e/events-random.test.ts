import { expect, test } from "bun:test";
import fc from "fast-check";
import { hash } from "starknet";
import { hexFromFelt } from "#base/primitives/index.ts";
import { rawCall, resultOf } from "#test/helpers/binary.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { ETH, STRK } from "#test/helpers/tokens.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { useChain } from "#test/helpers/use-chain.ts";

const CHAIN_ID = "APPCHAIN_DEVNET";
const INVALID_CONTINUATION_TOKEN = 33;
const TRANSFER = hash.getSelectorFromName("Transfer");
const RECIPIENTS = [0xe01n, 0xe02n, 0xe03n, 0xe04n] as const;
/**
 * Puts added and reverted blocks on both sides of an index boundary, which is at a multiple of
 * 1024.
 */
const EMPTY_BLOCKS = 980;

const chain = useChain();

interface EventAnswer {
  readonly from_address: string;
  readonly keys: readonly string[];
  readonly data: readonly string[];
}

interface Found extends EventAnswer {
  readonly block_number?: number;
  readonly transaction_hash: string;
  readonly event_index: number;
}

interface Page {
  readonly events: readonly Found[];
  readonly continuation_token?: string;
}

interface Block {
  readonly block_number: number;
  readonly transactions: readonly {
    readonly receipt: {
      readonly transaction_hash: string;
      readonly events: readonly EventAnswer[];
    };
  }[];
}

const latestNumber = (): Promise<number> => resultOf(chain, "starknet_blockNumber", []);

/** Sends several requests in one body; returns their results in order. */
async function batch<T>(
  calls: readonly (readonly [method: string, params: unknown])[],
): Promise<T[]> {
  const requests = calls.map(([method, params], id) => ({ jsonrpc: "2.0", id, method, params }));
  const response = await fetch(chain.url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(requests),
  });
  const answers = (await response.json()) as { id: number; result?: T; error?: unknown }[];
  const results = answers
    .toSorted((a, b) => a.id - b.id)
    .map(({ result, error }) => {
      expect(error).toBeUndefined();
      return result as T;
    });
  expect(results).toHaveLength(calls.length);
  return results;
}

async function addEmptyBlocks(count: number): Promise<void> {
  for (let made = 0; made < count; made += 50) {
    const some = Math.min(50, count - made);
    await batch(Array.from({ length: some }, () => ["devnet_createBlock", []] as const));
  }
}

/** Sends transfers of one account and waits until they are accepted. */
async function addTransfers(sender: number, recipients: readonly bigint[]): Promise<void> {
  const signer = chain.signer(sender);
  let nonce = BigInt(
    await resultOf<string>(chain, "starknet_getNonce", [
      "pre_confirmed",
      hexFromFelt(signer.address),
    ]),
  );
  for (const recipient of recipients) {
    const { body } = signedTransfer(CHAIN_ID, signer, nonce++, recipient);
    const headers = { "content-type": "application/json" };
    const response = await fetch(chain.url, { method: "POST", headers, body });
    expect(await response.json()).toHaveProperty("result");
  }
  await resultOf(chain, "devnet_createBlock", []);
}

/** Events of the blocks read so far, by block; reverted blocks are removed. */
const known: Required<Found>[][] = [];

/** Events of the current chain, read block by block. */
async function allEvents(latest: number): Promise<Required<Found>[]> {
  for (let from = known.length; from <= latest; from += 100) {
    const numbers = Array.from({ length: Math.min(100, latest + 1 - from) }, (_, i) => from + i);
    const blocks = await batch<Block>(
      numbers.map((block_number) => ["starknet_getBlockWithReceipts", [{ block_number }]]),
    );
    for (const { block_number, transactions } of blocks) {
      known.push(
        transactions.flatMap(({ receipt: { transaction_hash, events } }) =>
          events.map((event, event_index) => ({
            ...event,
            block_number,
            transaction_hash,
            event_index,
          })),
        ),
      );
    }
  }
  return known.flat();
}

interface Filter {
  readonly address: readonly string[];
  readonly keys: readonly (readonly string[])[];
}

/** Whether an event matches a filter, as defined by the specification. */
function fits({ from_address, keys }: EventAnswer, filter: Filter): boolean {
  if (filter.address.length > 0 && !filter.address.includes(from_address)) return false;
  return filter.keys.every(
    (alternatives, i) => alternatives.length === 0 || alternatives.includes(keys[i] ?? ""),
  );
}

const placeOf = ({ block_number, transaction_hash, event_index, keys }: Found): string =>
  `${block_number} ${transaction_hash} ${event_index} ${keys.join()}`;

type Happening =
  | { readonly kind: "transfers"; readonly sender: number; readonly recipients: readonly bigint[] }
  | { readonly kind: "empty"; readonly count: number }
  | { readonly kind: "abort"; readonly blocks: number };

/** Reverts the chain so that `height` is the newest block. */
async function abortAbove(height: number): Promise<void> {
  const starting_block_id = { block_number: height + 1 };
  await resultOf(chain, "devnet_abortBlocks", { starting_block_id });
  known.length = Math.min(known.length, height + 1);
}

async function happen(happening: Happening): Promise<void> {
  if (happening.kind === "transfers") await addTransfers(happening.sender, happening.recipients);
  else if (happening.kind === "empty") await addEmptyBlocks(happening.count);
  else await abortAbove(Math.max(0, (await latestNumber()) - happening.blocks));
}

const transfers: fc.Arbitrary<Happening> = fc.record({
  kind: fc.constant("transfers" as const),
  sender: fc.nat(3),
  recipients: fc.array(fc.constantFrom(...RECIPIENTS), { minLength: 1, maxLength: 4 }),
});
const empty: fc.Arbitrary<Happening> = fc.record({
  kind: fc.constant("empty" as const),
  count: fc.constantFrom(1, 2, 17, 40),
});
const abort: fc.Arbitrary<Happening> = fc.record({
  kind: fc.constant("abort" as const),
  blocks: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 20, max: 60 })),
});

const hex = (felt: bigint): string => `0x${felt.toString(16)}`;
const filters = fc.record({
  address: fc.constantFrom([], [STRK], [STRK, ETH], ["0x1234", STRK], [ETH]),
  keys: fc
    .tuple(
      fc.constantFrom([], [TRANSFER], [TRANSFER, "0x5"], ["0x5"]),
      fc.constantFrom([], [hex(RECIPIENTS[0])], [TRANSFER]),
      fc.subarray([...RECIPIENTS.map(hex), "0x123"]),
    )
    .chain((keys) => fc.nat(3).map((count) => keys.slice(0, count))),
});
const numbers = fc.oneof(
  fc.constantFrom(991, 992, 1022, 1023, 1024, 1025, 1055, 1056),
  fc.nat(1100),
);
const idOf = (number: fc.Arbitrary<number>) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constant("latest" as const) },
    { weight: 4, arbitrary: number.map((block_number) => ({ block_number })) },
  );
const firsts = idOf(fc.oneof(fc.nat(40), numbers));
const lasts = idOf(numbers);

test("event pages match the blocks while blocks are added and reverted", async () => {
  for (let block = 0; block < 24; block++) {
    await addTransfers(block % 4, RECIPIENTS.slice(0, 1 + (block % 4)));
  }
  await addEmptyBlocks(EMPTY_BLOCKS);
  const seen = { aborts: 0, invalid: 0, events: 0, pages: 0 };
  await assertProperty(
    fc.asyncProperty(
      fc.array(fc.oneof(transfers, transfers, empty), { minLength: 2, maxLength: 4 }),
      fc.array(fc.oneof(transfers, abort, abort), { minLength: 2, maxLength: 3 }),
      filters,
      firsts,
      lasts,
      fc.constantFrom(1, 2, 3, 5),
      fc.constantFrom(1000, 1010, 1022, 1023, 1030, 1054),
      async (before, between, query, from_block, to_block, chunk_size, height) => {
        const missing = height - (await latestNumber());
        if (missing < 0) await abortAbove(height);
        else await addEmptyBlocks(missing);
        for (const happening of before) await happen(happening);
        const first =
          from_block === "latest" ? await latestNumber() : (from_block?.block_number ?? 0);
        let lowest = Number.POSITIVE_INFINITY;
        const filter = {
          ...query,
          ...(from_block === undefined ? {} : { from_block }),
          ...(to_block === undefined ? {} : { to_block }),
        };
        const found: Found[] = [];
        let token: string | undefined;
        const story = [...between];
        do {
          const asked = { ...filter, chunk_size, continuation_token: token ?? null };
          const { result, error } = await rawCall(chain.url, "starknet_getEvents", [asked]);
          if (error !== undefined) {
            expect([error.code, lowest < 2000]).toEqual([INVALID_CONTINUATION_TOKEN, true]);
            seen.invalid++;
            break;
          }
          const page = result as Page;
          expect(page.events.length).toBeLessThanOrEqual(chunk_size);
          found.push(...page.events);
          seen.pages++;
          token = page.continuation_token;
          const next = token === undefined ? undefined : story.shift();
          if (next === undefined) continue;
          await happen(next);
          if (next.kind !== "abort") continue;
          lowest = Math.min(lowest, await latestNumber());
          seen.aborts++;
        } while (token !== undefined);

        const latest = await latestNumber();
        const last =
          typeof to_block === "object" ? Math.min(to_block.block_number, latest) : latest;
        // Blocks that were never reverted; earlier pages may contain events of reverted ones.
        const stayed = Math.min(last, lowest);
        const expected = (await allEvents(latest)).filter(
          (event) =>
            event.block_number >= first && event.block_number <= stayed && fits(event, query),
        );
        const kept = found.filter(({ block_number = Infinity }) => block_number <= stayed);
        expect(kept.map(placeOf)).toEqual(expected.map(placeOf));
        seen.events += kept.length;
      },
    ),
    { numRuns: bySize({ quick: 4, full: 8 }) },
  );
  expect(seen.events).toBeGreaterThan(100);
  expect(seen.aborts).toBeGreaterThan(0);
}, 180_000);

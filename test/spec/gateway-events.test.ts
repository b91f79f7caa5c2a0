import { afterAll, beforeAll, describe, expect } from "bun:test";
import type { JsonObject, JsonValue } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { blockCommit, testBlockHash } from "#test/helpers/blocks.ts";
import { type ChainFolder, openChainFolder } from "#test/helpers/chain-folder.ts";
import {
  type ForeignJson,
  gatewayReceipts,
  gatewayTransactions,
} from "#test/helpers/foreign-json.ts";
import { createRandom, type Random } from "#test/helpers/random.ts";
import { openRpcOf, resultOf, VERSIONS } from "#test/helpers/rpc.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { readFixtureJson, SHARED, sharedTest } from "#test/helpers/shared.ts";
import { bySize } from "#test/helpers/test-size.ts";

/** Real blocks, numbered from 0. */
const FILES = [
  ["0.7.0", "block", "mainnet_2240.json"],
  ["0.8.0", "block", "mainnet_2500.json"],
  ["0.9.0", "block", "mainnet_2800.json"],
  ["0.11.1", "block", "mainnet_65000.json"],
  ["0.13.2", "block", "sepolia_integration_35748.json"],
  ["0.13.4", "block", "sepolia_integration_63881.json"],
] as const;

/** Number of random filters; a small share matches nothing. */
const FILTERS = bySize({ quick: 40, full: 150 });

/** Arbitrary fixed seed; a failure prints the filter. */
const SEED = 4_651;

/** Event in the format of `starknet_getEvents` 0.10.2. */
interface WireEvent {
  readonly from_address: string;
  readonly keys: readonly string[];
  readonly data: readonly string[];
  readonly block_number: number;
}

const hex = (felt: unknown): string => hexFromFelt(BigInt(felt as string));
const list = (value: unknown) => value as readonly ForeignJson[];

/** Events of a gateway block, read from its JSON. */
function wireEvents(block: ForeignJson, block_number: number): WireEvent[] {
  return list(block["transaction_receipts"]).flatMap((receipt, transaction_index) =>
    list(receipt["events"]).map((event, event_index) => ({
      from_address: hex(event["from_address"]),
      keys: (event["keys"] as readonly string[]).map(hex),
      data: (event["data"] as readonly string[]).map(hex),
      block_number,
      block_hash: hexFromFelt(testBlockHash(block_number)),
      transaction_hash: hex(receipt["transaction_hash"]),
      transaction_index,
      event_index,
    })),
  );
}

let chain: ChainFolder;
let all: readonly WireEvent[] = [];

beforeAll(async () => {
  chain = await openChainFolder();
  if (SHARED === undefined) return;
  const blocks = FILES.map((file) => readFixtureJson("gateway-blocks", ...file) as ForeignJson);
  blocks.forEach((block, number) => {
    const transactions = gatewayTransactions(block);
    chain.writer.commitBlock(
      blockCommit(number, { transactions, receipts: gatewayReceipts(block) }),
    );
  });
  all = blocks.flatMap(wireEvents);
});

afterAll(() => chain[Symbol.dispose]());

/** Events on all pages of a filter. */
async function pages(filter: JsonObject, version?: string): Promise<WireEvent[]> {
  const context = sampleContext({ chain: chain.reader, unaccepted: () => [] });
  const events: WireEvent[] = [];
  let token: JsonObject = {};
  do {
    const params: JsonValue = { filter: { ...filter, ...token } };
    const page = (await resultOf("getEvents", params, context, version)) as {
      readonly events: readonly WireEvent[];
      readonly continuation_token?: string;
    };
    if (version !== undefined)
      expect(openRpcOf(version).resultFindings("getEvents", page)).toEqual([]);
    events.push(...page.events);
    const { continuation_token } = page;
    if (continuation_token === undefined) return events;
    token = { continuation_token };
  } while (events.length <= all.length);
  return events;
}

/** Addresses and keys of some events, occasionally with an unknown key. */
function someFilter(random: Random): {
  address: string[];
  keys: string[][];
  from: number;
  to: number;
} {
  const some = (values: readonly (string | undefined)[]) =>
    values.filter((value) => value !== undefined).slice(0, random.below(4));
  const samples = [0, 1, 2].map(() => random.pick(all));
  const positions = random.below(3);
  return {
    address: some(samples.map((event) => event?.from_address)),
    keys: Array.from({ length: positions }, (_, i) =>
      some([...samples.map((event) => event?.keys[i]), "0xdead"]),
    ),
    from: random.below(FILES.length),
    to: random.below(FILES.length + 1),
  };
}

describe("getEvents on real blocks", () => {
  sharedTest("returns all events with any page size", async () => {
    expect(all.length).toBe(1080);
    for (const chunk_size of [1000, 333, bySize({ quick: 40, full: 7 })]) {
      expect(await pages({ chunk_size })).toEqual([...all]);
    }
  });

  sharedTest(`returns the events that match random filters (seed ${SEED})`, async () => {
    const random = createRandom(SEED);
    let found = 0;
    for (let run = 0; run < FILTERS; run++) {
      const { address, keys, from, to } = someFilter(random);
      const expected = all.filter(
        (event) =>
          event.block_number >= from &&
          event.block_number <= to &&
          (address.length === 0 || address.includes(event.from_address)) &&
          keys.every((each, i) => each.length === 0 || each.includes(event.keys[i] ?? "")),
      );
      const filter = {
        address,
        keys,
        chunk_size: 1 + random.below(60),
        from_block: { block_number: from },
        to_block: { block_number: to },
      };
      expect({ filter, events: await pages(filter) }).toEqual({ filter, events: expected });
      found += expected.length;
    }
    expect(found).toBeGreaterThan(bySize({ quick: 250, full: 1000 }));
  });

  sharedTest("matches the schema of every version", async () => {
    for (const version of VERSIONS) {
      const events = await pages({ chunk_size: 500 }, version);
      expect(events.map(({ data }) => data)).toEqual(all.map(({ data }) => data));
    }
  });
});

import { describe, expect, test } from "bun:test";
import type { Event } from "#protocol/chain/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { fakeReceipt } from "#test/helpers/fake-chain.ts";
import { FORK, forkWorld, originBlock } from "#test/helpers/fork-context.ts";
import { tableOf } from "#test/helpers/rpc.ts";
import { INVOKE_V3 } from "#test/helpers/sample-chain.ts";
import { answerText } from "#test/helpers/serving.ts";

const [A, B] = [0xan, 0xbn];

/** Emitting contracts of the events of each transaction of each block. */
const EMITTERS: readonly (readonly (readonly bigint[])[])[] = [
  [[A]],
  [[A, B, A], [B]],
  [],
  [[B], [A, A]],
  [[A], [B, A]],
  [],
  [[B, A, A]],
];

const eventOf = (fromAddress: bigint): Event => ({ fromAddress, keys: [1n], data: [2n] });
const hashOf = (number: number, index: number): bigint => BigInt(number * 16 + index + 1);

const blockOf = (number: number) => ({
  header: { number },
  transactions: (EMITTERS[number] ?? []).map((_, index) => ({
    hash: hashOf(number, index),
    transaction: INVOKE_V3,
  })),
  receipts: (EMITTERS[number] ?? []).map((emitters, index) =>
    fakeReceipt({ transactionHash: hashOf(number, index), events: emitters.map(eventOf) }),
  ),
});

/** Rows of all events, as JSON-RPC 0.8 has them. */
const ROWS = EMITTERS.flatMap((transactions, number) =>
  transactions.flatMap((emitters, index) =>
    emitters.map((emitter, eventIndex) => ({
      row: {
        from_address: hexFromFelt(emitter),
        keys: ["0x1"],
        data: ["0x2"],
        block_hash: hexFromFelt(0xb10c0n + BigInt(number)),
        block_number: number,
        transaction_hash: hexFromFelt(hashOf(number, index)),
      },
      indexes: { transaction_index: index, event_index: eventIndex },
    })),
  ),
);

interface OriginWorld {
  /** Whether the origin reports the positions of events, as JSON-RPC 0.10 does. */
  readonly hasIndexes: boolean;
  /** Whether the origin ignores a filter with several addresses. */
  readonly isOld: boolean;
}

/** A fork whose origin responds to event queries as a node does, with its own tokens. */
function worldOf({ hasIndexes, isOld }: OriginWorld) {
  const values = new Map<string, Uint8Array | null>();
  for (let number = 0; number <= FORK; number++) {
    values.set(`block ${number}`, originBlock(blockOf(number)));
  }
  const answer = (text: string): Uint8Array | null | undefined => {
    const [kind, from, to, addresses = "", , chunk, token = ""] = text.split(" ");
    if (kind !== "events") return undefined;
    if (token !== "" && !/^at-\d+$/.test(token)) return null;
    const emitters = addresses === "" ? [] : addresses.split(",");
    const isIgnored = isOld && emitters.length > 1;
    const found = ROWS.filter(
      ({ row }) =>
        row.block_number >= Number(from) &&
        row.block_number <= Number(to) &&
        (isIgnored || emitters.length === 0 || emitters.includes(row.from_address)),
    );
    const start = token === "" ? 0 : Number(token.slice(3));
    const end = start + Number(chunk);
    const page = {
      events: found
        .slice(start, end)
        .map(({ row, indexes }) => ({ ...row, ...(hasIndexes ? indexes : {}) })),
      ...(end < found.length ? { continuation_token: `at-${end}` } : {}),
    };
    return Buffer.from(JSON.stringify(page));
  };
  const lookup = {
    get: (text: string) => values.get(text) ?? answer(text),
  } as ReadonlyMap<string, Uint8Array | null>;
  const local = [FORK + 1, FORK + 2, FORK + 3].map((number) => blockOf(number));
  return forkWorld({ values: lookup, local });
}

type World = ReturnType<typeof worldOf>;

async function pageOf({ dispatcher }: World, filter: object, version = "0.10.2") {
  const params = { filter };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "starknet_getEvents", params });
  return JSON.parse(await answerText(dispatcher, body, tableOf(version)));
}

/** All events of a filter, page by page. */
async function allOf(world: World, filter: object, chunk_size: number): Promise<unknown[]> {
  const events: unknown[] = [];
  let token: string | undefined;
  do {
    const continuation = token === undefined ? {} : { continuation_token: token };
    const { result, error } = await pageOf(world, { ...filter, ...continuation, chunk_size });
    expect(error).toBeUndefined();
    expect(result.events.length).toBeLessThanOrEqual(chunk_size);
    events.push(...result.events);
    token = result.continuation_token;
  } while (token !== undefined);
  return events;
}

const NEW: OriginWorld = { hasIndexes: true, isOld: false };
const OLD: OriginWorld = { hasIndexes: false, isOld: true };
const SIZES = Array.from({ length: ROWS.length + 2 }, (_, i) => i + 1);
const whole = (rows = ROWS) => rows.map(({ row, indexes }) => ({ ...row, ...indexes }));

describe("events of a fork", () => {
  test.each([...SIZES, 1_000])("cross the boundary in order, without gap, by %i", async (size) => {
    expect(await allOf(worldOf(NEW), {}, size)).toEqual(whole());
  });

  test.each(SIZES)("have positions that an older origin does not report, by %i", async (size) => {
    expect(await allOf(worldOf(OLD), {}, size)).toEqual(whole());
  });

  test.each([NEW, OLD])("of several contracts stay in order: %o", async (origin) => {
    const world = worldOf(origin);
    const address = [hexFromFelt(A), "0xc"];
    const expected = whole().filter(({ from_address }) => from_address === hexFromFelt(A));
    expect(await allOf(world, { address }, 2)).toEqual(expected);
  });

  test("end with the last block of the filter", async () => {
    const [from_block, to_block] = [{ block_number: 1 }, { block_number: 1 }];
    const expected = whole().filter(({ block_number }) => block_number === 1);
    expect(await allOf(worldOf(NEW), { from_block, to_block }, 3)).toEqual(expected);
  });

  test("above the fork block need no origin", async () => {
    const world = worldOf(NEW);
    const from_block = { block_number: FORK + 1 };
    const expected = whole().filter(({ block_number }) => block_number > FORK);
    expect(await allOf(world, { from_block }, 2)).toEqual(expected);
    expect(world.asked).toEqual([]);
  });

  test("of an older version need no blocks of the origin", async () => {
    const world = worldOf(OLD);
    const { result } = await pageOf(world, { chunk_size: 5 }, "0.9.0");
    expect(result.events).toEqual(ROWS.slice(0, 5).map(({ row }) => row));
    expect(world.asked.filter((text) => text.startsWith("block"))).toEqual([]);
  });

  test("are the origin's own search, never a walk over blocks", async () => {
    const world = worldOf(NEW);
    const to_block = { block_number: FORK };
    await pageOf(world, { to_block, chunk_size: 1_000 });
    expect(world.asked).toEqual([`events 0 ${FORK}   1000 `]);
  });
});

describe("continuation tokens of a fork", () => {
  test("of another filter are invalid", async () => {
    const world = worldOf(NEW);
    const { result } = await pageOf(world, { chunk_size: 1 });
    const { continuation_token } = result;
    const other = { chunk_size: 1, keys: [["0x1"]], continuation_token };
    expect((await pageOf(world, other)).error.code).toBe(33);
  });

  test("with a changed character are invalid", async () => {
    const world = worldOf(NEW);
    const { result } = await pageOf(world, { chunk_size: 1 });
    const text: string = result.continuation_token;
    for (const at of [0, 4, 10, text.length - 1]) {
      const changed = text.slice(0, at) + (text[at] === "0" ? "1" : "0") + text.slice(at + 1);
      const { error } = await pageOf(world, { chunk_size: 1, continuation_token: changed });
      expect(error.code).toBe(33);
    }
  });

  test.each(["", "00", "03", "zz", "at-1", "03".repeat(3_000)])("are invalid: %p", async (text) => {
    const filter = { chunk_size: 1, continuation_token: text };
    expect((await pageOf(worldOf(NEW), filter)).error.code).toBe(33);
  });
});

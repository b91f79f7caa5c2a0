import { beforeAll, describe, expect, test } from "bun:test";
import { rawCall } from "#test/helpers/binary.ts";
import { NO_ESTIMATE, STRK, transferCall } from "#test/helpers/tokens.ts";
import { stallBoundMs } from "#test/helpers/stall.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { useChain } from "#test/helpers/use-chain.ts";

/** Transfers per transaction, and transactions: together more events than five pages hold. */
const CALLS = 100;
const TRANSACTIONS = bySize({ quick: 22, full: 52 });
/** Page size; the largest one at full size. */
const PAGE = bySize({ quick: 400, full: 1000 });
const FIVE_PAGES = 5 * PAGE;

const ATTACKERS = 100;
const ATTACK_MS = bySize({ quick: 2_000, full: 6_000 });
/** The attack lasts until the honest client has more responses than this. */
const FEWEST_ANSWERS = 3;
/** Far above the time of one response, far below that of all queued ones. */
const LONGEST_WAIT_MS = stallBoundMs(5_000);

const INVALID_PARAMS = -32602;
const INVALID_CONTINUATION_TOKEN = 33;
const TOO_MANY_KEYS_IN_FILTER = 34;
const PAGE_SIZE_TOO_BIG = 31;

const chain = useChain();
const sent: string[] = [];

beforeAll(async () => {
  const account = chain.account(0);
  const l2_gas = { ...NO_ESTIMATE.resourceBounds.l2_gas, max_amount: 200_000_000n };
  for (let nonce = 0; nonce < TRANSACTIONS; nonce++) {
    const calls = Array.from({ length: CALLS }, (_, i) =>
      transferCall(`0x${(0x10_000 + nonce * CALLS + i).toString(16)}`, 1n),
    );
    const resourceBounds = { ...NO_ESTIMATE.resourceBounds, l2_gas };
    const { transaction_hash } = await account.execute(calls, { nonce, tip: 0n, resourceBounds });
    sent.push(transaction_hash);
  }
  await chain.provider.waitForTransaction(sent.at(-1) ?? "", { retryInterval: 50 });
}, 120_000);

const filler = (count: number, from = 1n): string[] =>
  Array.from({ length: count }, (_, i) => `0x${(from + BigInt(i)).toString(16)}`);

/** Requests one page; returns the complete response. */
const page = (parts: Readonly<Record<string, unknown>>, path = "") =>
  rawCall(chain.url + path, "starknet_getEvents", {
    filter: { from_block: { block_number: 0 }, chunk_size: 10, ...parts },
  });

test(`starknet.js reads more than ${FIVE_PAGES} events over pages, each once and in order`, async () => {
  const recipients: string[] = [];
  let continuation_token: string | undefined;
  let pages = 0;
  do {
    const found = await chain.provider.getEvents({
      address: STRK,
      from_block: { block_number: 0 },
      to_block: "latest",
      chunk_size: PAGE,
      ...(continuation_token === undefined ? {} : { continuation_token }),
    });
    pages++;
    for (const { transaction_hash, keys, data } of found.events) {
      const fields = [...keys, ...data].map(BigInt);
      const recipient = fields.find((felt) => felt >= 0x10_000n && felt < 0x20_000n);
      if (recipient === undefined) continue;
      recipients.push(`${transaction_hash} ${recipient}`);
    }
    ({ continuation_token } = found);
  } while (continuation_token !== undefined);
  expect(pages).toBeGreaterThan(5);
  expect(recipients).toEqual(
    sent.flatMap((hash, i) =>
      Array.from({ length: CALLS }, (_, call) => `${hash} ${0x10_000 + i * CALLS + call}`),
    ),
  );
}, 60_000);

describe("limits of getEvents", () => {
  test("reject too many addresses", async () => {
    expect((await page({ address: filler(1024) })).error).toBeUndefined();
    const { error } = await page({ address: filler(1025) });
    expect(error).toMatchObject({ code: INVALID_PARAMS, data: { path: "filter.address" } });
  });

  test("reject too many keys", async () => {
    expect((await page({ keys: [filler(1023)] })).error).toBeUndefined();
    for (const keys of [[filler(1024)], filler(1025).map(() => [])]) {
      const { error } = await page({ keys });
      expect(error?.code).toBe(TOO_MANY_KEYS_IN_FILTER);
      expect(error?.data).toContain("filter.keys");
    }
  });

  test("reject a page size out of bounds", async () => {
    expect((await page({ chunk_size: 1024 })).error).toBeUndefined();
    for (const chunk_size of [1025, Number.MAX_SAFE_INTEGER]) {
      expect((await page({ chunk_size })).error?.code).toBe(PAGE_SIZE_TOO_BIG);
    }
    for (const chunk_size of [0, -1, 1.5, "10"]) {
      const { error } = await page({ chunk_size });
      expect(error).toMatchObject({ code: INVALID_PARAMS, data: { path: "filter.chunk_size" } });
    }
  });
});

describe("a continuation token", () => {
  test("of one API version works in another for the same filter", async () => {
    const { result } = await page({});
    const { continuation_token } = result as { continuation_token: string };
    const next = await page({ continuation_token });
    expect(next.error).toBeUndefined();
    for (const path of ["/rpc/v0_7", "/rpc/v0_8", "/rpc/v0_9"]) {
      const older = await page({ continuation_token }, path);
      expect(older.error).toBeUndefined();
      const hashes = ({ result: found }: typeof older) =>
        (found as { events: { transaction_hash: string; keys: string[] }[] }).events.map(
          ({ transaction_hash, keys }) => [transaction_hash, ...keys],
        );
      expect(hashes(older)).toEqual(hashes(next));
    }
  });

  test("that is malformed or of another filter is INVALID_CONTINUATION_TOKEN", async () => {
    const { result } = await page({});
    const { continuation_token: token } = result as { continuation_token: string };
    const changed = [
      "",
      "0",
      "01",
      "null",
      `${token}00`,
      token.slice(2),
      token.toUpperCase() === token ? `0x${token}` : token.toUpperCase(),
      "ff".repeat(41),
      "00".repeat(1 << 19),
      "\u{1f600}".repeat(1000),
    ];
    for (const continuation_token of changed) {
      const { error } = await page({ continuation_token });
      expect([continuation_token.slice(0, 90), error?.code]).toEqual([
        continuation_token.slice(0, 90),
        INVALID_CONTINUATION_TOKEN,
      ]);
    }
    const other = await page({ continuation_token: token, address: STRK });
    expect(other.error?.code).toBe(INVALID_CONTINUATION_TOKEN);
    for (const continuation_token of [1, {}, [], true]) {
      expect((await page({ continuation_token })).error?.code).toBe(INVALID_PARAMS);
    }
  });
});

test(`${ATTACKERS} clients with expensive filters do not block other requests`, async () => {
  // Reads every block and compares every event; hardly any matches.
  const dear = {
    to_block: "pre_confirmed",
    chunk_size: 1000,
    address: [...filler(1023), STRK],
    keys: [[], filler(500), [...filler(400, 1n << 100n), ...filler(100, 0x10_000n)]],
  };
  const plain = { to_block: "pre_confirmed", chunk_size: 1000 };
  let isAttacking = true;
  const codes = new Set<number | undefined>();
  const attacker = async (index: number): Promise<void> => {
    while (isAttacking) codes.add((await page(index % 2 === 0 ? dear : plain)).error?.code);
  };
  const waits: number[] = [];
  const honest = async (): Promise<void> => {
    while (isAttacking) {
      const startedMs = performance.now();
      const { error } = await rawCall(chain.url, "starknet_blockNumber");
      expect(error).toBeUndefined();
      waits.push(performance.now() - startedMs);
      await Bun.sleep(20);
    }
  };
  const attack = Array.from({ length: ATTACKERS }, (_, index) => attacker(index));
  const asking = honest();
  await Bun.sleep(ATTACK_MS);
  while (waits.length <= FEWEST_ANSWERS) await Bun.sleep(20);
  isAttacking = false;
  await Promise.all([...attack, asking]);
  expect(waits.length).toBeGreaterThan(FEWEST_ANSWERS);
  expect(Math.max(...waits)).toBeLessThan(LONGEST_WAIT_MS);
  expect(codes.has(undefined)).toBe(true);
  expect((await page(plain)).error).toBeUndefined();
}, 60_000);

import { describe, expect, test } from "bun:test";
import type { EnteredCall } from "#engine/state/index.ts";
import { selectorFromName, storageVariableKey } from "#protocol/crypto/index.ts";
import { CallMemory } from "#io/origin/memory/call-memory.ts";
import { originQueryText, type SlotQuery } from "#io/origin/query.ts";

const BLOCK = 9;
const addressOf = (index: number): bigint => (1n << 250n) + BigInt(index);
const [POOL, OTHER_POOL, USER, OTHER_USER, TOKEN, OTHER_TOKEN, ACCOUNT] = [
  ...[1, 2, 3, 4, 5, 6, 7].map(addressOf),
] as [bigint, bigint, bigint, bigint, bigint, bigint, bigint];

const SWAP: EnteredCall = {
  depth: 1,
  classHash: 0xc1a55n,
  selector: selectorFromName("swap"),
  contractAddress: POOL,
  callerAddress: USER,
  calldata: [],
};

const storage = (address: bigint, key: bigint, block = BLOCK): SlotQuery => ({
  kind: "storage",
  block,
  address,
  key,
});

const nothing = (): undefined => undefined;
const textsOf = (queries: readonly SlotQuery[]): readonly string[] => queries.map(originQueryText);

/** Queries that a memory expects in a call, after others with their reads. */
function expectedIn(
  call: EnteredCall,
  before: readonly (readonly [EnteredCall, readonly (readonly [SlotQuery, bigint])[]])[],
  valueOf: (query: SlotQuery) => bigint | undefined = nothing,
  block = BLOCK,
): readonly string[] {
  const memory = new CallMemory();
  for (const [entered, reads] of before) {
    memory.enter(entered);
    for (const [query, value] of reads) memory.note(query, value);
  }
  memory.enter(call);
  return textsOf(memory.expected(block, valueOf));
}

describe("CallMemory", () => {
  test("expects nothing of an entry point that has not run", () => {
    const other = { ...SWAP, selector: selectorFromName("quote") };
    expect(expectedIn(SWAP, [[other, [[storage(POOL, 5n), 1n]]]])).toEqual([]);
  });

  test("expects the variables of another contract of the class, at another block", () => {
    const again = { ...SWAP, contractAddress: OTHER_POOL };
    const reads = [
      [storage(POOL, 5n), 1n],
      [{ kind: "nonce", block: BLOCK, address: POOL }, 1n],
    ] as const;
    const expected: readonly SlotQuery[] = [
      storage(OTHER_POOL, 5n, 8),
      { kind: "nonce", block: 8, address: OTHER_POOL },
    ];
    expect(expectedIn(again, [[SWAP, reads]], nothing, 8)).toEqual(textsOf(expected));
  });

  test("expects balances and allowances of the addresses that the call names", () => {
    const call = { ...SWAP, calldata: [TOKEN, 7n] };
    const keyOf = (user: bigint, pool: bigint): readonly bigint[] => [
      storageVariableKey("ERC20_balances", user) + 1n,
      storageVariableKey("ERC20_allowances", user, pool),
    ];
    const reads = keyOf(USER, POOL).map((key) => [storage(TOKEN, key), 1n] as const);
    const again = {
      ...SWAP,
      contractAddress: OTHER_POOL,
      callerAddress: OTHER_USER,
      calldata: [OTHER_TOKEN, 9n],
    };
    const token: EnteredCall = { ...call, depth: 2, contractAddress: TOKEN, selector: 1n };
    const expected = keyOf(OTHER_USER, OTHER_POOL).map((key) => storage(OTHER_TOKEN, key));
    const before = [
      [call, []],
      [token, reads],
    ] as const;
    expect(expectedIn(again, before)).toEqual(textsOf(expected));
  });

  test("follows an address that the contract stores, once it is known", () => {
    const reads = [
      [storage(POOL, 5n), TOKEN],
      [{ kind: "classHash", block: BLOCK, address: TOKEN }, 1n],
    ] as const;
    const again = { ...SWAP, contractAddress: OTHER_POOL };
    expect(expectedIn(again, [[SWAP, reads]])).toEqual(textsOf([storage(OTHER_POOL, 5n)]));
    const valueOf = ({ kind }: SlotQuery) => (kind === "storage" ? OTHER_TOKEN : undefined);
    expect(expectedIn(again, [[SWAP, reads]], valueOf)).toEqual(
      textsOf([{ kind: "classHash", block: BLOCK, address: OTHER_TOKEN }]),
    );
  });

  test("keeps the reads of a multicall's calls apart from those of the account", () => {
    const execute: EnteredCall = {
      ...SWAP,
      contractAddress: ACCOUNT,
      selector: selectorFromName("__execute__"),
    };
    const inner = { ...SWAP, depth: 2 };
    const before = [
      [execute, [[storage(ACCOUNT, 3n), 1n]]],
      [inner, [[storage(POOL, 5n), 1n]]],
    ] as const;
    expect(expectedIn(execute, before)).toEqual(textsOf([storage(ACCOUNT, 3n)]));
  });

  test("counts a read after an inner call for the call whose storage it is", () => {
    const inner: EnteredCall = { ...SWAP, depth: 2, contractAddress: TOKEN, selector: 1n };
    const before = [
      [SWAP, []],
      [inner, [[storage(POOL, 6n), 1n]]],
    ] as const;
    expect(expectedIn({ ...inner, depth: 1 }, before)).toEqual([]);
    expect(expectedIn(SWAP, before)).toEqual(textsOf([storage(POOL, 6n)]));
  });

  test("remembers a bounded number of reads, the last ones", () => {
    const reads = Array.from(
      { length: 500 },
      (_, key) => [storage(POOL, BigInt(key)), 1n] as const,
    );
    const expected = expectedIn(SWAP, [[SWAP, reads]]);
    expect(expected.length).toBeLessThanOrEqual(32);
    expect(expected).toContain(originQueryText(storage(POOL, 499n)));
  });
});

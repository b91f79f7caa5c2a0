import { describe, expect, test } from "bun:test";
import type { JsonValue } from "#base/codec/index.ts";
import { OriginMissing, type OriginQuery, originQueryText } from "#io/origin/index.ts";
import { type AccessParts, askDevnet, devnetWorld, TOKENS } from "#test/helpers/devnet.ts";
import { CONTRACT } from "#test/helpers/sample-chain.ts";

const FORK = { chainId: "SN_MAIN", blockNumber: 0, blockHash: 0xabn };

/** A development chain whose states lack values of its origin until they are fetched. */
function forkWorld(parts: AccessParts = {}) {
  const { context, calls } = devnetWorld({ fork: FORK, ...parts });
  const fetched: string[] = [];
  const lacking = <T>(query: OriginQuery, value: T): T => {
    if (fetched.includes(originQueryText(query))) return value;
    throw new OriginMissing([query]);
  };
  const chain = Object.assign(Object.create(context.chain) as typeof context.chain, {
    stateAt: (number: number) => {
      const state = context.chain.stateAt(number);
      return {
        storageAt: (address: bigint, key: bigint) =>
          lacking({ kind: "storage", block: 0, address, key }, state.storageAt(address, key)),
        nonceAt: (address: bigint) => state.nonceAt(address),
        classHashAt: (address: bigint) =>
          lacking({ kind: "classHash", block: 0, address }, state.classHashAt(address)),
        compiledClassHashOf: () => 0n,
        executableClass: () => undefined,
      };
    },
  });
  const fork = {
    forkBlock: 0,
    ask: () => null,
    require: () => undefined,
    l1AcceptedNumber: () => undefined,
    fetch(queries: readonly OriginQuery[]) {
      fetched.push(...queries.map(originQueryText));
      return Promise.resolve();
    },
    callEndsAtMs: () => 0,
  };
  return { context: { ...context, chain, fork, pending: () => undefined }, calls, fetched };
}

const MESSAGE = {
  l2_contract_address: `0x${CONTRACT.toString(16)}`,
  entry_point_selector: "0x1",
  l1_contract_address: `0x${"1".padStart(40, "0")}`,
  payload: ["0x1"],
  paid_fee_on_l1: "0x1",
  nonce: "0x5",
};

describe("a method that reads values of a fork's origin", () => {
  const cases: readonly (readonly [string, JsonValue])[] = [
    ["devnet_getAccountBalance", { address: "0x5" }],
    ["devnet_getPredeployedAccounts", { with_balance: true }],
    ["dev_predeployedAccounts", []],
    ["devnet_mint", { address: "0x5", amount: 1 }],
    ["devnet_postmanSendMessageToL2", MESSAGE],
  ];
  test.each(cases)("fetches them: %s", async (method, params) => {
    const { context, calls, fetched } = forkWorld();
    const plain = devnetWorld();
    expect(await askDevnet(method, params, context)).toEqual(
      await askDevnet(method, params, { ...plain.context, pending: () => undefined }),
    );
    expect(fetched).not.toEqual([]);
    // Orders are given once, however often the reads are repeated.
    expect(calls).toEqual(plain.calls);
  });

  test("fetches them for the settings of devnet_getConfig", async () => {
    const query: OriginQuery = { kind: "classHash", block: 0, address: TOKENS.WEI };
    let isKnown = false;
    const config = (): { seed: number } => {
      if (!isKnown) throw new OriginMissing([query]);
      return { seed: 7 };
    };
    const { context, fetched } = forkWorld({ config });
    const { fork } = context;
    const fetching = {
      ...fork,
      fetch(queries: readonly OriginQuery[]) {
        isKnown = true;
        return fork.fetch(queries);
      },
    };
    expect(await askDevnet("devnet_getConfig", [], { ...context, fork: fetching })).toEqual({
      result: { seed: 7 },
    });
    expect(fetched).toEqual([originQueryText(query)]);
  });
});

test("a block of the forked network is not accepted on L1 by request", async () => {
  const { context, calls } = forkWorld();
  const answer = await askDevnet("devnet_acceptOnL1", [{ block_number: 0 }], context);
  expect(answer).toHaveProperty(
    "error.message",
    "Block 0 can't be accepted on L1: it is a block of the forked network, and the chain begins after block 0",
  );
  await askDevnet("devnet_acceptOnL1", ["latest"], context);
  expect(calls).toEqual([["acceptOnL1", 1]]);
});

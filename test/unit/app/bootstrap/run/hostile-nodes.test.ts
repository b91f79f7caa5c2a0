import { describe, expect, test } from "bun:test";
import { AppError } from "#base/errors/index.ts";
import { COSTS, EMPTY_L1, PLANNED, useBootstrapNodes } from "#test/helpers/bootstrap-nodes.ts";

/** Results that no method or no chain has. */
const LIES: readonly unknown[] = [
  null,
  "",
  "zz",
  "0x",
  "0x1",
  `0x${"f".repeat(64)}`,
  `0x${"f".repeat(10_000)}`,
  -1,
  1e308,
  true,
  [],
  [[]],
  {},
  { status: "0x1", starknet_version: "x", transaction_hash: [], core_contract: 5 },
];

const { eth_chainId, eth_getTransactionCount, eth_getBlockByNumber } = EMPTY_L1;
const PLAUSIBLE: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  nothing: {},
  "the chain id of L1": { eth_chainId },
  "block 0": { eth_chainId, eth_getBlockByNumber },
  "the deployer's nonce": { eth_chainId, eth_getBlockByNumber, eth_getTransactionCount },
  "an empty L1": EMPTY_L1,
  "the chain id of L2": { ...EMPTY_L1, starknet_chainId: PLANNED.starknet_chainId },
  "all but transactions": PLANNED,
  "all but what became of a transaction": { ...PLANNED, ...COSTS },
};

const nodes = useBootstrapNodes();

describe("a node with honest answers only for", () => {
  for (const [what, answers] of Object.entries(PLAUSIBLE)) {
    test(`${what} ends the bootstrap with a reason that hides its address`, async () => {
      nodes.honest = answers;
      for (const lie of LIES) {
        nodes.lie = lie;
        const end = await nodes.endOf();
        if (!(end instanceof AppError)) throw end;
        expect(end.message).not.toMatch(/pass-word|secret-api-key/);
        expect(end.message.length).toBeLessThan(600);
      }
    }, 30_000);
  }
});

test("rejects prices that would take the deployer's whole balance", async () => {
  const block = { ...EMPTY_L1.eth_getBlockByNumber, baseFeePerGas: "0xffffffffffffff" };
  nodes.honest = { ...PLANNED, ...COSTS, eth_getBlockByNumber: block };
  nodes.lie = null;
  nodes.asked.length = 0;
  expect(await nodes.endOf()).toMatchObject({ code: "BOOTSTRAP_COST" });
  expect(nodes.asked).not.toContain("eth_sendRawTransaction");
});

import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { Bootstrap, readSettings } from "#app/bootstrap/index.ts";
import { AppError } from "#base/errors/index.ts";
import { makePlan } from "#app/bootstrap/plan/plan.ts";
import { hexFromFelt, SYSTEM_TIMER } from "#base/primitives/index.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const MAX_UINT = `0x${"f".repeat(64)}`;

/** Results that no method has, or that no chain has. */
const LIES: readonly unknown[] = [
  null,
  "",
  "zz",
  "0x",
  "0x1",
  MAX_UINT,
  `0x${"f".repeat(10_000)}`,
  -1,
  1e308,
  true,
  [],
  [[]],
  {},
  { status: "0x1", starknet_version: "x", transaction_hash: [], core_contract: 5 },
];

const folder = temporaryFolder();
let honest: Readonly<Record<string, unknown>> = {};
let lie: unknown;
const server = Bun.serve({
  port: 0,
  async fetch(request) {
    const { method } = (await request.json()) as { method: string };
    return Response.json({ id: 1, result: method in honest ? honest[method] : lie });
  },
});
afterAll(async () => {
  await server.stop(true);
  folder[Symbol.dispose]();
});

let runs = 0;
beforeEach(() => {
  runs++;
});

/** Sets up a chain beside nodes that lie, and gives why that ended. */
async function endOf(): Promise<unknown> {
  const url = `http://user:pass-word@127.0.0.1:${server.port}/secret-api-key`;
  const environment = { APP_CHAIN_ID: "X", ETH_RPC: url, ROLLUP_SEQ_URL: url, L1_WAIT_TIME: "1" };
  const { settings } = readSettings(environment, true);
  try {
    const bootstrap = await Bootstrap.plan({
      settings: { ...settings, transactionWaitMs: 20, crossChainWaitMs: 20 },
      l1Token: null,
      addressesPath: folder.file(`addresses-${runs}.json`),
      resumes: false,
      waiting: { timer: SYSTEM_TIMER, signal: new AbortController().signal },
    });
    await bootstrap.warnings();
    await bootstrap.run(bootstrap.steps, false, { begin: () => {}, end: () => {} });
    return undefined;
  } catch (error) {
    return error;
  }
}

const L1 = { eth_chainId: "0x7a69", eth_getTransactionCount: "0x0", eth_getBalance: "0x1" };
const PLAUSIBLE: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  nothing: {},
  "the chain id of L1": { eth_chainId: "0x7a69" },
  "the deployer's nonce": L1,
  "what L1 is": { ...L1, eth_getCode: "0x" },
  "what a transaction on L1 costs": {
    ...L1,
    eth_getCode: "0x",
    starknet_chainId: "0x58",
    eth_estimateGas: "0x5208",
    eth_maxPriorityFeePerGas: "0x1",
    eth_getBlockByNumber: { number: "0x1", baseFeePerGas: "0x1", transactions: [] },
  },
  "all but transactions": {
    ...L1,
    eth_getCode: "0x",
    starknet_chainId: "0x58",
    appchain_getContractAddresses: plannedContracts(),
  },
  "the chain id of L2": { ...L1, eth_getCode: "0x", starknet_chainId: "0x58" },
};

describe("a node that is honest about", () => {
  for (const [what, answers] of Object.entries(PLAUSIBLE)) {
    test(`${what} alone ends the bootstrap with a reason, and nothing is told of its address`, async () => {
      honest = answers;
      for (const each of LIES) {
        lie = each;
        const end = await endOf();
        if (!(end instanceof AppError)) throw end;
        expect(end.message).not.toMatch(/pass-word|secret-api-key/);
        expect(end.message.length).toBeLessThan(600);
      }
    }, 30_000);
  }
});

test("a node whose prices would take all that the deployer has is not believed", async () => {
  honest = {
    ...PLAUSIBLE["what a transaction on L1 costs"],
    eth_getBlockByNumber: { number: "0x1", baseFeePerGas: "0xffffffffffffff", transactions: [] },
  };
  honest = { ...honest, appchain_getContractAddresses: plannedContracts() };
  lie = null;
  const end = await endOf();
  expect(end).toMatchObject({ code: "BOOTSTRAP_COST" });
});

/** What a chain says that was started with the plan. */
function plannedContracts(): unknown {
  const { settings } = readSettings({ APP_CHAIN_ID: "X" }, true);
  const { l1, l2 } = makePlan({ settings, firstNonce: 0, l1Token: null });
  return {
    core_contract: hexFromFelt(BigInt(l1.core)),
    native_fee_token: hexFromFelt(l2.nativeToken),
    parent_fee_token: hexFromFelt(l2.ethToken),
  };
}

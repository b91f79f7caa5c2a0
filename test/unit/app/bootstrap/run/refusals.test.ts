import { describe, expect, test } from "bun:test";
import { ConfigError } from "#base/errors/index.ts";
import {
  COSTS,
  EMPTY_L1,
  PLANNED,
  plannedAccount,
  plannedDigest,
  RpcRefused,
  useBootstrapNodes,
} from "#test/helpers/bootstrap-nodes.ts";

const nodes = useBootstrapNodes();

/** File of an earlier run, which started at the deployer's first nonce. */
const BEGUN = JSON.stringify({
  bootstrap: {
    app_chain_id: "X",
    eth_chain_id: 31_337,
    l1_deployer_address: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
    l1_deployer_nonce: 0,
    l1_token_address: null,
    is_development: true,
    l1_genesis_hash: EMPTY_L1.eth_getBlockByNumber.hash,
    has_genesis: false,
    plan: plannedDigest(),
  },
});

function sent(): readonly string[] {
  return nodes.asked.filter((method) => /send|add[A-Z]/.test(method));
}

describe("refuses a chain that contradicts the plan before the first step", () => {
  const fields = {
    core_contract: "eth_core_contract_address 0x1,",
    native_fee_token: "native_fee_token_address 0x1,",
    parent_fee_token: "parent_fee_token_address 0x1,",
  };
  for (const [member, message] of Object.entries(fields)) {
    test(member, async () => {
      const contracts = { ...PLANNED.appchain_getContractAddresses, [member]: "0x1" };
      nodes.honest = { ...PLANNED, ...COSTS, appchain_getContractAddresses: contracts };
      const end = await nodes.endOf();
      if (!(end instanceof ConfigError)) throw end;
      expect(end.issues.map(({ path }) => path)).toEqual(["ROLLUP_SEQ_URL"]);
      expect(end.issues[0]?.message).toContain(`the chain was started with ${message}`);
      expect(sent()).toEqual([]);
    });
  }

  test("chain id together with all other differences", async () => {
    const contracts = { core_contract: "0x0", native_fee_token: "0x1", parent_fee_token: "0x2" };
    nodes.honest = {
      ...PLANNED,
      starknet_chainId: "0x59",
      appchain_getContractAddresses: contracts,
    };
    const end = await nodes.endOf();
    if (!(end instanceof ConfigError)) throw end;
    expect(end.issues.map(({ path }) => path)).toEqual([
      "APP_CHAIN_ID",
      "ROLLUP_SEQ_URL",
      "ROLLUP_SEQ_URL",
      "ROLLUP_SEQ_URL",
    ]);
    expect(sent()).toEqual([]);
  });
});

describe("refuses a plan whose addresses are impossible because", () => {
  test("the deployer's nonce was used for something else", async () => {
    nodes.honest = { ...PLANNED, ...COSTS, eth_getTransactionCount: "0x1" };
    const end = await nodes.endOf(BEGUN);
    expect(end).toMatchObject({ code: "BOOTSTRAP_NONCE" });
    expect(String(end)).toContain("nonce 0 of 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266 was used");
    expect(sent()).toEqual([]);
  });

  test("another contract has the address", async () => {
    // It returns empty data for every call.
    nodes.honest = {
      ...PLANNED,
      eth_getTransactionCount: "0x1",
      eth_getCode: "0x60",
      eth_call: "0x",
    };
    expect(await nodes.endOf(BEGUN)).toMatchObject({ code: "BOOTSTRAP_OTHER_CONTRACT" });
  });
});

test("waits a bounded time for a pending transaction of the deployer", async () => {
  nodes.honest = { ...PLANNED, ...COSTS };
  nodes.lie = null;
  const counts = ["0x0", "0x1"];
  Object.defineProperty(nodes.honest, "eth_getTransactionCount", {
    get: () => {
      const next = counts.shift() ?? "0x0";
      counts.push(next);
      return next;
    },
  });
  expect(await nodes.endOf(BEGUN)).toMatchObject({ code: "BOOTSTRAP_PENDING" });
  expect(sent()).toEqual([]);
});

test("refuses a chain without a contract that the file records", async () => {
  const noContract = new RpcRefused(20);
  nodes.honest = { ...PLANNED, ...COSTS, starknet_getClassHashAt: noContract };
  nodes.lie = null;
  nodes.asked.length = 0;
  const recorded = { ...JSON.parse(BEGUN), account_address: plannedAccount() };
  const end = await nodes.endOf(JSON.stringify(recorded));
  expect(end).toBeInstanceOf(ConfigError);
  expect(String(end)).toContain("records l2-account as done, and account_address is not there");
  expect(sent()).toEqual([]);
});

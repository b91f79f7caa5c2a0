import { describe, expect, test } from "bun:test";
import { bridgedToken, type Sides } from "#app/bridge/index.ts";
import { writeJournal } from "#app/bootstrap/plan/journal.ts";
import { AppError } from "#base/errors/index.ts";
import { feltFromShortString } from "#base/primitives/index.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const address = (digit: string) => `0x${digit.repeat(40)}` as const;
const hash = (digit: string): string => `0x${digit.repeat(64)}`;
const [CORE, ETH_BRIDGE, TOKEN_BRIDGE, TOKEN] = ["1", "2", "3", "4"].map(address);

const BEGINNING = {
  app_chain_id: "X",
  eth_chain_id: 31_337,
  l1_deployer_address: address("f"),
  l1_deployer_nonce: 0,
  l1_token_address: null,
  is_development: true,
  l1_genesis_hash: hash("a"),
  has_genesis: false,
  plan: hash("b"),
};
const ADDRESSES: Readonly<Record<string, string>> = {
  l1_core_contract_address: CORE ?? "",
  ETH_l1_bridge_address: ETH_BRIDGE ?? "",
  ERC20_l1_bridge_address: TOKEN_BRIDGE ?? "",
  l1_token_address: TOKEN ?? "",
  ETH_l2_bridge_address: "0x51",
  ERC20_l2_bridge_address: "0x52",
};

/** Responses of both sides, consistent with the file unless the test changes them. */
const HONEST: Readonly<Record<string, unknown>> = {
  l1ChainId: 31_337,
  genesisHash: hash("a"),
  l2ChainId: feltFromShortString("X"),
  core: BigInt(CORE ?? 0),
  messagingContract: CORE,
  l2TokenBridge: 0x52n,
  get_l1_bridge: BigInt(TOKEN_BRIDGE ?? 0),
  get_l2_token: 0x99n,
  symbol: "FEE",
  decimals: 6,
};

async function found(
  lies: Readonly<Record<string, unknown>> = {},
  file: Readonly<Record<string, string>> = ADDRESSES,
) {
  using folder = temporaryFolder();
  const path = folder.file("addresses.json");
  writeJournal(path, { beginning: BEGINNING, addresses: file });
  const told = { ...HONEST, ...lies };
  const sides = {
    settings: { appChainId: "X" },
    l1: {
      chainId: () => Promise.resolve(told["l1ChainId"]),
      genesisHash: () => Promise.resolve(told["genesisHash"]),
      read: (call: { functionName: string }) => Promise.resolve(told[call.functionName]),
    },
    l2: {
      chainId: () => Promise.resolve(told["l2ChainId"]),
      contracts: () => Promise.resolve({ core: told["core"] }),
      read: (call: { functionName: string }) => Promise.resolve([told[call.functionName]]),
    },
  } as unknown as Sides;
  return await bridgedToken(sides, "fee", path).catch((cause: unknown) => cause);
}

test("has the bridges of the file, and its metadata from the chain", async () => {
  expect(await found()).toEqual({
    l1Token: TOKEN,
    l2Token: 0x99n,
    l1Bridge: TOKEN_BRIDGE,
    l2Bridge: 0x52n,
    core: CORE,
    contract: "TokenBridge",
    symbol: "FEE",
    decimals: 6,
  });
});

test("accepts an L1 that no longer has its block 0", async () => {
  expect(await found({ genesisHash: null })).toMatchObject({ l2Token: 0x99n });
});

describe("is refused if", () => {
  test.each([
    ["L1 has a different chain id", { l1ChainId: 1 }, "ETH_RPC has another chain id"],
    [
      "L1 is a different chain with the same id",
      { genesisHash: hash("c") },
      "another chain with the same",
    ],
    ["L2 has a different chain id", { l2ChainId: 1n }, "ROLLUP_SEQ_URL has another chain id"],
    ["the sequencer has a different core contract", { core: 1n }, "has another core contract"],
    [
      "the bridge on L1 has a different core contract",
      { messagingContract: TOKEN },
      "no pair on L1",
    ],
    ["the bridge on L1 has no core contract", { messagingContract: undefined }, "no pair on L1"],
    ["the bridge on L1 has a different L2 bridge", { l2TokenBridge: 0x53n }, "no pair on L1"],
    ["the bridge on L2 has a different L1 bridge", { get_l1_bridge: 1n }, "no pair on L2"],
    ["the bridge on L2 returns no L1 bridge", { get_l1_bridge: undefined }, "no pair on L2"],
    ["it has no counterpart on L2", { get_l2_token: 0n }, "has no token on L2 yet"],
    ["it returns no decimals", { decimals: "6" }, "has no symbol and decimals"],
  ])("%s", async (_, lies, message) => {
    const end = await found(lies);
    if (!(end instanceof AppError)) throw new TypeError(`it is taken: ${JSON.stringify(lies)}`);
    expect(end.message).toContain(message);
  });

  test.each(["l1_core_contract_address", "ERC20_l1_bridge_address", "ERC20_l2_bridge_address"])(
    "the file has no %s",
    async (name) => {
      const { [name]: _, ...rest } = ADDRESSES;
      expect(String(await found({}, rest))).toContain(`it has no ${name}`);
    },
  );
});

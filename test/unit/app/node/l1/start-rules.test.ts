import { describe, expect, test } from "bun:test";
import { checkL1 } from "#app/node/l1/start-rules.ts";
import { noPrices } from "#app/node/storage/folder/no-prices.ts";
import { L1Error, NodeError } from "#base/errors/index.ts";
import { describeError } from "#base/telemetry/index.ts";

const OWN = 0xc0den;
const MAINNET = 0xc662c410c0ecf747543f5ba90660f6abebd9c8c4n;
const INTEGRATION = 0x4737c0c1b4d5b1a687b42610ddabee781152359cn;

/** Checks an L1 as at start. */
function look(
  ethCoreContractAddress: bigint,
  { chainId = 31_337, hasCode = true, error = undefined as Error | undefined } = {},
) {
  const answer = <T>(value: T): Promise<T> =>
    error === undefined ? Promise.resolve(value) : Promise.reject(error);
  const source = { chainId: () => answer(chainId), hasCoreContract: () => answer(hasCode) };
  return checkL1(source, { ethCoreContractAddress });
}

async function refusal(found: Promise<unknown>): Promise<string> {
  try {
    await found;
  } catch (error) {
    expect(error).toBeInstanceOf(NodeError);
    return describeError(error);
  }
  throw new TypeError("it was not refused");
}

describe("L1 checks at start", () => {
  test("return L1's chain id", async () => {
    expect(await look(OWN)).toBe(31_337);
    expect(await look(MAINNET, { chainId: 1 })).toBe(1);
    expect(await look(INTEGRATION, { chainId: 11_155_111 })).toBe(11_155_111);
  });

  test.each([[0n], [OWN]])("require a core contract at 0x%s", async (address) => {
    expect(await refusal(look(address, { hasCode: false }))).toContain(
      "The L1 Core Contract could not be found. Check that the L2 chain matches the L1 RPC endpoint.",
    );
  });

  test("reject the core contract address 0 even if code is stored there", async () => {
    expect(await refusal(look(0n, { hasCode: true }))).toContain(
      "eth_core_contract_address is 0x0",
    );
  });

  test("require the L1 chain that a public network's core contract is on", async () => {
    expect(await refusal(look(MAINNET, { chainId: 31_337 }))).toContain("L1 chain 1,");
    expect(await refusal(look(INTEGRATION, { chainId: 1 }))).toContain("11155111");
  });

  test("fail if endpoints contradict each other", async () => {
    const error = new L1Error("L1_OTHER_CHAIN", "a is of 1, b is of 5", false);
    expect(await refusal(look(OWN, { error }))).toContain("--l1-endpoint: a is of 1, b is of 5");
  });

  test("return the error if L1 does not respond", async () => {
    const error = new L1Error("L1_UNREACHABLE", "nobody answers", true);
    expect(await look(OWN, { error })).toBe(error);
  });
});

test("a new chain without prices fails and names the options that fix them", () => {
  const { message } = noPrices("nobody answers");
  for (const words of ["nobody answers", "--l1-gas-price", "--blob-gas-price", "--strk-per-eth"]) {
    expect(message).toContain(words);
  }
});

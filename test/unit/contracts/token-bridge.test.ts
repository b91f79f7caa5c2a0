import { expect, test } from "bun:test";
import { hash } from "starknet";
import { BOB, entry, text } from "#test/helpers/contract-scenarios/kit.ts";
import {
  BRIDGE,
  L1_ACCOUNT,
  L1_BRIDGE,
  L1_ETH,
  L1_TOKEN,
  L2_ETH,
  l2TokenAddress,
} from "#test/helpers/contract-scenarios/token-bridge.ts";
import { describeContract } from "./behaviour.ts";
import { TOKEN_BRIDGE } from "./expectations.ts";
import { callsOf, eventsOf, type StepResult } from "./scenario-result.ts";

const MAX_HALF = "0xffffffffffffffffffffffffffffffff";
const selector = (name: string): string => hash.getSelectorFromName(name);
const messagesOf = (step: StepResult) => callsOf(step).flatMap(({ messages }) => messages);

describeContract("token_bridge", TOKEN_BRIDGE, (step) => {
  test("a token is deployed at its predictable address, with an event", () => {
    const deployed = step("deployment");
    expect(deployed.state_diff?.deployed_contracts).toEqual({
      [l2TokenAddress()]: entry("erc20").classHash,
    });
    expect(eventsOf(deployed)).toEqual([
      { keys: [selector("DeployHandled")], data: [L1_TOKEN, text("Token"), text("TKN"), "0x6"] },
    ]);
  });

  test("a deposit is minted for its recipient", () => {
    expect(eventsOf(step("deposit"))).toEqual([
      { keys: [selector("DepositHandled"), L1_TOKEN, BOB], data: ["0x3e8", "0x0"] },
      { keys: [selector("Transfer"), "0x0", BOB], data: ["0x3e8", "0x0"] },
    ]);
    expect(messagesOf(step("deposit"))).toEqual([]);
  });

  test("deposits of a missing token are returned to their depositors", () => {
    expect(eventsOf(step("deposit of a token that is not there"))).toEqual([
      { keys: [selector("DepositUnhandled"), L1_TOKEN, L1_ACCOUNT], data: ["0x5", "0x0"] },
    ]);
    const returned = step("return_deposits");
    expect(eventsOf(returned)).toEqual([
      { keys: [selector("DepositsReturned"), L1_TOKEN, L1_ACCOUNT], data: [MAX_HALF, MAX_HALF] },
    ]);
    expect(messagesOf(returned)).toMatchObject([
      { to_address: L1_BRIDGE, payload: ["0x0", L1_ACCOUNT, L1_TOKEN, MAX_HALF, MAX_HALF] },
    ]);
  });

  test("a withdrawal burns tokens of the caller and sends a message to L1", () => {
    const withdrawn = step("withdraw");
    expect(eventsOf(withdrawn)).toEqual([
      {
        keys: [selector("WithdrawInitiated"), L1_TOKEN, L1_ACCOUNT, BOB],
        data: ["0x190", "0x0"],
      },
      { keys: [selector("Transfer"), BOB, "0x0"], data: ["0x190", "0x0"] },
    ]);
    expect(messagesOf(withdrawn)).toMatchObject([
      { to_address: L1_BRIDGE, payload: ["0x0", L1_ACCOUNT, L1_TOKEN, "0x190", "0x0"] },
    ]);
  });

  test("the governor sets an existing token, which is minted and burned like others", () => {
    expect(eventsOf(step("set_l2_token"))).toEqual([
      { keys: [selector("L2TokenSet"), L1_ETH, L2_ETH], data: [] },
    ]);
    expect(eventsOf(step("deposit of ETH"))[1]).toEqual({
      keys: [selector("Transfer"), "0x0", BOB],
      data: ["0x7", "0x0"],
    });
    expect(messagesOf(step("withdraw ETH"))).toMatchObject([
      { payload: ["0x0", L1_ACCOUNT, L1_ETH, "0x7", "0x0"] },
    ]);
  });

  test("settings and the governance transfer emit events", () => {
    const told = [
      "set_l1_bridge",
      "set_erc20_class_hash",
      "nominate_governor",
      "accept_governance",
    ];
    expect(told.map((name) => eventsOf(step(name)))).toEqual([
      [{ keys: [selector("L1BridgeSet")], data: [L1_BRIDGE] }],
      [{ keys: [selector("Erc20ClassHashStored")], data: ["0x1", entry("erc20").classHash] }],
      [{ keys: [selector("GovernorNominated")], data: ["0x60f"] }],
      [{ keys: [selector("GovernanceAccepted")], data: ["0x60e", "0x60f"] }],
    ]);
  });

  test("a failed step leaves no storage changes", () => {
    const { state_diff: diff } = step("deposit beyond the largest supply");
    expect(diff?.storage_diffs[l2TokenAddress()] ?? {}).toEqual({});
    expect(diff?.storage_diffs[BRIDGE] ?? {}).toEqual({});
  });
});

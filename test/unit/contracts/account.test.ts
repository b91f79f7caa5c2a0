import { expect, test } from "bun:test";
import { hash } from "starknet";
import {
  ALICE,
  KEYS,
  accountAddress,
  entry,
  publicKey,
  slot,
} from "#test/helpers/contract-scenarios/kit.ts";
import { describeContract } from "./behaviour.ts";
import { ACCOUNT } from "./expectations.ts";
import { eventsOf } from "./scenario-result.ts";

const OWNER_ADDED = hash.getSelectorFromName("OwnerAdded");
const OWNER_REMOVED = hash.getSelectorFromName("OwnerRemoved");

describeContract("account", ACCOUNT, (step) => {
  test("a deployment sets the owner's key and emits OwnerAdded", () => {
    const deployed = step("deploy");
    const address = accountAddress("0x1", KEYS.bob);
    const key = publicKey(KEYS.bob);
    expect(deployed.state_diff?.deployed_contracts[address]).toBe(entry("account").classHash);
    expect(deployed.state_diff?.storage_diffs[address]).toEqual({
      [slot("Account_public_key")]: key,
    });
    expect(eventsOf(deployed)).toEqual([{ keys: [OWNER_ADDED, key], data: [] }]);
  });

  test("a key change emits both keys", () => {
    expect(eventsOf(step("set_public_key"))).toEqual([
      { keys: [OWNER_REMOVED, publicKey(KEYS.alice)], data: [] },
      { keys: [OWNER_ADDED, publicKey(KEYS.nobody)], data: [] },
    ]);
  });

  test("a failed multicall emits no events", () => {
    expect(eventsOf(step("three calls, the second fails"))).toEqual([]);
  });

  test("deploy_contract derives the address with or without the account", () => {
    const classHash = entry("universal_deployer").classHash;
    const addresses = [ALICE, "0x0"].map((deployer) =>
      hash.calculateContractAddressFromHash("0x7", classHash, [], deployer),
    );
    expect(step("deploy_contract").calls?.execute?.result).toEqual([
      "0x2",
      "0x1",
      addresses[0] ?? "",
      "0x1",
      addresses[1] ?? "",
    ]);
  });
});

import { expect, test } from "bun:test";
import { ec, hash } from "starknet";
import { ALICE, BOB, KEYS, entry, publicKey } from "#test/helpers/contract-scenarios/kit.ts";
import {
  FIRST_ADDRESS,
  SECOND_ADDRESS,
} from "#test/helpers/contract-scenarios/universal-deployer.ts";
import { describeContract } from "./behaviour.ts";
import { UNIVERSAL_DEPLOYER } from "./expectations.ts";
import { eventsOf } from "./scenario-result.ts";

const CONTRACT_DEPLOYED = hash.getSelectorFromName("ContractDeployed");
const KEY = publicKey(KEYS.bob);
const ACCOUNT = entry("account").classHash;

/** Address that public tools compute for a deployment through a universal deployer. */
function expectedAddress(deployer: string, caller: string, salt: string, unique: boolean): string {
  const usedSalt = unique ? ec.starkCurve.pedersen(caller, salt) : salt;
  return hash.calculateContractAddressFromHash(usedSalt, ACCOUNT, [KEY], unique ? deployer : 0);
}

const DEPLOYMENTS = [
  ["first address, deployContract, unique", FIRST_ADDRESS, "0x1", true],
  ["first address, deployContract", FIRST_ADDRESS, "0x2", false],
  ["first address, deploy_contract, unique", FIRST_ADDRESS, "0x3", true],
  ["first address, deploy_contract", FIRST_ADDRESS, "0x4", false],
  ["second address, deploy_contract, unique", SECOND_ADDRESS, "0x1", true],
  ["second address, deploy_contract", SECOND_ADDRESS, "0x5", false],
  ["second address, deployContract, unique", SECOND_ADDRESS, "0x3", true],
  ["second address, deployContract", SECOND_ADDRESS, "0x6", false],
] as const;

describeContract("universal_deployer", UNIVERSAL_DEPLOYER, (step) => {
  test.each(DEPLOYMENTS.map((row) => [...row] as const))(
    "%s: deploys to the address that tools compute",
    (name, deployer, salt, unique) => {
      const address = expectedAddress(deployer, ALICE, salt, unique);
      expect(step(name).state_diff?.deployed_contracts).toEqual({ [address]: ACCOUNT });
    },
  );

  test("the event has only its selector as key and contains the caller's salt", () => {
    const deployed = step("other caller, same salt");
    const address = expectedAddress(FIRST_ADDRESS, BOB, "0x1", true);
    expect(eventsOf(deployed)[0]).toEqual({
      keys: [CONTRACT_DEPLOYED],
      data: [address, BOB, "0x1", ACCOUNT, "0x1", KEY, "0x1"],
    });
  });
});

import {
  ALICE,
  BOB,
  KEYS,
  type Scenario,
  type Step,
  call,
  entry,
  invoke,
  publicKey,
  scenario,
  text,
} from "./kit.ts";

/** Address of the universal deployer with the function `deployContract` on public networks. */
export const FIRST_ADDRESS = "0x41a78e741e5af2fec34b695679bc6891742439f7afb8484ecd7766661ad02bf";
/** Address of the universal deployer with the function `deploy_contract` on public networks. */
export const SECOND_ADDRESS = "0x2ceed65a4bd731034c01113685c831b01c15d7d432f71afb1cf1634b53a2125";

/**
 * Creates the scenario of the universal deployer: both interfaces at both addresses, each salt
 * rule, its failures.
 */
export function universalDeployerScenario(protocolVersion: string): Scenario {
  const account = entry("account").classHash;
  const own = entry("universal_deployer").classHash;
  const key = publicKey(KEYS.bob);
  const calldata = (salt: string, unique: string): string[] => [account, salt, unique, "0x1", key];
  const deploy = (name: string, to: string, entrypoint: string, salt: string, unique: string) =>
    invoke(name, ALICE, KEYS.alice, [{ to, entrypoint, calldata: calldata(salt, unique) }]);

  const steps: Step[] = [
    deploy("first address, deployContract, unique", FIRST_ADDRESS, "deployContract", "0x1", "0x1"),
    deploy("first address, deployContract", FIRST_ADDRESS, "deployContract", "0x2", "0x0"),
    deploy(
      "first address, deploy_contract, unique",
      FIRST_ADDRESS,
      "deploy_contract",
      "0x3",
      "0x1",
    ),
    deploy("first address, deploy_contract", FIRST_ADDRESS, "deploy_contract", "0x4", "0x0"),
    deploy(
      "second address, deploy_contract, unique",
      SECOND_ADDRESS,
      "deploy_contract",
      "0x1",
      "0x1",
    ),
    deploy("second address, deploy_contract", SECOND_ADDRESS, "deploy_contract", "0x5", "0x0"),
    deploy(
      "second address, deployContract, unique",
      SECOND_ADDRESS,
      "deployContract",
      "0x3",
      "0x1",
    ),
    deploy("second address, deployContract", SECOND_ADDRESS, "deployContract", "0x6", "0x0"),
    deploy("the address is taken, unique", FIRST_ADDRESS, "deployContract", "0x1", "0x1"),
    deploy(
      "the address is taken by the other deployer",
      FIRST_ADDRESS,
      "deployContract",
      "0x5",
      "0x0",
    ),
    call("other caller, same salt", FIRST_ADDRESS, "deployContract", calldata("0x1", "0x1"), BOB),
    call("without constructor", SECOND_ADDRESS, "deploy_contract", [own, "0x1", "0x1", "0x0"], BOB),
    call(
      "constructor fails",
      SECOND_ADDRESS,
      "deploy_contract",
      [account, "0x9", "0x1", "0x0"],
      BOB,
    ),
    call(
      "class is not declared",
      SECOND_ADDRESS,
      "deploy_contract",
      [text("no class"), "0x9", "0x1", "0x0"],
      BOB,
    ),
    call("unique is no boolean", FIRST_ADDRESS, "deployContract", calldata("0xa", "0x2"), BOB),
  ];
  return scenario(
    `contracts_universal_deployer_${protocolVersion.replaceAll(".", "_")}`,
    "The shipped universal deployer: both interfaces at both public addresses.",
    protocolVersion,
    {
      [FIRST_ADDRESS]: { class_hash: own },
      [SECOND_ADDRESS]: { class_hash: own },
    },
    steps,
  );
}

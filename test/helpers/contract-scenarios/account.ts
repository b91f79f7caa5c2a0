import {
  ALICE,
  BOB,
  type Call,
  ETH,
  KEYS,
  STRANGER,
  STRK,
  type Scenario,
  type Step,
  accountAddress,
  call,
  callArray,
  declare,
  deployAccount,
  entry,
  invoke,
  invokeV1,
  publicKey,
  scenario,
  sign,
  slot,
  u256,
} from "./kit.ts";

const SRC5_ID = "0x3f918d17e5ee77373b56385708f855659a07f75997f365cf87748628532a055";
const SRC6_ID = "0x2ceccef7f994940b3962a6c67e0ba4fcd37df7d131417c604f91e03caecc1cd";
const MESSAGE = "0x123456789abcdef";

/** Point that collides with none of the random points of a run. */
const KNOWN_POINT = "0x3928efdddd7eb92474e020c47b85db39be158a9579ee5824ac1adfd9d2883f9";
const POINT_OWNED = "0x90147";
/** Class hash that texts print with leading zeros. */
const SMALL_HASH = "0x5";

/**
 * Creates the scenario of the shipped account: deployment, transfers, rejections, signature checks,
 * change of the key.
 */
export function accountScenario(protocolVersion: string): Scenario {
  const compiledHash = protocolVersion === "0.14.4" ? "compiledClassHashV2" : "compiledClassHashV1";
  const fresh = accountAddress("0x1", KEYS.bob);
  const transfer = (to: string, amount: bigint, token = STRK): Call => ({
    to: token,
    entrypoint: "transfer",
    calldata: [to, ...u256(amount)],
  });
  const one = [transfer("0xca201", 1000n)];
  const good = sign(MESSAGE, KEYS.alice);
  const signed = (signature: readonly string[]): string[] => [
    MESSAGE,
    `0x${signature.length}`,
    ...signature,
  ];
  const newKey = publicKey(KEYS.nobody);
  const setKey = (entrypoint: string, key: string): Call[] => [
    { to: ALICE, entrypoint, calldata: [key] },
  ];
  const deployToken = (salt: string, fromZero: string): Call => ({
    to: ALICE,
    entrypoint: "deploy_contract",
    calldata: [entry("universal_deployer").classHash, salt, fromZero, "0x0"],
  });

  const steps: Step[] = [
    deployAccount("deploy, wrong key", "0x1", KEYS.bob, KEYS.alice),
    deployAccount("deploy", "0x1", KEYS.bob, KEYS.bob),
    invoke("transfer by the deployed account", fresh, KEYS.bob, one),
    invoke("transfer to a fresh address", ALICE, KEYS.alice, [transfer("0xca202", 1000n)]),
    invoke("transfer", ALICE, KEYS.alice, one),
    invokeV1("transfer, version 1", ALICE, KEYS.alice, one),
    {
      ...invoke("transfer, query version", ALICE, KEYS.alice, one),
      flags: { only_query: true, charge_fee: false },
    },
    invoke("transfer, too large", ALICE, KEYS.alice, [transfer("0xca201", 10n ** 30n)]),
    invoke("transfer, wrong key", ALICE, KEYS.bob, one),
    invoke("no call", ALICE, KEYS.alice, []),
    invoke("three calls", ALICE, KEYS.alice, [...one, transfer("0xca203", 1n, ETH), ...one]),
    invoke("three calls, the second fails", ALICE, KEYS.alice, [
      ...one,
      transfer("0xca203", 10n ** 30n, ETH),
      ...one,
    ]),
    invoke("call of an unknown function", ALICE, KEYS.alice, [
      { to: STRK, entrypoint: "no_such_function", calldata: [] },
    ]),
    declare(
      "declare",
      ALICE,
      KEYS.alice,
      "universal_deployer",
      entry("universal_deployer")[compiledHash],
    ),
    declare(
      "declare, other compiled class hash",
      ALICE,
      KEYS.alice,
      "universal_deployer",
      SMALL_HASH,
    ),
    call("is_valid_signature", ALICE, "is_valid_signature", signed(good)),
    call("isValidSignature", ALICE, "isValidSignature", signed(good)),
    call("is_valid_signature, other message", ALICE, "is_valid_signature", ["0x5", "0x2", ...good]),
    call(
      "is_valid_signature, other key",
      ALICE,
      "is_valid_signature",
      signed(sign(MESSAGE, KEYS.bob)),
    ),
    call("is_valid_signature, zeros", ALICE, "is_valid_signature", signed(["0x0", "0x0"])),
    call("is_valid_signature, three felts", ALICE, "is_valid_signature", signed([...good, "0x0"])),
    call("is_valid_signature, empty", ALICE, "is_valid_signature", signed([])),
    call("is_valid_signature under the key of a known point", POINT_OWNED, "is_valid_signature", [
      MESSAGE,
      "0x2",
      ...good,
    ]),
    call("supports_interface, SNIP-6", ALICE, "supports_interface", [SRC6_ID]),
    call("supportsInterface, SNIP-5", ALICE, "supportsInterface", [SRC5_ID]),
    call("supports_interface, other", ALICE, "supports_interface", ["0x1"]),
    call("get_public_key", ALICE, "get_public_key"),
    call("getPublicKey", ALICE, "getPublicKey"),
    call("__execute__ by a contract", ALICE, "__execute__", callArray(one), BOB),
    call("__validate__ by a contract", ALICE, "__validate__", callArray(one), BOB),
    call("__execute__ outside of a transaction", ALICE, "__execute__", callArray(one)),
    call("set_public_key by a stranger", ALICE, "set_public_key", [newKey], STRANGER),
    call(
      "deploy_contract by a stranger",
      ALICE,
      "deploy_contract",
      deployToken("0x7", "0x0").calldata,
      STRANGER,
    ),
    invoke("deploy_contract", ALICE, KEYS.alice, [
      deployToken("0x7", "0x0"),
      deployToken("0x7", "0x1"),
    ]),
    invoke("deploy_contract, the address is taken", ALICE, KEYS.alice, [deployToken("0x7", "0x1")]),
    invoke("set_public_key to zero", ALICE, KEYS.alice, setKey("set_public_key", "0x0")),
    invoke("set_public_key", ALICE, KEYS.alice, setKey("set_public_key", newKey)),
    invoke("transfer, old key", ALICE, KEYS.alice, one),
    invoke("transfer, new key", ALICE, KEYS.nobody, one),
    invoke("setPublicKey", ALICE, KEYS.nobody, setKey("setPublicKey", publicKey(KEYS.alice))),
    invoke("transfer, first key again", ALICE, KEYS.alice, one),
  ];
  return scenario(
    `contracts_account_${protocolVersion.replaceAll(".", "_")}`,
    "The shipped account and fee tokens: deployment, transfers, rejections, key change.",
    protocolVersion,
    {
      [POINT_OWNED]: {
        class_hash: entry("account").classHash,
        storage: { [slot("Account_public_key")]: KNOWN_POINT },
      },
    },
    steps,
    { richAddresses: [fresh], undeclared: "universal_deployer" },
  );
}

import { hash } from "starknet";
import {
  ALICE,
  BOB,
  type Json,
  STRANGER,
  type Scenario,
  type Step,
  call,
  entry,
  scenario,
  slot,
  text,
  u256,
} from "./kit.ts";
import { l1Handler } from "./l1-handler.ts";

/** Address of the bridge on L2; its governor is {@link GOVERNOR}. */
export const BRIDGE = "0xb41d6e";
/** Address of the bridge on L1. */
export const L1_BRIDGE = "0x1b41d6e000000000000000000000000000000001";
/** Address of an enrolled token on L1. */
export const L1_TOKEN = "0xd00d000000000000000000000000000000000001";
/** Placeholder address of ETH on L1. */
export const L1_ETH = "0x455448";
/** Address of an account on L1. */
export const L1_ACCOUNT = "0xacc0000000000000000000000000000000000001";
/** Address of a token on L2 that the bridge may mint. */
export const L2_ETH = "0xe7e";
const OTHER_TOKEN = "0xd00d000000000000000000000000000000000002";
const GOVERNOR = "0x60e";
const NOMINEE = "0x60f";
const TOO_LONG = `0x1${"0".repeat(40)}`;
const MAX = 2n ** 256n - 1n;

/** Constructor calldata of the bridge for the counterpart of {@link L1_TOKEN}. */
export const TOKEN_CALLDATA = [text("Token"), text("TKN"), "0x6", "0x0", "0x0", BRIDGE, BRIDGE];

/** Address of the counterpart of {@link L1_TOKEN}, as public tools compute it. */
export function l2TokenAddress(): string {
  const { classHash } = entry("erc20");
  return hash.calculateContractAddressFromHash(L1_TOKEN, classHash, TOKEN_CALLDATA, BRIDGE);
}

/**
 * Creates the scenario of the shipped token bridge: both messages, withdrawals, rejections,
 * settings, hand-over.
 */
export function tokenBridgeScenario(protocolVersion: string): Scenario {
  const token = l2TokenAddress();
  const view = (name: string, entrypoint: string, ...calldata: string[]): Step =>
    call(name, BRIDGE, entrypoint, calldata);
  const by = (caller: string, name: string, entrypoint: string, ...calldata: string[]): Step =>
    call(name, BRIDGE, entrypoint, calldata, caller);
  const deployment = (name: string, from = L1_BRIDGE, l1Token = L1_TOKEN): Step =>
    l1Handler(name, BRIDGE, "handle_token_deployment", [
      from,
      l1Token,
      text("Token"),
      text("TKN"),
      "0x6",
    ]);
  const depositOf = (name: string, calldata: readonly string[]): Step =>
    l1Handler(name, BRIDGE, "handle_token_deposit", calldata);
  const deposit = (name: string, recipient: string, amount: bigint, l1Token = L1_TOKEN): Step =>
    depositOf(name, [L1_BRIDGE, l1Token, L1_ACCOUNT, recipient, ...u256(amount)]);
  const withdraw = (name: string, amount: bigint, to = L1_ACCOUNT, l1Token = L1_TOKEN): Step =>
    by(BOB, name, "initiate_token_withdraw", l1Token, to, ...u256(amount));
  const deploy = (name: string, governor: string): Step =>
    call(
      name,
      ALICE,
      "deploy_contract",
      [entry("token_bridge").classHash, "0x1", "0x1", "0x1", governor],
      ALICE,
    );

  const steps: Step[] = [
    withdraw("withdraw before the bridge on L1 is set", 1n),
    deployment("deployment before the bridge on L1 is set", "0x0"),
    by(STRANGER, "set_l1_bridge by a stranger", "set_l1_bridge", L1_BRIDGE),
    by(GOVERNOR, "set_l1_bridge to zero", "set_l1_bridge", "0x0"),
    by(GOVERNOR, "set_l1_bridge to more than 160 bits", "set_l1_bridge", TOO_LONG),
    by(GOVERNOR, "set_l1_bridge", "set_l1_bridge", L1_BRIDGE),
    by(GOVERNOR, "set_l1_bridge again", "set_l1_bridge", L1_BRIDGE),
    view("l1 bridge", "get_l1_bridge"),
    deployment("deployment without a class"),
    deposit("deposit of a token that is not there", BOB, 5n),
    deposit("another deposit of a token that is not there", BOB, MAX - 5n),
    view("unhandled deposits", "get_unhandled_deposits", L1_TOKEN, L1_ACCOUNT),
    by(STRANGER, "return_deposits", "return_deposits", L1_TOKEN, L1_ACCOUNT),
    by(STRANGER, "return_deposits again", "return_deposits", L1_TOKEN, L1_ACCOUNT),
    by(STRANGER, "return_deposits of others", "return_deposits", OTHER_TOKEN, L1_ACCOUNT),
    by(STRANGER, "set_erc20_class_hash by a stranger", "set_erc20_class_hash", "0x1"),
    by(GOVERNOR, "set_erc20_class_hash, not declared", "set_erc20_class_hash", "0x1"),
    deployment("deployment of a class that is not declared"),
    by(GOVERNOR, "set_erc20_class_hash", "set_erc20_class_hash", entry("erc20").classHash),
    view("token class", "get_erc20_class_hash"),
    deployment("deployment by a stranger", L1_ACCOUNT),
    deployment("deployment"),
    deployment("deployment again"),
    view("l2 token", "get_l2_token", L1_TOKEN),
    view("l1 token", "get_l1_token", token),
    view("l2 token of another one", "get_l2_token", OTHER_TOKEN),
    deposit("deposit", BOB, 1000n),
    deposit("deposit of all the rest", BOB, MAX - 1000n),
    deposit("deposit beyond the largest supply", STRANGER, 1n),
    deposit("deposit for zero", "0x0", 1n),
    deposit("deposit for no address", `0x8${"0".repeat(62)}`, 1n),
    depositOf("deposit by a stranger", [L1_ACCOUNT, L1_TOKEN, L1_ACCOUNT, BOB, ...u256(1n)]),
    depositOf("deposit of half an amount", [L1_BRIDGE, L1_TOKEN, L1_ACCOUNT, BOB, "0x1"]),
    depositOf("deposit of more than an amount", [
      L1_BRIDGE,
      L1_TOKEN,
      L1_ACCOUNT,
      BOB,
      ...u256(1n),
      "0x0",
    ]),
    withdraw("withdraw", 400n),
    withdraw("withdraw for zero", 1n, "0x0"),
    withdraw("withdraw for more than 160 bits", 1n, TOO_LONG),
    withdraw("withdraw nothing", 0n),
    withdraw("withdraw another token", 1n, L1_ACCOUNT, OTHER_TOKEN),
    withdraw("withdraw too much", MAX),
    withdraw("withdraw all the rest", MAX - 400n),
    call("supply after all was withdrawn", token, "total_supply"),
    call("the bridge is the minter", token, "permitted_minter"),
    by(STRANGER, "set_l2_token by a stranger", "set_l2_token", L1_ETH, L2_ETH),
    by(GOVERNOR, "set_l2_token to zero", "set_l2_token", L1_ETH, "0x0"),
    by(GOVERNOR, "set_l2_token of zero", "set_l2_token", "0x0", L2_ETH),
    by(GOVERNOR, "set_l2_token of a token that has one", "set_l2_token", L1_TOKEN, L2_ETH),
    by(GOVERNOR, "set_l2_token to a token that has one", "set_l2_token", L1_ETH, token),
    by(GOVERNOR, "set_l2_token", "set_l2_token", L1_ETH, L2_ETH),
    deployment("deployment of a token that is set", L1_BRIDGE, L1_ETH),
    deposit("deposit of ETH", BOB, 7n, L1_ETH),
    withdraw("withdraw ETH", 7n, L1_ACCOUNT, L1_ETH),
    by(STRANGER, "nominate_governor by a stranger", "nominate_governor", STRANGER),
    by("0x0", "accept_governance by zero", "accept_governance"),
    by(GOVERNOR, "nominate_governor", "nominate_governor", NOMINEE),
    view("nominated governor", "nominated_governor"),
    by(GOVERNOR, "accept_governance by the governor", "accept_governance"),
    by(NOMINEE, "accept_governance", "accept_governance"),
    by(NOMINEE, "accept_governance again", "accept_governance"),
    view("governor", "governor"),
    by(GOVERNOR, "a former governor", "nominate_governor", GOVERNOR),
    by(NOMINEE, "nominate_governor to take it back", "nominate_governor", "0x0"),
    deploy("constructor", GOVERNOR),
    deploy("constructor without a governor", "0x0"),
  ];
  const base = scenario(
    `contracts_token_bridge_${protocolVersion.replaceAll(".", "_")}`,
    "The shipped token bridge: deployment, deposits, withdrawals, settings, hand-over, failures.",
    protocolVersion,
    {
      [BRIDGE]: {
        class_hash: entry("token_bridge").classHash,
        storage: { [slot("governor")]: GOVERNOR },
      },
      [L2_ETH]: {
        class_hash: entry("erc20").classHash,
        storage: { [slot("ERC20_permitted_minter")]: BRIDGE },
      },
    },
    steps,
  );
  const bridgeClass = {
    class_hash: entry("token_bridge").classHash,
    sierra: "../../../contracts/l2/token_bridge.sierra.json",
    casm: "../../../contracts/l2/build/token_bridge.casm.json",
  };
  return { ...base, classes: [...(base.classes as readonly Json[]), bridgeClass] };
}

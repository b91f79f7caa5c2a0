import {
  ALICE,
  BOB,
  type Call,
  KEYS,
  STRANGER,
  STRK,
  type Scenario,
  type Step,
  call,
  entry,
  invoke,
  scenario,
  slot,
  text,
  u256,
} from "./kit.ts";

const TOKEN = "0x70ce";
const MINTER = "0x3117e5";
const MAX = 2n ** 256n - 1n;
const HALF = 2n ** 128n;

/**
 * Creates the scenario of the shipped token: both spellings, allowances, amounts over 2^128,
 * minting, its constructor.
 */
export function erc20Scenario(protocolVersion: string): Scenario {
  const classHash = entry("erc20").classHash;
  const tokenCall = (entrypoint: string, ...calldata: string[]): Call => ({
    to: TOKEN,
    entrypoint,
    calldata,
  });
  const view = (entrypoint: string, ...calldata: string[]): Step =>
    call(entrypoint, TOKEN, entrypoint, calldata);
  const by = (caller: string, name: string, entrypoint: string, ...calldata: string[]): Step =>
    call(name, TOKEN, entrypoint, calldata, caller);
  const constructorCalldata = [
    text("Second"),
    text("SND"),
    "0x6",
    ...u256(5n * HALF + 7n),
    BOB,
    MINTER,
  ];

  const steps: Step[] = [
    view("name"),
    view("symbol"),
    view("decimals"),
    view("total_supply"),
    view("totalSupply"),
    view("balance_of", ALICE),
    view("balanceOf", ALICE),
    view("permitted_minter"),
    invoke("transfer", ALICE, KEYS.alice, [tokenCall("transfer", BOB, ...u256(5n))]),
    invoke("transfer of everything and more", ALICE, KEYS.alice, [
      tokenCall("transfer", BOB, ...u256(HALF * 2n)),
    ]),
    invoke("approve and spend", ALICE, KEYS.alice, [
      tokenCall("approve", ALICE, ...u256(100n)),
      tokenCall("transfer_from", ALICE, BOB, ...u256(60n)),
      tokenCall("transferFrom", ALICE, BOB, ...u256(40n)),
    ]),
    invoke("mint by a stranger", ALICE, KEYS.alice, [
      tokenCall("permissioned_mint", ALICE, ...u256(1n)),
    ]),
    by(ALICE, "transfer that borrows", "transfer", BOB, ...u256(0x2000n)),
    by(BOB, "transfer that carries", "transfer", ALICE, ...u256(0x1800n)),
    by(ALICE, "transfer of more than a half", "transfer", BOB, ...u256(HALF + 1n)),
    by(BOB, "transfer of more than a half back", "transfer", ALICE, ...u256(HALF + 1n)),
    by(ALICE, "transfer to oneself", "transfer", ALICE, ...u256(3n)),
    by(ALICE, "transfer of zero", "transfer", STRANGER, ...u256(0n)),
    by(ALICE, "transfer to zero", "transfer", "0x0", ...u256(1n)),
    by("0x0", "transfer by zero", "transfer", BOB, ...u256(1n)),
    by(ALICE, "transfer of a half too large", "transfer", BOB, `0x${HALF.toString(16)}`, "0x0"),
    by(ALICE, "transfer with too little calldata", "transfer", BOB, "0x1"),
    by(STRANGER, "spend without allowance", "transfer_from", ALICE, BOB, ...u256(1n)),
    by(ALICE, "approve", "approve", STRANGER, ...u256(HALF + 10n)),
    by(STRANGER, "spend some of a large allowance", "transfer_from", ALICE, BOB, ...u256(20n)),
    view("allowance", ALICE, STRANGER),
    by(STRANGER, "spend too much", "transferFrom", ALICE, BOB, ...u256(HALF)),
    by(ALICE, "approve without end", "approve", STRANGER, ...u256(MAX)),
    by(STRANGER, "spend without end", "transfer_from", ALICE, BOB, ...u256(20n)),
    call("allowance without end", TOKEN, "allowance", [ALICE, STRANGER]),
    by(ALICE, "approve zero", "approve", "0x0", ...u256(1n)),
    by(MINTER, "mint by the minter", "permissioned_mint", STRANGER, ...u256(HALF + 1n)),
    by(MINTER, "mint, short name", "mint", STRANGER, ...u256(2n)),
    by(STRANGER, "mint by a stranger, short name", "mint", STRANGER, ...u256(2n)),
    by(MINTER, "mint to zero", "mint", "0x0", ...u256(2n)),
    by(MINTER, "mint beyond the largest supply", "mint", STRANGER, ...u256(MAX)),
    by(MINTER, "burn by the minter", "permissioned_burn", STRANGER, ...u256(HALF)),
    by(MINTER, "burn, short name", "burn", STRANGER, ...u256(1n)),
    by(MINTER, "burn too much", "burn", STRANGER, ...u256(HALF)),
    by(ALICE, "burn by a stranger", "burn", STRANGER, ...u256(1n)),
    call("balance after minting and burning", TOKEN, "balance_of", [STRANGER]),
    call("supply after minting and burning", TOKEN, "total_supply"),
    by(ALICE, "set_permitted_minter by a stranger", "set_permitted_minter", ALICE),
    by(MINTER, "set_permitted_minter", "set_permitted_minter", ALICE),
    by(MINTER, "mint by the former minter", "mint", STRANGER, ...u256(1n)),
    by(ALICE, "mint by the new minter", "mint", STRANGER, ...u256(1n)),
    by(ALICE, "set_permitted_minter to zero", "set_permitted_minter", "0x0"),
    by("0x0", "mint by zero without a minter", "mint", STRANGER, ...u256(1n)),
    call("mint where no minter was ever set", STRK, "mint", [STRANGER, ...u256(1n)], "0x0"),
    call(
      "constructor",
      ALICE,
      "deploy_contract",
      [classHash, "0x1", "0x1", `0x${constructorCalldata.length}`, ...constructorCalldata],
      ALICE,
    ),
    call(
      "constructor without supply",
      ALICE,
      "deploy_contract",
      [
        classHash,
        "0x1",
        "0x1",
        "0x7",
        text("Third"),
        text("TRD"),
        "0x12",
        "0x0",
        "0x0",
        "0x0",
        "0x0",
      ],
      ALICE,
    ),
    call(
      "constructor with supply for nobody",
      ALICE,
      "deploy_contract",
      [
        classHash,
        "0x1",
        "0x1",
        "0x7",
        text("Fourth"),
        text("FTH"),
        "0x12",
        "0x1",
        "0x0",
        "0x0",
        "0x0",
      ],
      ALICE,
    ),
  ];
  return scenario(
    `contracts_erc20_${protocolVersion.replaceAll(".", "_")}`,
    "The shipped ERC-20: both spellings, allowances, large amounts, minting, construction.",
    protocolVersion,
    {
      [TOKEN]: {
        class_hash: classHash,
        storage: {
          [slot("ERC20_name")]: text("Token"),
          [slot("ERC20_symbol")]: text("TKN"),
          [slot("ERC20_decimals")]: "0x12",
          [slot("ERC20_total_supply")]: "0x1000",
          [next(slot("ERC20_total_supply"))]: "0x1",
          [slot("ERC20_balances", ALICE)]: "0x1000",
          [next(slot("ERC20_balances", ALICE))]: "0x1",
          [slot("ERC20_permitted_minter")]: MINTER,
        },
      },
    },
    steps,
  );
}

function next(storageKey: string): string {
  return `0x${(BigInt(storageKey) + 1n).toString(16)}`;
}

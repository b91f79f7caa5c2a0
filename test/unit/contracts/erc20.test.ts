import { expect, test } from "bun:test";
import { hash } from "starknet";
import { ALICE, BOB, STRANGER, entry, slot, text } from "#test/helpers/contract-scenarios/kit.ts";
import { describeContract } from "./behaviour.ts";
import { ERC20 } from "./expectations.ts";
import { eventsOf } from "./scenario-result.ts";

const TRANSFER = hash.getSelectorFromName("Transfer");
const APPROVAL = hash.getSelectorFromName("Approval");
const TOKEN = "0x70ce";
const MINTER = "0x3117e5";

describeContract("erc20", ERC20, (step) => {
  test("a transfer emits sender and recipient as keys and the amount as data", () => {
    expect(eventsOf(step("transfer that borrows"))).toEqual([
      { keys: [TRANSFER, ALICE, BOB], data: ["0x2000", "0x0"] },
    ]);
  });

  test("an approval emits owner and spender as keys and the allowance as data", () => {
    expect(eventsOf(step("approve"))).toEqual([
      { keys: [APPROVAL, ALICE, STRANGER], data: ["0xa", "0x1"] },
    ]);
  });

  test("minting and burning emit transfers from and to the zero address", () => {
    expect([...eventsOf(step("mint, short name")), ...eventsOf(step("burn, short name"))]).toEqual([
      { keys: [TRANSFER, "0x0", STRANGER], data: ["0x2", "0x0"] },
      { keys: [TRANSFER, STRANGER, "0x0"], data: ["0x1", "0x0"] },
    ]);
  });

  test("a transfer that borrows decrements the high half", () => {
    const low = slot("ERC20_balances", ALICE);
    const high = `0x${(BigInt(low) + 1n).toString(16)}`;
    expect(step("transfer that borrows").state_diff?.storage_diffs[TOKEN]).toMatchObject({
      [low]: `0x${(2n ** 128n + 0x1000n - 5n - 100n - 0x2000n).toString(16)}`,
      [high]: "0x0",
    });
  });

  test("a transfer to oneself changes no storage", () => {
    expect(step("transfer to oneself").state_diff?.storage_diffs).toEqual({});
  });

  test("an unlimited allowance is not decremented", () => {
    const changed = step("spend without end").state_diff?.storage_diffs[TOKEN] ?? {};
    expect(Object.keys(changed)).not.toContain(slot("ERC20_allowances", ALICE, STRANGER));
  });

  test("the constructor writes every variable", () => {
    const { state_diff: diff } = step("constructor");
    const [address, classHash] = Object.entries(diff?.deployed_contracts ?? {})[0] ?? [];
    expect(classHash).toBe(entry("erc20").classHash);
    expect(diff?.storage_diffs[address ?? ""]).toMatchObject({
      [slot("ERC20_name")]: text("Second"),
      [slot("ERC20_symbol")]: text("SND"),
      [slot("ERC20_decimals")]: "0x6",
      [slot("ERC20_total_supply")]: "0x7",
      [slot("ERC20_balances", BOB)]: "0x7",
      [slot("ERC20_permitted_minter")]: MINTER,
    });
  });
});

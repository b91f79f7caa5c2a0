import { describe, expect, test } from "bun:test";
import { type JsonValue, stringifyJson } from "#base/codec/index.ts";
import { NEWEST_PROTOCOL_VERSION } from "#protocol/versions/index.ts";
import {
  at,
  block,
  type Change,
  checkBytes,
  diff,
  expectRefused,
  type Name,
  put,
  receipt,
  transaction,
} from "#test/helpers/change-block.ts";
import { bytesOf, type Changeable, ownBlock } from "#test/helpers/gateway-blocks.ts";

describe("a malformed block is refused by its form", () => {
  const sample = ownBlock("0.14.4");
  const text = stringifyJson(sample.json() as JsonValue);
  const place = (path: string): RegExp => new RegExp(`^${path}: expected .+`, "u");
  const set =
    (path: readonly Name[], value: unknown): Change =>
    (json) =>
      put(json, path, value);

  for (const [what, bytes] of [
    ["nothing", new Uint8Array()],
    ["truncated text", new TextEncoder().encode(text.slice(0, -1))],
    ["invalid UTF-8", new Uint8Array([...new TextEncoder().encode(text.slice(0, -1)), 0xff])],
    ["deeply nested lists", new TextEncoder().encode("[".repeat(100_000))],
    [
      "a number of a million digits",
      new TextEncoder().encode(`{"block":${"9".repeat(1_000_000)}}`),
    ],
    ["a list", bytesOf([])],
    ["null", bytesOf(null)],
    ["an object without block", bytesOf({ state_update: {} })],
  ] as const) {
    test(what, async () => {
      expectRefused(await checkBytes(sample, bytes), sample.number, "form", /expected/u);
    });
  }

  for (const [what, message, change] of [
    ["a number for a felt", /calldata\[0\]/u, set(transaction(0, "calldata", 0), 5)],
    [
      "a felt equal to the prime",
      /calldata\[0\]/u,
      set(transaction(0, "calldata", 0), `0x800000000000011${"0".repeat(47)}1`),
    ],
    ["an unknown transaction version", /version/u, set(transaction(0, "version"), "0x4")],
    ["an unknown transaction type", /type/u, set(transaction(0, "type"), "BURN")],
    ["a negative timestamp", place("block\\.timestamp"), set(block("timestamp"), -1)],
    [
      "a price of 129 bits",
      /price_in_wei/u,
      set(block("l1_gas_price", "price_in_wei"), `0x1${"0".repeat(32)}`),
    ],
    ["an unknown mode", /l1_da_mode/u, set(block("l1_da_mode"), "MOON")],
    ["an unknown status", /status/u, set(block("status"), "PENDING")],
    ["an invalid version", /starknet_version/u, set(block("starknet_version"), "newest")],
    [
      "gas of 65 bits",
      /l1_gas/u,
      set(receipt(0, "execution_resources", "total_gas_consumed", "l1_gas"), 2n ** 64n),
    ],
    [
      "an address of 252 bits",
      /address/u,
      set(diff("deployed_contracts", 0, "address"), `0x8${"0".repeat(62)}`),
    ],
    ["no state diff", /state_diff/u, set(diff(), undefined)],
    ["no receipts", /transaction_receipts/u, set(receipt(0).slice(0, -1), undefined)],
    [
      "a storage key with two values",
      /storage_diffs/u,
      (json: Changeable) => {
        const entries = at(json, diff("storage_diffs", "0xc0")) as Changeable[];
        entries.push({ key: entries[0]?.["key"], value: "0x999" });
      },
    ],
    ["a duplicate contract", /storage_diffs/u, set(diff("storage_diffs", "0x0c0"), [])],
  ] as const satisfies readonly (readonly [string, RegExp, Change])[]) {
    test(what, async () => {
      const json = sample.json();
      change(json);
      const outcome = await checkBytes(sample, bytesOf(json));
      expectRefused(outcome, sample.number, "form", message);
    });
  }

  test("names from a block are escaped and shortened in messages", async () => {
    const json = sample.json();
    const name = `\u001b[31m<script>${"z".repeat(100_000)}`;
    put(json, diff("storage_diffs", name), []);
    const outcome = await checkBytes(sample, bytesOf(json));
    if (outcome.kind !== "refused") throw new TypeError(outcome.kind);
    expect(outcome.refusal.check).toBe("form");
    expect(outcome.refusal.message.length).toBeLessThan(400);
    expect(outcome.refusal.message).toMatch(/^[\x20-\x7e]+$/u);
    expect(outcome.refusal.message).not.toContain("<");
  });
});

describe("a protocol newer than the program", () => {
  const sample = ownBlock("0.14.4");
  const NEWER = `expected at most ${NEWEST_PROTOCOL_VERSION}, .*, found`;

  for (const version of ["0.14.5", "0.15.0", "1.0.0", "0.14.4.1"]) {
    test(`${version} is refused by its name`, async () => {
      const json = sample.json();
      put(json, block("starknet_version"), version);
      const message = new RegExp(`^starknet_version: ${NEWER} ${version}$`, "u");
      const outcome = await checkBytes(sample, bytesOf(json));
      expectRefused(outcome, sample.number, "protocol_version", message);
    });
  }

  test("is refused by its name even if the block has another form", async () => {
    const bytes = bytesOf({ block: { starknet_version: "0.15.0", everything: "new" } });
    const outcome = await checkBytes(sample, bytes);
    expectRefused(outcome, sample.number, "protocol_version", /found 0\.15\.0$/u);
  });
});

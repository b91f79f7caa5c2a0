import { describe, expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { type Transfer, TransferFile } from "#app/bridge/index.ts";
import { BootstrapError, ConfigError } from "#base/errors/index.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const TRANSFER: Transfer = {
  kind: "deposit",
  app_chain_id: "X",
  eth_chain_id: 31_337,
  l1_token: `0x${"1".repeat(40)}`,
  l1_bridge: `0x${"2".repeat(40)}`,
  l2_bridge: "0x3",
  amount: "5",
  l1_account: `0x${"4".repeat(40)}`,
  l2_account: "0x5",
};
const SIGNED = { hash: `0x${"a".repeat(64)}`, raw: "0x02" } as const;

describe("a transfer file", () => {
  test("stores a transaction as soon as it is kept, readable only by its owner", () => {
    using folder = temporaryFolder();
    const path = folder.file("deposit.json");
    {
      using file = TransferFile.open(path, TRANSFER);
      expect(file.sent("deposit")).toBeUndefined();
      expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined();
      expect(file.keep("deposit", SIGNED)).toEqual(SIGNED);
      expect(statSync(path).mode & 0o777).toBe(0o600);
    }
    using again = TransferFile.open(path, TRANSFER);
    expect([again.sent("deposit"), again.sent("mint"), again.isDone]).toEqual([
      SIGNED,
      undefined,
      false,
    ]);
    again.finish();
    expect(again.isDone).toBe(true);
  });

  test("records that the transfer is done", () => {
    using folder = temporaryFolder();
    const path = folder.file("deposit.json");
    {
      using file = TransferFile.open(path, TRANSFER);
      file.keep("deposit", SIGNED);
      file.finish();
    }
    using again = TransferFile.open(path, TRANSFER);
    expect(again.isDone).toBe(true);
  });

  test("is locked by one process", () => {
    using folder = temporaryFolder();
    const path = folder.file("deposit.json");
    using _ = TransferFile.open(path, TRANSFER);
    expect(() => TransferFile.open(path, TRANSFER)).toThrow(BootstrapError);
  });

  const others: readonly (readonly [keyof Transfer, string | number])[] = [
    ["kind", "withdrawal"],
    ["app_chain_id", "Y"],
    ["eth_chain_id", 1],
    ["l1_token", `0x${"9".repeat(40)}`],
    ["l1_bridge", `0x${"9".repeat(40)}`],
    ["l2_bridge", "0x9"],
    ["amount", "6"],
    ["l1_account", `0x${"9".repeat(40)}`],
    ["l2_account", "0x9"],
  ];
  test.each(others)("is refused for a transfer with another %s", (name, value) => {
    using folder = temporaryFolder();
    const path = folder.file("deposit.json");
    {
      using file = TransferFile.open(path, TRANSFER);
      file.keep("deposit", SIGNED);
    }
    const before = readFileSync(path, "utf8");
    const other = { ...TRANSFER, [name]: value } as Transfer;
    expect(() => TransferFile.open(path, other)).toThrow(`is of another transfer: ${name} is`);
    expect(readFileSync(path, "utf8")).toBe(before);
    // The refusal releases the lock.
    using again = TransferFile.open(path, TRANSFER);
    expect(again.sent("deposit")).toEqual(SIGNED);
  });

  const whole = { transfer: TRANSFER, sent: { deposit: SIGNED }, isDone: false };
  const broken: readonly unknown[] = [
    null,
    [],
    {},
    { ...whole, isDone: 1 },
    { ...whole, sent: null },
    { ...whole, sent: { deposit: {} } },
    { ...whole, sent: { deposit: { ...SIGNED, raw: "zz" } } },
    { ...whole, sent: { deposit: { ...SIGNED, hash: "0x1" } } },
    { ...whole, sent: { other: SIGNED } },
    { ...whole, sent: { burn: SIGNED } },
    { ...whole, transfer: { ...TRANSFER, amount: "0" } },
    { ...whole, transfer: { ...TRANSFER, amount: 5 } },
    { ...whole, transfer: { ...TRANSFER, kind: "gift" } },
    { ...whole, transfer: { ...TRANSFER, l1_token: undefined } },
  ];
  test("is refused and unchanged if malformed or edited", () => {
    using folder = temporaryFolder();
    const path = folder.file("deposit.json");
    const texts = [...broken.map((value) => JSON.stringify(value)), "", "{", "[".repeat(100_000)];
    for (const text of texts) {
      writeFileSync(path, text);
      expect(() => TransferFile.open(path, TRANSFER)).toThrow(ConfigError);
      expect(readFileSync(path, "utf8")).toBe(text);
    }
  });
});

import { expect, test } from "bun:test";
import { linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import {
  type BootstrapBeginning,
  otherBeginning,
  readJournal,
  writeJournal,
} from "#app/bootstrap/plan/journal.ts";
import { ConfigError } from "#base/errors/index.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const BEGINNING: BootstrapBeginning = {
  app_chain_id: "X",
  eth_chain_id: 31_337,
  l1_deployer_address: `0x${"a".repeat(40)}`,
  l1_deployer_nonce: 7,
  l1_token_address: null,
  is_development: true,
  l1_genesis_hash: `0x${"1".repeat(64)}`,
  has_genesis: false,
  plan: `0x${"2".repeat(64)}`,
};

test("reads back what it wrote, and leaves no other file behind", () => {
  using folder = temporaryFolder();
  const path = folder.file("addresses.json");
  expect(readJournal(path)).toBeUndefined();
  for (const addresses of [{}, { account_address: "0x1" }, { account_address: "0x1", b: "0x2" }]) {
    writeJournal(path, { beginning: BEGINNING, addresses });
    expect(readJournal(path)).toEqual({ beginning: BEGINNING, addresses });
    expect(readdirSync(folder.path)).toEqual(["addresses.json"]);
  }
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
    account_address: "0x1",
    b: "0x2",
    bootstrap: BEGINNING,
  });
});

test("ignores a file half written before a kill", () => {
  using folder = temporaryFolder();
  const path = folder.file("addresses.json");
  writeJournal(path, { beginning: BEGINNING, addresses: {} });
  writeFileSync(folder.file(`.addresses.json.${process.pid}.tmp`), '{"account');
  expect(readJournal(path)).toEqual({ beginning: BEGINNING, addresses: {} });
  writeJournal(path, { beginning: BEGINNING, addresses: { b: "0x2" } });
  expect(readJournal(path)?.addresses).toEqual({ b: "0x2" });
  // The old file is never written to: the new one replaces it.
  linkSync(path, folder.file("before"));
  writeJournal(path, { beginning: BEGINNING, addresses: { c: "0x3" } });
  expect(readJournal(folder.file("before"))?.addresses).toEqual({ b: "0x2" });
});

test("refuses any other file and leaves it unchanged", () => {
  using folder = temporaryFolder();
  const path = folder.file("addresses.json");
  const whole = { account_address: "0x1", bootstrap: BEGINNING };
  const others: readonly unknown[] = [
    [],
    {},
    { account_address: "0x1" },
    { ...whole, account_address: 1 },
    { ...whole, account_address: "x" },
    { ...whole, bootstrap: { ...BEGINNING, l1_deployer_nonce: -1 } },
    { ...whole, bootstrap: { ...BEGINNING, l1_deployer_nonce: 0.5 } },
    { ...whole, bootstrap: { ...BEGINNING, l1_deployer_address: "0x1" } },
    { ...whole, bootstrap: { ...BEGINNING, l1_token_address: 1 } },
    { ...whole, bootstrap: { ...BEGINNING, is_development: "yes" } },
    { ...whole, bootstrap: { ...BEGINNING, l1_genesis_hash: "0x1" } },
    { ...whole, bootstrap: { ...BEGINNING, has_genesis: 0 } },
    { ...whole, bootstrap: { ...BEGINNING, plan: undefined } },
    { ...whole, bootstrap: null },
  ];
  const texts = [...others.map((other) => JSON.stringify(other)), "", "{", "[".repeat(100_000)];
  for (const text of texts) {
    writeFileSync(path, text);
    expect(() => readJournal(path)).toThrow(ConfigError);
    expect(readFileSync(path, "utf8")).toBe(text);
  }
  mkdirSync(folder.file("folder"));
  expect(() => readJournal(folder.file("folder"))).toThrow("is not an address file");
  writeFileSync(path, " ".repeat((1 << 20) + 1));
  expect(() => readJournal(path)).toThrow("is not an address file");
  const nowhere = folder.file("nowhere/addresses.json");
  expect(() => {
    writeJournal(nowhere, { beginning: BEGINNING, addresses: {} });
  }).toThrow("cannot be written");
});

test("compares the file's bootstrap parameters", () => {
  const { l1_deployer_nonce: _, has_genesis: __, plan: ___, ...ours } = BEGINNING;
  expect(otherBeginning(BEGINNING, ours)).toBeUndefined();
  expect(otherBeginning(BEGINNING, { ...ours, app_chain_id: "Y" })).toBe(
    "app_chain_id is X there, not Y",
  );
  expect(otherBeginning(BEGINNING, { ...ours, is_development: false })).toContain("is_development");
  expect(otherBeginning(BEGINNING, { ...ours, l1_token_address: "0x1" })).toContain("l1_token");
  const otherHash = `0x${"3".repeat(64)}`;
  expect(otherBeginning(BEGINNING, { ...ours, l1_genesis_hash: otherHash })).toContain(
    "l1_genesis",
  );
  expect(otherBeginning(BEGINNING, { ...ours, l1_genesis_hash: null })).toBeUndefined();
});

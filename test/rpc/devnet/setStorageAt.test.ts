import { expect, test } from "bun:test";
import { askDevnet, devnetWorld, refusedPath } from "#test/helpers/devnet.ts";

const METHOD = "dev_setStorageAt";

test("dev_setStorageAt writes a storage variable and returns null like Katana", async () => {
  const { context, calls } = devnetWorld();
  const params = { contract_address: "0x1337", key: "0x20", value: "0xabc" };
  expect(await askDevnet(METHOD, params, context)).toEqual({ result: null });
  expect(await askDevnet(METHOD, ["0x1337", "0x20", "0x0"], context)).toEqual({ result: null });
  const write = { contractAddress: 0x1337n, key: 0x20n };
  expect(calls).toEqual([
    ["setStorage", { ...write, value: 0xabcn }],
    ["setStorage", { ...write, value: 0n }],
  ]);
});

test("dev_setStorageAt rejects invalid variables and the protocol's own contracts", async () => {
  const good = { contract_address: "0x1337", key: "0x20", value: "0xabc" };
  const tooLarge = `0x${"f".repeat(64)}`;
  for (const [name, value] of [
    ["contract_address", tooLarge],
    ["contract_address", "0x1"],
    ["contract_address", "0xf"],
    ["key", tooLarge],
    ["value", tooLarge],
    ["value", 5],
  ] as const) {
    expect(await refusedPath(METHOD, { ...good, [name]: value })).toBe(name);
  }
  expect(await refusedPath(METHOD, ["0x1337", "0x20"])).toBe("value");
  expect(await refusedPath(METHOD, { ...good, block: 1 })).toBe("block");
});

import { expect, test } from "bun:test";
import { decodeDump, DevnetFault } from "#api/rpc/index.ts";
import { MAX_DUMP_ENTRIES } from "#api/rpc/devnet/dump/entry.ts";
import { dumpEntry } from "#test/helpers/dump-world.ts";

test("dump entries use the starknet_ prefix whatever prefix they were written with", () => {
  const [entry] = decodeDump([dumpEntry("chain_addInvokeTransaction", [], "0x5")]);
  expect(entry).toEqual({ method: "starknet_addInvokeTransaction", params: [], id: "0x5" });
});

test("dumps with too many entries are rejected", () => {
  const entries = Array.from({ length: MAX_DUMP_ENTRIES + 1 }, () => 5);
  const read = (): unknown => decodeDump(entries);
  expect(read).toThrow(DevnetFault);
  expect(read).toThrow(`the dump has ${MAX_DUMP_ENTRIES + 1} entries, at most`);
});

import { expect, test } from "bun:test";
import { decodeDump, DevnetFault } from "#api/rpc/index.ts";
import { MAX_DUMP_ENTRIES } from "#api/rpc/devnet/dump/entry.ts";
import { dumpEntry } from "#test/helpers/dump-world.ts";

test("requests are read by the network's names, whatever prefix they have", () => {
  const [entry] = decodeDump([dumpEntry("chain_addInvokeTransaction", [], "0x5")]);
  expect(entry).toEqual({ method: "starknet_addInvokeTransaction", params: [], id: "0x5" });
});

test("more entries than a dump may have are not looked at", () => {
  const entries = Array.from({ length: MAX_DUMP_ENTRIES + 1 }, () => 5);
  const read = (): unknown => decodeDump(entries);
  expect(read).toThrow(DevnetFault);
  expect(read).toThrow(`the dump has ${MAX_DUMP_ENTRIES + 1} entries, at most`);
});

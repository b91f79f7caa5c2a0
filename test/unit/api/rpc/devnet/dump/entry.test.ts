import { expect, test } from "bun:test";
import { decodeDump, DevnetFault } from "#api/rpc/index.ts";
import { forkEntry, MAX_DUMP_ENTRIES } from "#api/rpc/devnet/dump/entry.ts";
import { dumpEntry } from "#test/helpers/dump-world.ts";

test("dump entries use the starknet_ prefix whatever prefix they were written with", () => {
  const { entries } = decodeDump([dumpEntry("chain_addInvokeTransaction", [], "0x5")]);
  expect(entries[0]).toEqual({ method: "starknet_addInvokeTransaction", params: [], id: "0x5" });
});

test("dumps with too many entries are rejected", () => {
  const entries = Array.from({ length: MAX_DUMP_ENTRIES + 1 }, () => 5);
  const read = (): unknown => decodeDump(entries);
  expect(read).toThrow(DevnetFault);
  expect(read).toThrow(`the dump has ${MAX_DUMP_ENTRIES + 1} entries, at most`);
});

test("a dump of a fork names its block, which is no request", () => {
  const fork = { chainId: "A:B", blockNumber: 12, blockHash: 0xabn };
  const entry = { jsonrpc: "2.0", ...forkEntry(fork) } as const;
  expect(entry.id).toBe("appchain:fork:12:0xab:A:B");
  const dump = decodeDump([entry as never, dumpEntry("devnet_mint", {}, 1)]);
  expect(dump.fork).toEqual(fork);
  expect(dump.entries.map(({ method }) => method)).toEqual(["devnet_mint"]);
  expect(decodeDump([]).fork).toBeNull();
});

test("a fork's entry with another form is rejected as a method that changes nothing", () => {
  for (const id of ["appchain:fork", "appchain:fork:x:0x1:A", "appchain:fork:1:zz:A", 5]) {
    const read = (): unknown => decodeDump([dumpEntry("devnet_getConfig", {}, id)]);
    expect(read).toThrow("expected a method that changes the chain");
  }
});

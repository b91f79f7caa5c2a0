import { expect, test } from "bun:test";
import { storedInstance } from "#app/node/replication/instance.ts";
import { createChainWriter, openDatabase } from "#io/storage/index.ts";
import { openChainFolder } from "#test/helpers/chain-folder.ts";

/** Setup of a chain in a temporary folder, with its database closed. */
async function chain() {
  const opened = await openChainFolder();
  opened.writing.close();
  const chainDatabase = opened.folder.file("chain.db");
  const setup = { files: { chainDatabase }, config: { chainId: "SN_TEST" } };
  return { opened, setup: setup as unknown as Parameters<typeof storedInstance>[0] };
}

test("creates one id per data directory", async () => {
  const [first, second] = [await chain(), await chain()];
  const instance = await storedInstance(first.setup);
  expect(instance).toMatch(/^[0-9a-f]{32}$/);
  expect(await storedInstance(first.setup)).toBe(instance);
  expect(await storedInstance(second.setup)).not.toBe(instance);
  for (const { opened } of [first, second]) opened[Symbol.dispose]();
});

test("replaces a malformed id", async () => {
  const { opened, setup } = await chain();
  const writing = await openDatabase({
    path: opened.folder.file("chain.db"),
    chainId: "SN_TEST",
    mode: "writer",
    durability: "normal",
  });
  createChainWriter(writing).putValue("sequencer-instance", new Uint8Array(3));
  writing.close();
  expect(await storedInstance(setup)).toMatch(/^[0-9a-f]{32}$/);
  opened[Symbol.dispose]();
});

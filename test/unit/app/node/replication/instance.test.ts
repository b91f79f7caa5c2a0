import { expect, test } from "bun:test";
import { keptInstance } from "#app/node/replication/instance.ts";
import { createChainWriter, openDatabase } from "#io/storage/index.ts";
import { openChainFolder } from "#test/helpers/chain-folder.ts";

/** The setup of a chain in a folder of its own, whose database nobody writes. */
async function chain() {
  const opened = await openChainFolder();
  opened.writing.close();
  const chainDatabase = opened.folder.file("chain.db");
  const setup = { files: { chainDatabase }, config: { chainId: "SN_TEST" } };
  return { opened, setup: setup as unknown as Parameters<typeof keptInstance>[0] };
}

test("is made once for a data directory, and another one for each", async () => {
  const [first, second] = [await chain(), await chain()];
  const instance = await keptInstance(first.setup);
  expect(instance).toMatch(/^[0-9a-f]{32}$/);
  expect(await keptInstance(first.setup)).toBe(instance);
  expect(await keptInstance(second.setup)).not.toBe(instance);
  for (const { opened } of [first, second]) opened[Symbol.dispose]();
});

test("what is none is made anew", async () => {
  const { opened, setup } = await chain();
  const writing = await openDatabase({
    path: opened.folder.file("chain.db"),
    chainId: "SN_TEST",
    mode: "writer",
    durability: "normal",
  });
  createChainWriter(writing).putValue("sequencer-instance", new Uint8Array(3));
  writing.close();
  expect(await keptInstance(setup)).toMatch(/^[0-9a-f]{32}$/);
  opened[Symbol.dispose]();
});

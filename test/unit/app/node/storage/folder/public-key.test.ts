import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { publicKeyOf } from "#app/node/storage/folder/public-key.ts";
import { loadSigningKey } from "#app/node/storage/folder/signing-key.ts";
import { setupOf } from "#app/node/setup/node-setup.ts";
import { nodeOptions } from "#test/helpers/node-options.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

test("a producer reports the public key that it signs with", async () => {
  using folder = temporaryFolder();
  mkdirSync(folder.file("data"));
  const setup = setupOf(await nodeOptions({ basePath: folder.file("data") }), null);
  const { publicKey } = loadSigningKey(setup.files.signingKey);
  await using disposables = new AsyncDisposableStack();
  expect((await publicKeyOf(setup, disposables))()).toBe(publicKey);
});

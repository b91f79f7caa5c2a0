import { expect, test } from "bun:test";
import { mkdirSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { NodeError } from "#base/errors/index.ts";
import { startEphemeral } from "#app/node/storage/folder/start-ephemeral.ts";
import { nodeOptions } from "#test/helpers/node-options.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const optionsIn = (basePath: string) => nodeOptions({ basePath, ephemeral: true, name: "n" });

test("an ephemeral node keeps its folder until it has stopped", async () => {
  using root = temporaryFolder();
  const stopped = Promise.withResolvers<number>();
  const { closed } = await startEphemeral(await optionsIn(root.path), ({ basePath, name }) => {
    expect([dirname(dirname(basePath)), name]).toEqual([root.path, "n"]);
    mkdirSync(basePath);
    return Promise.resolve({ closed: stopped.promise });
  });
  expect(readdirSync(root.path)).toHaveLength(1);
  stopped.resolve(7);
  expect(await closed).toBe(7);
  expect(readdirSync(root.path)).toEqual([]);
});

test("an ephemeral node that fails to start leaves nothing behind", async () => {
  using root = temporaryFolder();
  const failure = new NodeError("NODE_FAILED", "no port");
  const thrown = await startEphemeral(await optionsIn(root.path), ({ basePath }) => {
    mkdirSync(basePath);
    return Promise.reject(failure);
  }).catch((error: unknown) => error);
  expect(thrown).toBe(failure);
  expect(readdirSync(root.path)).toEqual([]);
});

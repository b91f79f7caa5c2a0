import { expect, test } from "bun:test";
import { existsSync, linkSync, renameSync, statSync } from "node:fs";
import { startExplorer } from "#app/node/explorer/start-explorer.ts";
import type { FromExplorer, ToExplorer } from "#app/node/threads/explorer-messages.ts";
import type { WorkerContext } from "#app/node/threads/runtime.ts";
import { fakePort } from "#test/helpers/fake-port.ts";
import { newChain } from "#test/helpers/new-chain.ts";
import { openFilesIn } from "#test/helpers/open-files.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { untilTrue } from "#test/helpers/until-true.ts";

/** A started explorer thread over a chain with block 0. */
async function world() {
  const folder = temporaryFolder();
  const setup = { ...(await newChain(folder.path)), explorer: true };
  const main = fakePort<ToExplorer, FromExplorer>();
  const service = await startExplorer({ setup, main } as unknown as WorkerContext<"explorer">);
  const reports = () =>
    main.sent.flatMap((message) => (message.kind === "index" ? [message.report] : []));
  const isIndexed = (): boolean => {
    const last = reports().at(-1);
    return last?.kind === "indexed" && last.to === 0;
  };
  return {
    folder,
    main,
    service,
    reports,
    path: setup.files.explorerDatabase,
    indexed: () => untilTrue(isIndexed),
    async [Symbol.asyncDispose]() {
      await service.stop();
      folder[Symbol.dispose]();
    },
  };
}

test("asks for the newest block first, then indexes up to it", async () => {
  await using explorer = await world();
  expect(explorer.main.sent).toEqual([{ kind: "headNeeded" }]);
  explorer.main.tell({ kind: "head", number: 0 });
  expect(await explorer.indexed()).toBe(true);
});

test("replaces its file when a request has found it damaged", async () => {
  await using explorer = await world();
  explorer.main.tell({ kind: "head", number: 0 });
  expect(await explorer.indexed()).toBe(true);
  const { ino } = statSync(explorer.path);
  // The inode stays in use, so that no new file can get its number.
  linkSync(explorer.path, `${explorer.path}.old`);
  explorer.main.tell({ kind: "rebuild", reason: "a row is missing" });
  expect(explorer.reports()).toContainEqual({ kind: "rebuilt", reason: "a row is missing" });
  expect(await explorer.indexed()).toBe(true);
  expect(statSync(explorer.path).ino).not.toBe(ino);
});

test("notices that its file was moved away", async () => {
  await using explorer = await world();
  explorer.main.tell({ kind: "head", number: 0 });
  expect(await explorer.indexed()).toBe(true);
  renameSync(explorer.path, `${explorer.path}.moved`);
  explorer.main.tell({ kind: "head", number: 0 });
  expect(await untilTrue(() => existsSync(explorer.path))).toBe(true);
});

test("closes all files when it stops, and opens none afterwards", async () => {
  await using explorer = await world();
  explorer.main.tell({ kind: "head", number: 0 });
  expect(await explorer.indexed()).toBe(true);
  if (process.platform === "linux") expect(openFilesIn(explorer.folder)).not.toEqual([]);
  await explorer.service.stop();
  explorer.main.tell({ kind: "head", number: 0 });
  await Bun.sleep(5);
  expect(openFilesIn(explorer.folder)).toEqual([]);
});

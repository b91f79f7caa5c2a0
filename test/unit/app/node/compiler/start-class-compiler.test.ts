import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ChildArchive } from "#app/node/compiler/child-archive.ts";
import { createClassCompiler } from "#app/node/compiler/start-class-compiler.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import { encodeContractClass, sierraClassFromJson } from "#protocol/chain/index.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";

const ROOT = join(import.meta.dir, "../../../../..");
const classBytes = encodeContractClass(
  sierraClassFromJson(readFileSync(join(ROOT, "contracts/l2/account.sierra.json"), "utf8")),
);

test("the node's compiler keeps what it compiled in the node's folder, for the node's chain", async () => {
  using folder = temporaryFolder();
  // A child runs in the folder in which it was started, as the node does.
  const files = nodeFiles(relative(process.cwd(), folder.path), null);
  const setup = { files, config: { chainId: "TEST" } } as NodeSetup;
  const bounds = { maxResidentBytes: 2 ** 30, deadlineMs: 60_000, niceness: 0 };
  const parts = new AsyncDisposableStack();
  const { service } = createClassCompiler(parts, setup, bounds, SYSTEM_TIMER);
  const compiled = await service.compile({ sender: 1n, classHash: 7n, classBytes });
  await parts.disposeAsync();
  if (compiled.kind !== "compiled") throw new TypeError("not compiled");
  const { kind: _, ...code } = compiled;
  const archive = new ChildArchive((line) => expect(line).toBe(""));
  await archive.open({ path: folder.file("compiled.db"), chainId: "TEST" });
  expect(archive.get(7n)).toEqual(code);
  archive.close();
  expect(await service.compile({ sender: 1n, classHash: 8n, classBytes })).toMatchObject({
    kind: "busy",
  });
}, 60_000);

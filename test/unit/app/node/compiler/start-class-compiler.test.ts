import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ChildArchive } from "#app/node/compiler/child-archive.ts";
import { createClassCompiler } from "#app/node/compiler/start-class-compiler.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import { type NodeFiles, nodeFiles } from "#app/node/setup/node-files.ts";
import { encodeContractClass, sierraClassFromJson } from "#protocol/chain/index.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { untilTrue } from "#test/helpers/until-true.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";

const ROOT = join(import.meta.dir, "../../../../..");
const classBytes = encodeContractClass(
  sierraClassFromJson(
    readFileSync(join(ROOT, "contracts/l2/universal_deployer.sierra.json"), "utf8"),
  ),
);

const BOUNDS = { maxResidentBytes: 2 ** 30, maxCpuMs: 60_000, niceness: 0 };

const setupOf = (files: NodeFiles, warmUpTransfers: number): NodeSetup =>
  ({ files, config: { chainId: "TEST" }, warmUpTransfers }) as NodeSetup;

test.each([
  [200, 1],
  [0, 0],
])(
  "with %d warm-up transfers creates its file, and starts %d processes",
  async (count, processes) => {
    using folder = temporaryFolder();
    const parts = new AsyncDisposableStack();
    const setup = setupOf(nodeFiles(folder.path, null), count);
    const { warm } = createClassCompiler(parts, setup, BOUNDS, SYSTEM_TIMER);
    const lines: string[] = [];
    const log = createLogger({ level: "debug", format: "text", write: (line) => lines.push(line) });
    const made = Promise.withResolvers<void>();
    warm(log, made.resolve);
    await made.promise;
    expect(existsSync(folder.file("compiled.db"))).toBe(true);
    if (count > 0) await untilTrue(() => lines.length > 0, 30_000);
    await parts.disposeAsync();
    expect(lines.filter((line) => line.includes("compiler process started"))).toHaveLength(
      processes,
    );
  },
  60_000,
);

test("stores compiled classes in the node's folder, for the node's chain", async () => {
  using folder = temporaryFolder();
  // A child runs in the folder in which it was started, like the node.
  const files = nodeFiles(relative(process.cwd(), folder.path), null);
  const setup = setupOf(files, 0);
  const parts = new AsyncDisposableStack();
  const { service } = createClassCompiler(parts, setup, BOUNDS, SYSTEM_TIMER);
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

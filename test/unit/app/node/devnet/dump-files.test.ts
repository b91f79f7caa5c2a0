import { afterAll, describe, expect, test } from "bun:test";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DevnetFault } from "#api/rpc/index.ts";
import { DumpFiles, type DumpFilesParts } from "#app/node/devnet/dump-files.ts";

const folder = mkdtempSync(join(tmpdir(), "appchain-dumps-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const DUMP = '[{"jsonrpc":"2.0","method":"devnet_createBlock","params":{},"id":0}]';
const at = (name: string): string => join(folder, name);

function files(
  parts: {
    readonly host?: string;
    readonly cors?: DumpFilesParts["rpc"]["cors"];
    readonly path?: string;
  } = {},
) {
  const { host = "127.0.0.1", cors = "local", path = null } = parts;
  return new DumpFiles({
    rpc: { host, cors },
    path,
    files: {
      folder: at("data"),
      signingKey: { path: at("data/block-signing.key"), mayBeMade: true } as never,
    },
  });
}

async function reasonOf(act: () => unknown): Promise<string> {
  try {
    await act();
  } catch (error) {
    if (error instanceof DevnetFault) return error.message;
    throw error;
  }
  return "done";
}

describe("files of dumps", () => {
  test("are written as a whole, over older dumps, and read again", async () => {
    files().write(at("dump"), DUMP);
    files().write(at("dump"), "[]");
    files().write(at("dump"), DUMP);
    expect(readFileSync(at("dump"), "utf8")).toBe(DUMP);
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    expect(await files().read(at("dump"))).toEqual(JSON.parse(DUMP));
  });

  test("are never written over something else, nor over the node's own files", async () => {
    writeFileSync(at("notes"), "my notes");
    mkdirSync(at("folder"));
    mkdirSync(at("data"));
    symlinkSync(at("data/chain.db"), at("link"));
    expect(await reasonOf(() => files().write(at("notes"), DUMP))).toContain(
      "holds something else than a dump",
    );
    expect(readFileSync(at("notes"), "utf8")).toBe("my notes");
    expect(await reasonOf(() => files().write(at("folder"), DUMP))).toContain("is a folder");
    expect(await reasonOf(() => files().write(at("data/chain.db"), DUMP))).toContain("own file");
    expect(await reasonOf(() => files().write(at("link"), DUMP))).toContain("own file");
    expect(await reasonOf(() => files().write(at("nowhere/dump"), DUMP))).toBe(
      `I/O error: ${at("nowhere/dump")} cannot be written (ENOENT)`,
    );
  });

  test("that are none are refused without a word of what they hold", async () => {
    writeFileSync(at("secret"), "a secret word");
    expect(await reasonOf(() => files().read(at("secret")))).toBe(
      `${at("secret")} is no dump: expected JSON`,
    );
    expect(await reasonOf(() => files().read(at("missing")))).toBe("The file does not exist");
    expect(await reasonOf(() => files().read(folder))).toContain("is a folder");
    expect(await reasonOf(() => files().read("/dev/zero"))).toContain("no regular file");
  });

  test("are those of the option alone where others can reach the node", async () => {
    writeFileSync(at("other"), DUMP);
    writeFileSync(at("option"), DUMP);
    for (const open of [{ host: "0.0.0.0" }, { cors: "all" }, { host: "192.168.0.1" }] as const) {
      const reachable = files({ ...open, path: at("option") });
      expect(await reasonOf(() => reachable.read(at("other")))).toContain("--dump-path");
      expect(await reasonOf(() => reachable.write(at("other"), DUMP))).toContain("--dump-path");
      expect(await reasonOf(() => reachable.read(at("missing")))).toContain("--dump-path");
      expect(await reachable.read(at("option"))).toEqual(JSON.parse(DUMP));
      expect(await reasonOf(() => reachable.write(at("option"), DUMP))).toBe("done");
    }
    expect(await files({ host: "::1" }).read(at("other"))).toEqual(JSON.parse(DUMP));
  });
});

import { describe, expect, mock, test } from "bun:test";
import * as fs from "node:fs";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { DevnetFault } from "#api/rpc/index.ts";
import { DumpFiles, type DumpFilesDeps, MAX_DUMP_BYTES } from "#app/node/devnet/dump-files.ts";
import { noteDiskSteps } from "#test/helpers/disk-steps.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";

const folder = useFolder();

const DUMP = '[{"jsonrpc":"2.0","method":"devnet_createBlock","params":{},"id":0}]';
const at = folder.file;

function files(
  parts: {
    readonly host?: string;
    readonly cors?: DumpFilesDeps["rpc"]["cors"];
    readonly path?: string;
    readonly key?: string;
  } = {},
) {
  const {
    host = "127.0.0.1",
    cors = "local",
    path = null,
    key = at("data/block-signing.key"),
  } = parts;
  return new DumpFiles({
    rpc: { host, cors },
    path,
    files: {
      folder: at("data"),
      signingKey: { path: key, mayCreate: true },
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

describe("dump files", () => {
  test("are replaced atomically and can be read back", async () => {
    files().write(at("dump"), DUMP);
    files().write(at("dump"), "[]");
    files().write(at("dump"), DUMP);
    expect(readFileSync(at("dump"), "utf8")).toBe(DUMP);
    expect(readdirSync(folder.path).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    expect(await files().read(at("dump"))).toEqual(JSON.parse(DUMP));
  });

  test("are flushed to disk before they replace the old file, and are private", async () => {
    const place = at("steps/dump");
    mkdirSync(at("steps"));
    files().write(place, DUMP);
    expect(statSync(place).mode & 0o777).toBe(0o600);
    using noted = noteDiskSteps(at("steps"));
    files().write(place, "[]");
    const [sync = "", rename = "", ...more] = noted.steps;
    expect(sync).toMatch(/^fsync \.dump\.\d+\.tmp$/);
    expect(rename).toBe(`rename ${sync.slice("fsync ".length)} dump`);
    expect(more).toEqual([]);
  });

  test("keep a symbolic link, and leave no temporary file behind on failure", async () => {
    files().write(at("target"), DUMP);
    symlinkSync(at("target"), at("to-dump"));
    files().write(at("to-dump"), "[]");
    expect(readlinkSync(at("to-dump"))).toBe(at("target"));
    expect(readFileSync(at("target"), "utf8")).toBe("[]");
    const real = { ...fs };
    void mock.module("node:fs", () => ({
      ...real,
      renameSync: () => {
        throw Object.assign(new TypeError("no"), { code: "EXDEV" });
      },
    }));
    try {
      expect(await reasonOf(() => files().write(at("target"), DUMP))).toContain("(EXDEV)");
    } finally {
      void mock.module("node:fs", () => real);
    }
    expect(readFileSync(at("target"), "utf8")).toBe("[]");
    expect(readdirSync(folder.path).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("that are too large, too deep or the signing key are not read", async () => {
    writeFileSync(at("large"), "");
    truncateSync(at("large"), MAX_DUMP_BYTES + 1);
    expect(await reasonOf(() => files().read(at("large")))).toContain("a dump has at most");
    writeFileSync(at("deep"), "[".repeat(200) + "]".repeat(200));
    expect(await reasonOf(() => files().read(at("deep")))).toContain("expected JSON");
    writeFileSync(at("my.key"), "0x5");
    const own = files({ key: at("my.key") });
    expect(await reasonOf(() => own.read(at("my.key")))).toContain("own file");
    expect(await reasonOf(() => own.write(at("my.key"), DUMP))).toContain("own file");
  });

  test("never overwrite other files or the node's own files", async () => {
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

  test("with other content are refused without revealing it", async () => {
    writeFileSync(at("secret"), "a secret word");
    expect(await reasonOf(() => files().read(at("secret")))).toBe(
      `${at("secret")} is no dump: expected JSON`,
    );
    expect(await reasonOf(() => files().read(at("missing")))).toBe("The file does not exist");
    expect(await reasonOf(() => files().read(folder.path))).toContain("is a folder");
    expect(await reasonOf(() => files().read("/dev/zero"))).toContain("no regular file");
  });

  test("are restricted to the option's path if others can reach the node", async () => {
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

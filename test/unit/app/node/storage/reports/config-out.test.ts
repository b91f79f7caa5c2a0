import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { checkConfigOut, writeConfigOut } from "#app/node/storage/reports/config-out.ts";
import { DATABASE_SUFFIXES, OWN_FILES } from "#app/node/storage/folder/own-files.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import { ConfigError } from "#base/errors/index.ts";
import { nodeOptions } from "#test/helpers/node-options.ts";
import { type TemporaryFolder, temporaryFolder } from "#test/helpers/temporary-folder.ts";

let root: TemporaryFolder;
let data: string;

beforeEach(() => {
  root = temporaryFolder();
  data = root.file("data");
});
afterEach(() => root[Symbol.dispose]());

/** Refusal of a `--config-out` file; `undefined` if accepted. */
function refusal(file: string, privateKeyFile: string | null = null): string | undefined {
  try {
    checkConfigOut(file, nodeFiles(data, privateKeyFile));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message;
  }
  return undefined;
}

const overwrites = (file: string, own: string) =>
  `--config-out ${file}: ${own} is the node's own file and would be overwritten; name another file`;

/** A data folder with a database in it. */
function makeDatabase(): string {
  mkdirSync(data);
  const database = join(data, "chain.db");
  writeFileSync(database, "blocks");
  return database;
}

describe("a file of the node is refused", () => {
  test("by every name, before and after the folder exists", () => {
    const names = OWN_FILES.flatMap((name) =>
      DATABASE_SUFFIXES.map((beside) => join(data, name + beside)),
    );
    for (const name of names) expect(refusal(name)).toBe(overwrites(name, name));
    mkdirSync(data);
    for (const name of names) expect(refusal(name)).toBe(overwrites(name, name));
    expect(readdirSync(data)).toEqual([]);
  });

  test("as a relative path, and by a detour", () => {
    const database = makeDatabase();
    const around = `${data}/../data/./chain.db`;
    for (const file of [relative(process.cwd(), database), around]) {
      expect(refusal(file)).toBe(overwrites(file, database));
    }
    expect(readFileSync(database, "utf8")).toBe("blocks");
  });

  test("through a symbolic link to it, to its folder, or to a link", () => {
    const database = makeDatabase();
    symlinkSync(database, root.file("absolute"));
    symlinkSync("data/chain.db", root.file("relative"));
    symlinkSync("relative", root.file("twice"));
    symlinkSync("data", root.file("folder"));
    for (const name of ["absolute", "relative", "twice", "folder/chain.db"]) {
      expect(refusal(root.file(name))).toBe(overwrites(root.file(name), database));
    }
  });

  test("through a symbolic link to a future file", () => {
    symlinkSync("data/chain.db", root.file("link"));
    symlinkSync("data", root.file("folder"));
    const database = join(data, "chain.db");
    for (const name of ["link", "folder/chain.db"]) {
      expect(refusal(root.file(name))).toBe(overwrites(root.file(name), database));
    }
    expect(existsSync(data)).toBe(false);
  });

  test("when the data folder is a symbolic link", () => {
    const database = makeDatabase();
    symlinkSync("data", root.file("other"));
    data = root.file("other");
    expect(refusal(database)).toBe(overwrites(database, join(data, "chain.db")));
  });

  test("by a hard link", () => {
    const database = makeDatabase();
    linkSync(database, root.file("second"));
    expect(refusal(root.file("second"))).toBe(overwrites(root.file("second"), database));
  });

  test("when it is the operator's key in another folder", () => {
    const key = root.file("key");
    expect(refusal(key, key)).toBe(overwrites(key, key));
    expect(refusal(key)).toBeUndefined();
  });
});

describe("any other writable file is accepted without being created", () => {
  test("in the data folder, before and after it exists", () => {
    expect(refusal(join(data, "accounts.json"))).toBeUndefined();
    mkdirSync(data);
    expect(refusal(join(data, "accounts.json"))).toBeUndefined();
    expect(readdirSync(data)).toEqual([]);
  });

  test("elsewhere, also with the name of a node file", () => {
    makeDatabase();
    expect(refusal(root.file("chain.db"))).toBeUndefined();
    symlinkSync("accounts.json", root.file("link"));
    expect(refusal(root.file("link"))).toBeUndefined();
  });
});

describe("a file that cannot be written is refused", () => {
  test("for link cycles, directories, and paths inside a file", () => {
    makeDatabase();
    symlinkSync("b", root.file("a"));
    symlinkSync("a", root.file("b"));
    for (const file of [root.file("a"), data, join(data, "chain.db/x"), root.file("none/x")]) {
      expect(refusal(file)).toBe(`--config-out ${file}: the file cannot be written`);
    }
  });
});

const URLS = { rpcUrl: "http://127.0.0.1:1", metricsUrl: null };
const CHAIN = {
  urls: URLS,
  contracts: { accountClass: null, universalDeployers: [] },
  accounts: [],
  fork: null,
};

describe("the file", () => {
  test("names the origin of a fork without what its URL hides", async () => {
    const file = root.file("out.json");
    const fork = {
      origins: ["https://node.example:8443"],
      forkBlock: 7,
      blockHash: 0xabcn,
      originChainId: "SN_MAIN",
    };
    writeConfigOut(file, await nodeOptions({}), { ...CHAIN, fork });
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      fork: {
        urls: ["https://node.example:8443"],
        block_number: 7,
        block_hash: "0xabc",
        chain_id: "SN_MAIN",
      },
    });
  });

  test("does not mention a fork for a chain that is none", async () => {
    const file = root.file("out.json");
    writeConfigOut(file, await nodeOptions({}), CHAIN);
    expect(readFileSync(file, "utf8")).not.toContain("fork");
  });
});

describe("a process that waits for the file", () => {
  /** Names of changed files in a folder, in order. */
  function watched(folder: string) {
    const names: string[] = [];
    const watcher = watch(folder, (_, name) => {
      if (name !== null) names.push(name);
    });
    return { names, close: () => watcher.close() };
  }

  test("sees nothing of the check before the start", async () => {
    const { names, close } = watched(root.path);
    expect(refusal(root.file("out.json"))).toBeUndefined();
    await Bun.sleep(50);
    close();
    expect(names).not.toContain("out.json");
    expect(readdirSync(root.path)).toEqual([]);
  });

  test("sees the whole file appear, readable only by its owner", async () => {
    const options = await nodeOptions({});
    const { names, close } = watched(root.path);
    writeConfigOut(root.file("out.json"), options, CHAIN);
    await Bun.sleep(50);
    close();
    // It is renamed into place: an opened and written file causes more events.
    expect(names.filter((name) => name === "out.json")).toHaveLength(1);
    expect(readdirSync(root.path)).toEqual(["out.json"]);
    expect(statSync(root.file("out.json")).mode & 0o777).toBe(0o600);
  });

  test("finds it at the target of a link, which stays a link", async () => {
    const options = await nodeOptions({});
    mkdirSync(root.file("elsewhere"));
    symlinkSync("elsewhere/out.json", root.file("link"));
    writeConfigOut(root.file("link"), options, CHAIN);
    const written = JSON.parse(readFileSync(root.file("elsewhere/out.json"), "utf8")) as unknown;
    expect(written).toMatchObject({ rpc_url: URLS.rpcUrl });
    writeConfigOut(root.file("link"), options, { ...CHAIN, urls: { ...URLS, rpcUrl: "new" } });
    expect(readFileSync(root.file("elsewhere/out.json"), "utf8")).toContain('"rpc_url": "new"');
  });
});

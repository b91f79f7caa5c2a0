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
import { BESIDE, OWN_FILES } from "#app/node/storage/folder/own-files.ts";
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

/** What is wrong with a file of `--config-out`; `undefined` when nothing is. */
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

describe("a file that the node keeps for itself is refused", () => {
  test("by every name, before the folder exists and after", () => {
    const names = OWN_FILES.flatMap((name) => BESIDE.map((beside) => join(data, name + beside)));
    for (const name of names) expect(refusal(name)).toBe(overwrites(name, name));
    mkdirSync(data);
    for (const name of names) expect(refusal(name)).toBe(overwrites(name, name));
    expect(readdirSync(data)).toEqual([]);
  });

  test("as a relative path, and by a way around", () => {
    const database = makeDatabase();
    const around = `${data}/../data/./chain.db`;
    for (const file of [relative(process.cwd(), database), around]) {
      expect(refusal(file)).toBe(overwrites(file, database));
    }
    expect(readFileSync(database, "utf8")).toBe("blocks");
  });

  test("over a symbolic link to it, to its folder, and to a link", () => {
    const database = makeDatabase();
    symlinkSync(database, root.file("absolute"));
    symlinkSync("data/chain.db", root.file("relative"));
    symlinkSync("relative", root.file("twice"));
    symlinkSync("data", root.file("folder"));
    for (const name of ["absolute", "relative", "twice", "folder/chain.db"]) {
      expect(refusal(root.file(name))).toBe(overwrites(root.file(name), database));
    }
  });

  test("over a symbolic link to what is only going to exist", () => {
    symlinkSync("data/chain.db", root.file("link"));
    symlinkSync("data", root.file("folder"));
    const database = join(data, "chain.db");
    for (const name of ["link", "folder/chain.db"]) {
      expect(refusal(root.file(name))).toBe(overwrites(root.file(name), database));
    }
    expect(existsSync(data)).toBe(false);
  });

  test("when the data folder is a symbolic link itself", () => {
    const database = makeDatabase();
    symlinkSync("data", root.file("other"));
    data = root.file("other");
    expect(refusal(database)).toBe(overwrites(database, join(data, "chain.db")));
  });

  test("under a second name of the same file", () => {
    const database = makeDatabase();
    linkSync(database, root.file("second"));
    expect(refusal(root.file("second"))).toBe(overwrites(root.file("second"), database));
  });

  test("when it is the operator's key, which lies elsewhere", () => {
    const key = root.file("key");
    expect(refusal(key, key)).toBe(overwrites(key, key));
    expect(refusal(key)).toBeUndefined();
  });
});

describe("any other file that can be written is taken, and not made yet:", () => {
  test("in the data folder, before it exists and after", () => {
    expect(refusal(join(data, "accounts.json"))).toBeUndefined();
    mkdirSync(data);
    expect(refusal(join(data, "accounts.json"))).toBeUndefined();
    expect(readdirSync(data)).toEqual([]);
  });

  test("elsewhere, also by the name of a file of the node", () => {
    makeDatabase();
    expect(refusal(root.file("chain.db"))).toBeUndefined();
    symlinkSync("accounts.json", root.file("link"));
    expect(refusal(root.file("link"))).toBeUndefined();
  });
});

describe("what cannot be written is refused:", () => {
  test("links that lead nowhere, folders, and what lies in a file", () => {
    makeDatabase();
    symlinkSync("b", root.file("a"));
    symlinkSync("a", root.file("b"));
    for (const file of [root.file("a"), data, join(data, "chain.db/x"), root.file("none/x")]) {
      expect(refusal(file)).toBe(`--config-out ${file}: the file cannot be written`);
    }
  });
});

describe("whoever waits for the file", () => {
  const NO_CONTRACTS = { accountClass: null, universalDeployers: [] };
  const URLS = { rpcUrl: "http://127.0.0.1:1", metricsUrl: null };

  /** The names of a folder's files at each change in it. */
  function watched(folder: string) {
    const names: string[] = [];
    const watcher = watch(folder, (_, name) => {
      if (name !== null) names.push(name);
    });
    return { names, close: () => watcher.close() };
  }

  test("sees nothing of the look before the start", async () => {
    const { names, close } = watched(root.path);
    expect(refusal(root.file("out.json"))).toBeUndefined();
    await Bun.sleep(50);
    close();
    expect(names).not.toContain("out.json");
    expect(readdirSync(root.path)).toEqual([]);
  });

  test("sees all of it at once, readable for its owner alone", async () => {
    const options = await nodeOptions({});
    const { names, close } = watched(root.path);
    writeConfigOut(root.file("out.json"), options, URLS, NO_CONTRACTS, []);
    await Bun.sleep(50);
    close();
    // It is renamed: a file that is opened and written has more changes.
    expect(names.filter((name) => name === "out.json")).toHaveLength(1);
    expect(readdirSync(root.path)).toEqual(["out.json"]);
    expect(statSync(root.file("out.json")).mode & 0o777).toBe(0o600);
  });

  test("finds it where a link leads, which stays a link", async () => {
    const options = await nodeOptions({});
    mkdirSync(root.file("elsewhere"));
    symlinkSync("elsewhere/out.json", root.file("link"));
    writeConfigOut(root.file("link"), options, URLS, NO_CONTRACTS, []);
    const written = JSON.parse(readFileSync(root.file("elsewhere/out.json"), "utf8")) as unknown;
    expect(written).toMatchObject({ rpc_url: URLS.rpcUrl });
    writeConfigOut(root.file("link"), options, { ...URLS, rpcUrl: "new" }, NO_CONTRACTS, []);
    expect(readFileSync(root.file("elsewhere/out.json"), "utf8")).toContain('"rpc_url": "new"');
  });
});

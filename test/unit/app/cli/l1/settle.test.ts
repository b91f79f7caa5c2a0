import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type JsonValue, parseJson, stringifyJson } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { RpcRefusal } from "#io/client/index.ts";
import { ANVIL_KEY, ANVIL_OTHER_KEYS, type RunningAnvil, startAnvil } from "#test/helpers/anvil.ts";
import type { DeclareWorld } from "#test/helpers/declare-world.ts";
import { CORE_ABI } from "#test/helpers/l1-core-abi.ts";
import { deployCore, type DeployedCore } from "#test/helpers/l1-core.ts";
import { L1Contract } from "#test/helpers/l1-contract.ts";
import { channelOf, replayStory } from "#test/helpers/replay-world.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";
import { run } from "../run.ts";

const SECRET = ANVIL_KEY.slice(2);

let world: DeclareWorld;
let anvil: RunningAnvil;
let deployed: DeployedCore;
let folder: TemporaryFolder;
let keyFile: string;

interface Question {
  readonly method: string;
  readonly params: Readonly<Record<string, JsonValue>>;
}

const node = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const asked = parseJson(await request.text()) as unknown as Question;
    try {
      const result = await channelOf(world).call(asked.method, asked.params);
      return new Response(stringifyJson({ jsonrpc: "2.0", id: 1, result }));
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error;
      const { rpcCode: code, message } = error;
      return new Response(stringifyJson({ jsonrpc: "2.0", id: 1, error: { code, message } }));
    }
  },
});

beforeAll(async () => {
  folder = temporaryFolder();
  keyFile = fileWith("operator.key", `${ANVIL_KEY}\n`);
  world = await replayStory();
  anvil = await startAnvil();
  deployed = await deployCore(anvil);
}, 60_000);

afterAll(async () => {
  await node.stop(true);
  await anvil.stop();
  await world[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

function fileWith(name: string, text: string, mode = 0o600): string {
  const path = join(folder.path, name);
  writeFileSync(path, text, { mode });
  return path;
}

/** Settles on the test's L1, with changed or additional arguments. */
function settle(
  options: Readonly<Record<string, string>> = {},
  switches: readonly string[] = ["--dev"],
) {
  const all = {
    "key-file": keyFile,
    "core-contract": deployed.address,
    "l1-endpoint": anvil.url,
    url: node.url.href,
    ...options,
  };
  const words = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]);
  return run(["l1", "settle", ...switches, ...words]);
}

function blockOnL1(): Promise<unknown> {
  return new L1Contract(anvil, deployed.address, CORE_ABI).read("stateBlockNumber");
}

describe("appchain l1 settle", () => {
  test("settles one block, then a range, then the rest, and then nothing", async () => {
    const first = await settle({ to: "0" });
    expect([first.code, first.err]).toEqual([0, ""]);
    expect(first.out.split("\n")).toEqual([
      expect.stringMatching(/^block 0 settled: 0 messages to L1, 0 to L2, hash 0x/),
      "the core contract has block 0",
    ]);
    const second = await settle({ to: "2" });
    const header = world.chain.header(2);
    expect(second.out.split("\n")).toEqual([
      `blocks 1 to 2 settled: 0 messages to L1, 0 to L2, hash ${hexFromFelt(header?.hash ?? 0n)}, state root ${hexFromFelt(header?.newRoot ?? 0n)}`,
      "the core contract has block 2",
    ]);
    expect(await blockOnL1()).toBe(2n);

    const newest = world.chain.latestNumber() ?? 0;
    const rest = await settle();
    expect(rest.out.split("\n")).toHaveLength(2);
    expect(await blockOnL1()).toBe(BigInt(newest));

    const nothing = await settle();
    expect([nothing.code, nothing.out]).toEqual([0, `the core contract has block ${newest}`]);
  });

  test("posts no block twice when two run concurrently, and continues where one of them ended", async () => {
    const { address } = await deployCore(anvil);
    const both = { "core-contract": address };
    const codes = (await Promise.all([settle(both), settle(both)])).map(({ code }) => code);
    expect(codes.filter((code) => code > 1)).toEqual([]);
    expect((await settle(both)).code).toBe(0);
    const updates = await anvil.client.getContractEvents({
      address,
      abi: CORE_ABI,
      eventName: "LogStateUpdate",
      fromBlock: 0n,
    });
    const numbers = updates.map(({ args }) => Number(args.blockNumber));
    const newest = world.chain.latestNumber() ?? 0;
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    expect(numbers.at(-1)).toBe(newest);
  });

  test("requires --dev, a key and a contract", async () => {
    const { code, err } = await settle({}, []);
    expect(code).toBe(2);
    expect(err).toContain("--dev: is required: the posted updates have no proof");
    expect((await run(["l1", "settle", "--dev"])).err).toContain("--key-file: is missing");
    const noContract = await run(["l1", "settle", "--dev", "--key-file", keyFile]);
    expect([noContract.code, noContract.err]).toEqual([
      2,
      expect.stringContaining("--core-contract: is missing"),
    ]);
    for (const address of ["0x0", `0x${"0".repeat(40)}`, `0x${"1".repeat(41)}`, "core"]) {
      expect((await settle({ "core-contract": address })).code).toBe(2);
    }
  });

  test("exits with 1 if L1 or the node does not respond", async () => {
    const nobody = "http://127.0.0.1:1";
    const l1 = await settle({ "l1-endpoint": nobody });
    expect([l1.code, l1.err]).toEqual([1, `error: cannot reach ${nobody}`]);
    const other = await settle({ url: anvil.url });
    expect(other.code).toBe(1);
    expect(other.err).toContain("starknet_specVersion");
  });

  test("names an account that is not an operator", async () => {
    const other = fileWith("other.key", ANVIL_OTHER_KEYS[0]);
    const { code, err } = await settle({ "key-file": other });
    expect(code).toBe(1);
    expect(err).toContain("is not an operator of the core contract");
  });
});

describe("a public chain", () => {
  test.each([
    [1, "Ethereum"],
    [11_155_111, "Sepolia"],
  ])("with chain id %i is refused", async (chainId, name) => {
    const other = await startAnvil(["--chain-id", String(chainId)]);
    try {
      const { code, err } = await settle({ "l1-endpoint": other.url });
      expect(code).toBe(2);
      expect(err).toContain(`is a node of ${name} (chain id ${chainId}), where settling without`);
      expect(await other.client.getBlockNumber()).toBe(0n);
    } finally {
      await other.stop();
    }
  });
});

describe("names a file without a key only by the option", () => {
  const refused = async (path: string): Promise<string> => {
    const { code, err, out } = await settle({ "key-file": path });
    expect(code).toBe(2);
    expect(`${out}${err}`).not.toContain(SECRET);
    return err;
  };

  test.each([
    ["too little", ANVIL_KEY.slice(0, -1)],
    ["too much", `${ANVIL_KEY}0`],
    ["no prefix", SECRET],
    ["zero", `0x${"0".repeat(64)}`],
    ["the curve's order", "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"],
    ["two keys", `${ANVIL_KEY}\n${ANVIL_KEY}\n`],
  ])("%s", async (name, text) => {
    const message = await refused(fileWith(`${name}.key`, text));
    expect(message).toContain("--key-file: the file does not contain a private key");
  });

  test("a key in place of the path, a directory, a long file, and an unreadable file", async () => {
    expect(await refused(ANVIL_KEY)).toContain("--key-file: there is no such file");
    mkdirSync(join(folder.path, "folder"));
    expect(await refused(join(folder.path, "folder"))).toContain("it is not a file");
    expect(await refused(fileWith("long.key", ANVIL_KEY.repeat(63)))).toContain("longer than 4096");
    expect(await refused(fileWith("public.key", ANVIL_KEY, 0o604))).toContain(
      "--key-file: other users can access the file: run chmod 600 on it",
    );
    const closed = fileWith("closed.key", ANVIL_KEY);
    chmodSync(closed, 0o000);
    if (process.getuid?.() === 0) return;
    expect(await refused(closed)).toContain("permission to read the file is denied");
  });
});

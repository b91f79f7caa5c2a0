import { afterAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { ConfigError } from "#base/errors/index.ts";
import { type DumpOn, RECORDER_LIMITS, RequestRecorder } from "#api/rpc/index.ts";
import { AutomaticDumps } from "#app/node/devnet/automatic-dumps.ts";
import { dumpEntry, dumpWorld } from "#test/helpers/dump-world.ts";
import { SAMPLE_CHAIN } from "#test/helpers/sample-chain.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

interface World {
  readonly on: DumpOn;
  readonly path?: string;
  readonly nextBlock?: number;
  readonly recorder?: RequestRecorder;
  readonly isRenewal?: boolean;
}

/** A node with a dump file, and its recorded actions. */
function world({
  on,
  path = folder.file("none"),
  nextBlock = 1,
  recorder,
  isRenewal = false,
}: World) {
  const chain = { newest: 0 };
  const logged: string[] = [];
  const log = (level: string) => (text: string) => void logged.push(`${level}: ${text}`);
  const made = dumpWorld({
    on,
    path,
    ...(recorder && { recorder }),
    context: {
      chain: {
        ...SAMPLE_CHAIN,
        latestNumber: () => chain.newest,
        header: () => SAMPLE_CHAIN.header(1),
      },
    },
  });
  made.recorder.add({ method: "devnet_autoImpersonate", params: "{}", kind: "now", block: 1 });
  const growth: (() => void)[] = [];
  const ends = new AsyncDisposableStack();
  const dumps = new AutomaticDumps(ends);
  const logger = { warn: log("warn"), info: log("info"), error: log("error") } as never;
  const remote = { onGrowth: (listener: () => void) => void growth.push(listener) } as never;
  const generation = { isRenewal, isReplaced: false };
  const start = () =>
    dumps.start({ context: made.context, remote, log: logger, nextBlock, generation });
  const grow = (): void => {
    chain.newest++;
    for (const listener of growth) listener();
  };
  return { ...made, path, logged, generation, start, grow, end: () => ends.disposeAsync() };
}

test("dumps the chain when the node ends, unless dumps are made on request", async () => {
  for (const [on, count] of [
    ["exit", 1],
    ["block", 1],
    ["request", 0],
  ] as const) {
    const { start, end, files } = world({ on });
    await start();
    await end();
    expect(files.size).toBe(count);
  }
});

test("dumps after blocks, and includes blocks that arrive during a dump", async () => {
  const { start, grow, files, path } = world({ on: "block" });
  await start();
  grow();
  await until(() => files.has(path));
  files.clear();
  // In the pause after a dump nothing is written; afterwards the newest state is.
  grow();
  grow();
  await Promise.resolve();
  expect(files.size).toBe(0);
  await until(() => files.has(path));
  const other = world({ on: "exit" });
  await other.start();
  other.grow();
  await Bun.sleep(5);
  expect(other.files.size).toBe(0);
});

test("writes no file for an unchanged chain, and logs a chain that cannot be dumped", async () => {
  const none = world({ on: "exit" });
  none.recorder.clear();
  await none.start();
  await none.end();
  expect(none.files.size).toBe(0);
  const lacking = world({
    on: "exit",
    recorder: new RequestRecorder({ genesis: 0, newest: 5 }, RECORDER_LIMITS),
  });
  await lacking.start();
  await lacking.end();
  expect(lacking.files.size).toBe(0);
  expect(lacking.logged).toEqual(["error: the chain was not dumped"]);
});

test("loads a dump into a new chain, ignores it for an existing chain, and rejects a malformed one", async () => {
  const path = folder.file("dump");
  await Bun.write(path, "there");
  const fresh = world({ on: "request", path });
  fresh.files.set(path, JSON.stringify([dumpEntry("devnet_createBlock", {})]));
  await fresh.start();
  expect(fresh.steps).toContainEqual(["restart"]);
  expect(fresh.logged).toEqual(["info: dump loaded"]);
  const going = world({ on: "request", path, nextBlock: 2 });
  await going.start();
  expect(going.steps).toEqual([]);
  expect(going.logged[0]).toStartWith("warn: the dump is not loaded");
  const broken = world({ on: "exit", path });
  broken.files.set(path, "5");
  const error: unknown = await broken.start().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  expect(String(error)).toContain(`--dump-path ${path}: the dump: expected an array`);
  await broken.end();
  expect(broken.files.get(path)).toBe("5");
});

async function until(isTrue: () => boolean): Promise<void> {
  for (let i = 0; i < 500 && !isTrue(); i++) await Bun.sleep(10);
  expect(isTrue()).toBe(true);
}

test("neither loads nor writes a dump where a moved fork replaces the chain", async () => {
  const path = folder.file("moved.json");
  writeFileSync(path, "[1]");
  const { generation, start, grow, end, files } = world({ on: "block", path, isRenewal: true });
  await start();
  generation.isReplaced = true;
  grow();
  await end();
  expect(files.size).toBe(0);
});

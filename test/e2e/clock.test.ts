import { describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import {
  freePort,
  rawCall,
  resultOf,
  type RunningNode,
  startChain,
  startNode,
} from "#test/helpers/binary.ts";
import { startStoreServer, STORE_ENVIRONMENT } from "#test/helpers/store-server.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { untilTrue } from "#test/helpers/until-true.ts";

const CONFIGURATION = resolve(import.meta.dir, "../../presets/devnet.yaml");

/** Debian's package libfaketime. */
const FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";

/** Tests that need it name it, so that `scripts/test` can count them. */
const HAS_FAKETIME = existsSync(FAKETIME);

const timestampOf = async (chain: RunningNode, block: unknown = "latest"): Promise<number> =>
  (await resultOf<{ timestamp: number }>(chain, "starknet_getBlockWithTxHashes", [block]))
    .timestamp;

/**
 * Environment of a wall clock that is off by the offset in a file; the monotonic clock is right.
 */
const fakeClock = (offset: string): Readonly<Record<string, string>> => ({
  LD_PRELOAD: FAKETIME,
  FAKETIME_TIMESTAMP_FILE: offset,
  FAKETIME_NO_CACHE: "1",
  FAKETIME_DONT_FAKE_MONOTONIC: "1",
  DONT_FAKE_MONOTONIC: "1",
});

async function until(condition: () => Promise<boolean>): Promise<void> {
  expect(await untilTrue(condition)).toBe(true);
}

describe("a wrong clock", () => {
  test("produces no blocks after the start unless it is trusted", async () => {
    using folder = temporaryFolder();
    const basePath = folder.path;
    const ahead = Math.floor(Date.now() / 1000) + 7_200;
    const dev = await startChain({ basePath });
    await resultOf(dev, "devnet_setTime", { time: ahead, generate_block: true });
    await dev.stop();

    const refusal: unknown = await startChain({ basePath, chainConfig: CONFIGURATION }).catch(
      (error: unknown) => error,
    );
    expect(String(refusal)).toContain("the chain did not start (exit code 1)");
    expect(String(refusal)).toMatch(
      /the clock is 7[12]\d\d s behind block \d+, the newest one: no blocks are produced; set the clock, or give --trust-clock/,
    );

    const trusting = await startChain({
      basePath,
      chainConfig: CONFIGURATION,
      args: ["--trust-clock", "--block-time", "200ms"],
    });
    const before = await resultOf<number>(trusting, "starknet_blockNumber");
    await until(
      async () => (await resultOf<number>(trusting, "starknet_blockNumber")) > before + 1,
    );
    // The block that exists has the time of the chain; time never goes back.
    expect(await timestampOf(trusting)).toBe(ahead);
    await trusting.stop();
  }, 60_000);

  test.skipIf(!HAS_FAKETIME)(
    "[libfaketime] in 2040 for one second stamps no block, and is counted and logged",
    async () => {
      using folder = temporaryFolder();
      const offset = folder.file("offset");
      const set = (value: string): void => writeFileSync(offset, value);
      set("+0");
      const chain = await startChain({
        basePath: folder.file("chain"),
        chainConfig: CONFIGURATION,
        args: ["--block-time", "200ms"],
        env: fakeClock(offset),
      });
      const jumps = async (): Promise<number> => {
        const response = await fetch(`http://127.0.0.1:${chain.metricsPort}/metrics`);
        const text = await response.text();
        return Number(/^appchain_clock_jumps (\d+)$/m.exec(text)?.[1]);
      };
      expect(await jumps()).toBe(0);
      set("+14y");
      await until(async () => (await jumps()) === 1);
      await Bun.sleep(1_000);
      const inJump = await timestampOf(chain);
      const pending = await timestampOf(chain, "pre_confirmed");
      set("+0");
      await until(async () => (await jumps()) === 2);
      await Bun.sleep(1_000);
      const latest = await timestampOf(chain);
      const nowSeconds = Date.now() / 1000;
      for (const each of [inJump, pending, latest]) {
        expect(each).toBeWithin(nowSeconds - 60, nowSeconds + 60);
      }
      expect(latest).toBeGreaterThan(inJump);
      expect(chain.output()).toContain("the wall clock has jumped");
      await chain.stop();
    },
    60_000,
  );

  test.skipIf(!HAS_FAKETIME)(
    "[libfaketime] keeps a standby from taking over until it is corrected",
    async () => {
      using folder = temporaryFolder();
      await using store = await startStoreServer();
      const offset = folder.file("offset");
      const keyFile = folder.file("signing.key");
      writeFileSync(keyFile, "0x1234567890abcdef\n", { mode: 0o600 });
      const start = (name: string, more: readonly string[], env = {}): Promise<RunningNode> =>
        startNode({
          basePath: folder.file(name),
          command: ["sequencer", "--preset", "devnet", "--publish-gate", store.storeUrl()],
          args: ["--private-key-file", keyFile, "--takeover-after", "2000", ...more],
          env: { ...STORE_ENVIRONMENT, ...env },
        });
      const leader = await start("leader", []);
      const port = await freePort();
      writeFileSync(offset, "-600");
      const gateway = ["--gateway-port", String(port)];
      const standby = await start("standby", ["--standby", ...gateway], fakeClock(offset));
      const newest = await resultOf<number>(leader, "starknet_blockNumber");
      await until(
        async () => (await rawCall(standby.url, "starknet_blockNumber")).result === newest,
      );
      await leader.stop("SIGKILL");
      await until(() => Promise.resolve(standby.output().includes("it does not take over")));
      const leads = async (): Promise<boolean> =>
        (await fetch(`http://127.0.0.1:${port}/leader`)).status === 200;
      await Bun.sleep(1_000);
      expect(await leads()).toBe(false);
      expect(await resultOf<number>(standby, "starknet_blockNumber")).toBe(newest);
      writeFileSync(offset, "+0");
      await until(leads);
      expect(await timestampOf(standby)).toBeGreaterThan(Date.now() / 1000 - 60);
      await standby.stop();
    },
    60_000,
  );
});

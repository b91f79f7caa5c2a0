import { expect, test } from "bun:test";
import type { SierraClass } from "#protocol/chain/index.ts";
import { ASYNC_SUBMISSION, LOW_COMPILERS, type RunningChain, WARM } from "#test/helpers/binary.ts";
import { childrenOf } from "#test/helpers/child-processes.ts";
import { signedDeclare } from "#test/helpers/signed-declare.ts";
import { stallBoundMs } from "#test/helpers/stall.ts";
import {
  LARGEST_CLASS,
  SLOWEST_CLASS,
  SLOWLY_REFUSED_CLASS,
} from "#test/helpers/hostile-classes.ts";
import { HonestLoad } from "#test/helpers/honest-load.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { untilTrue } from "#test/helpers/until-true.ts";
import { useChains } from "#test/helpers/use-chain.ts";

/** A stall takes many seconds. */
const LONGEST_WAIT_MS = stallBoundMs(5_000);
const START_MS = 60_000;
const TRANSFERS_PER_SECOND = bySize({ quick: 10, full: 40 });
/**
 * Processor time per class in the second chain; the limit of the wall-clock time is ten times that.
 */
const CPU_LIMIT_MS = bySize({ quick: 300, full: 1_000 });
const COMPILATION_FAILED = 56;
const OPTIONS = ["--dev-accounts", "20", "--compiler-memory", "512"];

const start = useChains();

/** Declares a class from an account that sends no transfers. @returns the error */
async function declare(chain: RunningChain, index: number, contractClass: SierraClass) {
  const signer = chain.signer(index);
  const body = signedDeclare("APPCHAIN_DEVNET", signer, 0n, contractClass);
  const headers = { "content-type": "application/json" };
  const response = await fetch(chain.url, { method: "POST", headers, body });
  const { error } = (await response.json()) as { error?: { code: number; data: string } };
  return error;
}

/**
 * Runs declarations while honest clients send transfers; some are received during each declaration.
 */
async function duringTransfers(
  chain: RunningChain,
  declarations: readonly (() => Promise<void>)[],
): Promise<void> {
  const honest = new HonestLoad(chain, {
    chainId: "APPCHAIN_DEVNET",
    transfersPerSecond: TRANSFERS_PER_SECOND,
    accounts: 15,
  });
  honest.start();
  for (const work of declarations) {
    const before = honest.report().received.length;
    await work();
    const isSent = () => honest.report().received.length > before;
    expect(await untilTrue(isSent, LONGEST_WAIT_MS)).toBe(true);
  }
  const { errors, slowestMs, received } = await honest.stop();
  expect(errors).toEqual([]);
  expect(Math.max(...Object.values(slowestMs))).toBeLessThan(LONGEST_WAIT_MS);
  const last = received.at(-1) ?? "";
  expect((await chain.provider.waitForTransaction(last, { retryInterval: 50 })).isSuccess()).toBe(
    true,
  );
}

/** Waits until a chain's compiler process is ready. */
async function untilCompilerRuns(chain: RunningChain): Promise<void> {
  const runs = () => chain.output().includes("compiler process started");
  expect(await untilTrue(runs, START_MS)).toBe(true);
}

test("classes that exhaust memory or time are rejected while transfers continue", async () => {
  const chain = await start({
    env: { ...ASYNC_SUBMISSION, ...LOW_COMPILERS, ...WARM },
    args: OPTIONS,
  });
  await duringTransfers(chain, [
    async () => {
      expect(await declare(chain, 15, LARGEST_CLASS.build())).toMatchObject({
        code: COMPILATION_FAILED,
        data: "compiling took more than 512 MiB of memory",
      });
    },
  ]);
  await chain.stop();
  // A second chain: on a busy machine a class may reach the short time limit before the memory
  // limit.
  const limited = await start({
    env: { ...ASYNC_SUBMISSION, ...LOW_COMPILERS, ...WARM },
    args: [...OPTIONS, "--compiler-timeout", `${CPU_LIMIT_MS}ms`, "--log-level", "debug"],
  });
  await duringTransfers(limited, [
    async () => {
      await untilCompilerRuns(limited);
      // A stopped process gets no processor time and is given up at the wall-clock limit.
      for (const pid of childrenOf(limited.pid)) process.kill(pid, "SIGSTOP");
      expect(await declare(limited, 16, SLOWEST_CLASS.build())).toMatchObject({
        code: COMPILATION_FAILED,
        data: `compiling took longer than ${CPU_LIMIT_MS / 100} s`,
      });
    },
    async () => {
      expect(await declare(limited, 17, SLOWLY_REFUSED_CLASS.build())).toMatchObject({
        code: COMPILATION_FAILED,
        // On a busy machine the wall-clock limit may come first.
        data: expect.stringMatching(/^compiling took (more|longer) than /),
      });
    },
  ]);
}, 600_000);

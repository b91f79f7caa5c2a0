import { expect, test } from "bun:test";
import type { SierraClass } from "#protocol/chain/index.ts";
import { ASYNC_SUBMISSION } from "#test/helpers/binary.ts";
import { childrenOf } from "#test/helpers/child-processes.ts";
import { signedDeclare } from "#test/helpers/signed-declare.ts";
import { stallBoundMs } from "#test/helpers/stall.ts";
import {
  LARGEST_CLASS,
  SLOWEST_CLASS,
  SLOWLY_REFUSED_CLASS,
} from "#test/helpers/hostile-classes.ts";
import { HonestLoad } from "#test/helpers/honest-load.ts";
import { useChain } from "#test/helpers/use-chain.ts";

/** A stall takes many seconds. */
const LONGEST_WAIT_MS = stallBoundMs(5_000);
const TRANSFERS_PER_SECOND = 40;
const COMPILATION_FAILED = 56;

const chain = useChain({
  env: ASYNC_SUBMISSION,
  args: ["--dev-accounts", "20", "--compiler-memory", "512"],
});

/** Declares a class of an account that sends no transfers. @returns the error */
async function declare(index: number, contractClass: SierraClass) {
  const signer = chain.signer(index);
  const body = signedDeclare("APPCHAIN_DEVNET", signer, 0n, contractClass);
  const headers = { "content-type": "application/json" };
  const response = await fetch(chain.url, { method: "POST", headers, body });
  const { error } = (await response.json()) as { error?: { code: number; data: string } };
  return error;
}

test("classes that exhaust memory or time are refused while transfers go on", async () => {
  const honest = new HonestLoad(chain, {
    chainId: "APPCHAIN_DEVNET",
    transfersPerSecond: TRANSFERS_PER_SECOND,
    accounts: 15,
  });
  honest.start();
  await Bun.sleep(2_000);
  expect(await declare(15, LARGEST_CLASS.build())).toMatchObject({
    code: COMPILATION_FAILED,
    data: "compiling took more than 512 MiB of memory",
  });
  expect(await declare(17, SLOWLY_REFUSED_CLASS.build())).toMatchObject({
    code: COMPILATION_FAILED,
  });
  // No class is known that takes a minute: a process that is held up stands for one.
  const slow = declare(16, SLOWEST_CLASS.build());
  await Bun.sleep(4_000);
  for (const pid of childrenOf(chain.pid)) process.kill(pid, "SIGSTOP");
  expect(await slow).toMatchObject({
    code: COMPILATION_FAILED,
    data: "compiling took longer than 60 s",
  });
  const { errors, slowestMs, received } = await honest.stop();
  expect(errors).toEqual([]);
  expect(Math.max(...Object.values(slowestMs))).toBeLessThan(LONGEST_WAIT_MS);
  expect(received.length).toBeGreaterThan(TRANSFERS_PER_SECOND * 30);
  const last = received.at(-1) ?? "";
  expect((await chain.provider.waitForTransaction(last, { retryInterval: 50 })).isSuccess()).toBe(
    true,
  );
}, 600_000);

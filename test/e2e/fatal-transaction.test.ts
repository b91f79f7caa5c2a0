import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { ASYNC_SUBMISSION, rawCall } from "#test/helpers/binary.ts";
import { startAndKill } from "#test/helpers/killed-node.ts";
import { AMPLE_BOUNDS, NO_ESTIMATE, transferCall } from "#test/helpers/tokens.ts";
import { untilTrue } from "#test/helpers/until-true.ts";
import { useChains, type UsedChain } from "#test/helpers/use-chain.ts";
import { type ExecutionRecord, readExecutionRecord } from "#io/storage/index.ts";

/** Transfers in one transaction: enough that its execution can be interrupted. */
const TRANSFERS = 600;
const HEAVY = {
  resourceBounds: {
    ...AMPLE_BOUNDS,
    l2_gas: { max_amount: 1_000_000_000n, max_price_per_unit: 1_000_000n },
  },
  tip: 0n,
};

/** Executions last milliseconds. */
const CAUGHT_POLL_MS = 1;
const CAUGHT_TIMEOUT_MS = 30_000;
/** Deadline for a start to reach the attempt at which it is killed. */
const ATTEMPT_TIMEOUT_MS = 60_000;

const start = useChains();
let chain: UsedChain;

const record = (): ExecutionRecord | undefined =>
  readExecutionRecord(chain.folder.file("execution.journal"));

async function statusOf(hash: string): Promise<unknown> {
  const { result, error } = await rawCall(chain.url, "starknet_getTransactionStatus", [hash]);
  return error?.data ?? (result as { finality_status: string }).finality_status;
}

/** Sends a heavy transaction and kills the process during its execution. */
async function killAtFirstAttempt(): Promise<string> {
  chain = await start({ env: ASYNC_SUBMISSION });
  const calls = Array.from({ length: TRANSFERS }, (_, i) => transferCall("0xabc", BigInt(i + 1)));
  const { transaction_hash } = await chain.account(0).execute(calls, HEAVY);
  const isExecuted = () => record()?.hash === BigInt(transaction_hash);
  expect(await untilTrue(isExecuted, CAUGHT_TIMEOUT_MS, CAUGHT_POLL_MS)).toBe(true);
  await chain.stop("SIGKILL");
  expect(record()).toEqual({ hash: BigInt(transaction_hash), attempt: 1, cause: null });
  return transaction_hash;
}

/** Starts the node and kills it when it retries the transaction alone. */
const killAtAttempt = (expected: number): Promise<void> =>
  startAndKill(chain.folder.path, [], async () => {
    const isTried = () => record()?.attempt === expected;
    expect(await untilTrue(isTried, ATTEMPT_TIMEOUT_MS, CAUGHT_POLL_MS)).toBe(true);
  });

test("an honest transaction interrupted by a kill is executed after the restart", async () => {
  const hash = await killAtFirstAttempt();
  await chain.start({});
  const receipt = await chain.provider.waitForTransaction(hash, { retryInterval: 50 });
  expect(receipt.isSuccess()).toBe(true);
  expect(record()).toBeUndefined();
}, 300_000);

test("a transaction that repeatedly kills the process is dropped with a reason, and the chain continues", async () => {
  const hash = await killAtFirstAttempt();
  for (const attempt of [2, 3, 4, 5]) await killAtAttempt(attempt);
  for (let start = 0; start < 2; start++) {
    await chain.start({});
    expect(await statusOf(hash)).toContain("the process died 5 times");
    const call = transferCall("0xabc", 1n);
    const next = await chain.account(start).execute(call, NO_ESTIMATE);
    const receipt = await chain.provider.waitForTransaction(next.transaction_hash, {
      retryInterval: 50,
    });
    expect(receipt.isSuccess()).toBe(true);
    await chain.stop();
  }
}, 300_000);

/** The universal deployer: the node itself never reads its class. */
const DEPLOYER = "0x02ceed65a4bd731034c01113685c831b01c15d7d432f71afb1cf1634b53a2125";

/** Makes the deployer's class unreadable, so that executing it makes the executor fail. */
function breakDeployer(classHash: string): void {
  const database = new Database(chain.folder.file("chain.db"));
  const hex = BigInt(classHash).toString(16);
  const hash = Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex");
  const { changes } = database.run("update class set casm = x'ff' where hash = ?", [hash]);
  database.close();
  expect(changes).toBe(1);
}

test("a transaction that makes the executor fail is dropped with the cause, and the chain continues", async () => {
  chain = await start();
  const classHash = await chain.provider.getClassHashAt(DEPLOYER);
  await chain.stop();
  breakDeployer(classHash);

  await chain.start({ env: ASYNC_SUBMISSION });
  const deploy = {
    contractAddress: DEPLOYER,
    entrypoint: "deploy_contract",
    calldata: [classHash, 0, 0, 0],
  };
  const { transaction_hash: hash } = await chain.account(0).execute(deploy, NO_ESTIMATE);
  expect(await chain.exited).toBe(1);
  expect(record()).toMatchObject({ hash: BigInt(hash), attempt: 1 });

  await chain.start({});
  expect(await statusOf(hash)).toContain("died while it executed the transaction");
  const again = await chain
    .account(0)
    .execute(deploy, { ...NO_ESTIMATE, nonce: 0 })
    .then(
      () => "it was accepted again",
      (error: unknown) => String(error),
    );
  expect(again).toContain("died while it executed the transaction");
  const next = await chain.account(0).execute(transferCall("0xabc", 1n), NO_ESTIMATE);
  const receipt = await chain.provider.waitForTransaction(next.transaction_hash, {
    retryInterval: 50,
  });
  expect(receipt.isSuccess()).toBe(true);
}, 300_000);

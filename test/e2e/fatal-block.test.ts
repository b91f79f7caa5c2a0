import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { ASYNC_SUBMISSION, rawCall } from "#test/helpers/binary.ts";
import { processorTimeMs } from "#test/helpers/child-processes.ts";
import { startAndKill } from "#test/helpers/killed-node.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { untilTrue } from "#test/helpers/until-true.ts";
import { useStoppedChain } from "#test/helpers/use-chain.ts";
import { type ExecutionRecord, readExecutionRecord, UNNAMED } from "#io/storage/index.ts";

/** Several transactions share a block. */
const argumentsOf = (blockTime: string): readonly string[] =>
  ["blocks_on_demand=false", "no_empty_blocks=true", `block_time=${blockTime}`].flatMap((field) => [
    "--chain-config-override",
    field,
  ]);
const ARGUMENTS = argumentsOf("500ms");
/** On a busy machine clients need longer to send all transactions of a block. */
const SENDING = argumentsOf("3s");
/** Balance of the recipient after the fatal transaction. */
const FATAL_AMOUNT = 0x1337133713371337n;
/**
 * A commit that uses this much processor time hangs; elapsed time says little on a busy machine.
 */
const HANGS_CPU_MS = 600;
const LONGEST_WAIT_MS = 60_000;
const POLL_MS = 5;

const chain = useStoppedChain({ args: ARGUMENTS });

/** Makes commits of blocks hang if they store that amount. */
function makeCommitsHang(): void {
  const database = new Database(chain.folder.file("chain.db"));
  const hex = FATAL_AMOUNT.toString(16);
  database.run(
    "create view hang as with recursive n(x) as " +
      "(select 1 union all select x + 1 from n where x < 1000000000) select max(x) as x from n",
  );
  database.run(
    `create trigger hang after insert on contract_storage when new.value = x'${hex}' ` +
      "begin delete from meta where value = (select x from hang); end",
  );
  database.close();
}

function sendTransfers(): Promise<string[]> {
  const sent = [1n, FATAL_AMOUNT, 2n].map(async (amount, index) => {
    const signer = chain.signer(index);
    const recipient = 0xabc0n + BigInt(index);
    const { hash, body } = signedTransfer("APPCHAIN_DEVNET", signer, 0n, recipient, amount);
    const answer = await (await fetch(chain.url, { method: "POST", body })).json();
    expect(answer).toMatchObject({ result: { transaction_hash: expect.any(String) } });
    return `0x${hash.toString(16)}`;
  });
  return Promise.all(sent);
}

const record = () => readExecutionRecord(chain.folder.file("commit.journal"));

/** Waits until one commit of the first run hangs. @returns its record */
async function hangingCommit(pid: number): Promise<ExecutionRecord | undefined> {
  let sinceMs = processorTimeMs(pid);
  let seen: ExecutionRecord | undefined;
  const hangs = (): boolean => {
    const current = record();
    const nowMs = processorTimeMs(pid);
    if (current === undefined || !Bun.deepEquals(current, seen)) sinceMs = nowMs;
    seen = current;
    return nowMs - sinceMs > HANGS_CPU_MS;
  };
  expect(await untilTrue(hangs, LONGEST_WAIT_MS, POLL_MS)).toBe(true);
  return seen;
}

/**
 * Starts the node and kills it once this commit starts: its record has a higher attempt than those
 * of earlier runs.
 */
const killInCommit = (expected: ExecutionRecord): Promise<void> =>
  startAndKill(chain.folder.path, ARGUMENTS, async () => {
    const hasStarted = (): boolean => Bun.deepEquals(record(), expected);
    expect(await untilTrue(hasStarted, LONGEST_WAIT_MS, POLL_MS)).toBe(true);
  });

test("a transaction whose block repeatedly kills the process is identified and dropped; the others are accepted", async () => {
  await chain.start();
  await chain.stop();
  makeCommitsHang();
  await chain.start({ args: SENDING, env: ASYNC_SUBMISSION });
  const [before = "", fatal = "", after = ""] = await sendTransfers();
  expect(await hangingCommit(chain.pid)).toEqual({ hash: UNNAMED, attempt: 1, cause: null });
  await chain.stop("SIGKILL");
  for (const attempt of [2, 3, 4, 5]) {
    await killInCommit({ hash: UNNAMED, attempt, cause: null });
  }
  // From now on, each transaction has a separate block.
  for (const attempt of [2, 3, 4, 5]) {
    await killInCommit({ hash: BigInt(fatal), attempt, cause: null });
  }
  await chain.start();
  const { error } = await rawCall(chain.url, "starknet_getTransactionStatus", [fatal]);
  expect(error?.data).toContain("the process died 5 times while it committed the transaction");
  for (const hash of [before, after]) {
    const receipt = await chain.provider.waitForTransaction(hash, { retryInterval: 50 });
    expect(receipt.isSuccess()).toBe(true);
  }
  expect(await chain.stop()).toBe(0);
}, 240_000);

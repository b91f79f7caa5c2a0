import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { hexFromFelt } from "#base/primitives/index.ts";
import { sierraClassCodec } from "#protocol/chain/index.ts";
import { faultsOf, type ReadOutcome, readsOf, sendReads } from "#test/attack/fork-reads.ts";
import { resultOf, type RunningChain } from "../binary.ts";
import { post, type Submitted } from "../kill-load.ts";
import { type Signer, signedTransfer } from "../load.ts";
import { otherClass } from "../other-class.ts";
import { signedDeclare } from "../signed-declare.ts";
import { stallBoundMs } from "../stall.ts";
import { ORIGIN_CHAIN, type SpreadOrigin } from "./spread-origin.ts";

/** Time of a read that needs no value of the origin, on a quiet machine. */
const LOCAL_MS = 1_000;
const LOCAL_PAUSE_MS = 50;

/** Bound on the execution of one transaction, in a test whose own timeout is shorter. */
const EXECUTED_MS = 120_000;

const ARTIFACTS = resolve(import.meta.dir, "../../../contracts/l2/artifacts.json");
const artifacts = JSON.parse(readFileSync(ARTIFACTS, "utf8")) as Readonly<
  Record<string, Readonly<Record<"compiledClassHashV2", string>>>
>;
/** A class of the shipped deployer's code under another hash. */
const CLASS = "universal_deployer";
const DECLARED = sierraClassCodec.decode(otherClass(CLASS), "");
const COMPILED = BigInt(artifacts[CLASS]?.compiledClassHashV2 ?? 0);

/** What is wrong with a fork that reads, sends and declares while its origin has limits; nothing if all succeeds. */
export async function endpointFaults(
  fork: RunningChain,
  origin: SpreadOrigin,
  url: string,
): Promise<readonly string[]> {
  const watch = watchLocalReads(fork);
  const before = await resultOf<number>(fork, "starknet_blockNumber");
  const faults = await readFaults(fork, origin, url);
  const [own, known] = [fork.signer(0), origin.chain.signer(1)];
  faults.push(...(await executed(fork, transfer(own, 0n))));
  faults.push(...(await executed(fork, transfer(known, 0n))));
  const declaration = signedDeclare(ORIGIN_CHAIN, own, 1n, DECLARED, COMPILED);
  faults.push(...(await executed(fork, declaration)));
  await resultOf(fork, "devnet_createBlock", {});
  const after = await resultOf<number>(fork, "starknet_blockNumber");
  if (after < before + 4) faults.push(`${after - before} blocks`);
  return [...faults, ...(await watch.end())];
}

const transfer = (signer: Signer, nonce: bigint): string =>
  signedTransfer(ORIGIN_CHAIN, signer, nonce, 0xfe_0000n + signer.address).body;

async function readFaults(
  fork: RunningChain,
  { chain, transfers, forkBlock }: SpreadOrigin,
  url: string,
): Promise<string[]> {
  const [first] = transfers;
  if (first === undefined) return ["the origin has no transfer"];
  const questions = readsOf(first, forkBlock);
  const expected: ReadOutcome[] = await sendReads(chain.url, questions);
  const found = await sendReads(fork.url, questions);
  const right = { outcome: "values", origin: url, boundMs: Infinity } as const;
  return found.flatMap((each, i) =>
    faultsOf(each, { ...right, answer: expected[i]?.answer ?? {} }),
  );
}

/** Sends a transaction, and waits for its success. */
export async function executed(fork: RunningChain, body: string): Promise<readonly string[]> {
  const answer = await post<Submitted>(fork.url, body);
  const hash = answer?.result?.transaction_hash;
  if (hash === undefined) return [`a transaction failed: ${JSON.stringify(answer)}`];
  const endsAtMs = performance.now() + EXECUTED_MS;
  while (performance.now() < endsAtMs) {
    const status = await resultOf<Readonly<Record<string, string>>>(
      fork,
      "starknet_getTransactionStatus",
      [typeof hash === "bigint" ? hexFromFelt(hash) : hash],
    );
    if (status["execution_status"] === "SUCCEEDED") return [];
    if (status["execution_status"] !== undefined) return [`${hash}: ${JSON.stringify(status)}`];
    await Bun.sleep(LOCAL_PAUSE_MS);
  }
  return [`${hash} is not executed`];
}

/** Sends reads that need no value of the origin, until it is ended. */
export function watchLocalReads(fork: RunningChain): { end(): Promise<readonly string[]> } {
  const faults: string[] = [];
  const bound = stallBoundMs(LOCAL_MS);
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const reads = await sendReads(fork.url, [
        { method: "blockNumber", params: [] },
        { method: "getBlockWithReceipts", params: ["latest"] },
        { method: "getNonce", params: ["latest", fork.accounts[0]?.address] },
      ]);
      for (const { question, answer, ms } of reads) {
        const { method } = question;
        if (answer.error !== undefined) faults.push(`${method}: ${JSON.stringify(answer.error)}`);
        if (ms > bound) faults.push(`${method} took ${ms.toFixed(0)} ms`);
      }
      await Bun.sleep(LOCAL_PAUSE_MS);
    }
  })();
  return {
    async end() {
      isOver = true;
      await watching;
      return faults;
    },
  };
}

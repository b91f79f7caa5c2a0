import { hexFromFelt } from "#base/primitives/index.ts";
import { ASYNC_SUBMISSION, rawCall, type RunningChain, startChain } from "#test/helpers/binary.ts";
import { type OriginProxy, startOriginProxy } from "#test/helpers/fork/origin-proxy.ts";
import {
  ORIGIN_CHAIN,
  type SpreadOrigin,
  type SpreadTransfer,
  startSpreadOrigin,
} from "#test/helpers/fork/spread-origin.ts";
import { post, type Submitted } from "#test/helpers/kill-load.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { MemoryWatch } from "#test/helpers/memory-watch.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { type Attack, type AttackScale, boundMs, type Outcome, reportOf } from "./attack.ts";
import { FORK_FAULTS, type ForkFault } from "./fork-faults.ts";
import { faultsOf, readsOf, sendReads } from "./fork-reads.ts";

/** Deadline of one value: reads that fail take this long. */
const VALUE_MS = 3_000;

/** Bound on a read that must fail: several values, one after the other, on a quiet machine. */
const READ_MS = 4 * VALUE_MS;

/** Bound on a read that needs no value of the origin. */
const LOCAL_MS = 1_000;

/** Bound on the execution of a transaction once the origin responds again. */
const RESUME_MS = 15_000;

/** First recipient of the fork's own transfers. */
const FIRST_RECIPIENT = 0xfe_0000n;

/** Far above the needs of a fork, far below endless responses. */
const MEMORY_BYTES = 1_500 * 2 ** 20;

/** The origin, and another chain with the same id. */
const ORIGIN = { seed: "1", firstAmount: 1 };
const OTHER = { seed: "2", firstAmount: 1_000 };

/** An origin with every fault of public endpoints, and of hostile ones. */
export const HOSTILE_ORIGIN: Attack = {
  name: "hostile-origin",
  about: "a fork's origin that fails or lies causes clear errors, no wrong value, and no stop",
  async run(scale) {
    using originFolder = temporaryFolder();
    using otherFolder = temporaryFolder();
    using folder = temporaryFolder();
    const faults = FORK_FAULTS.filter(({ isSmall }) => scale === "full" || isSmall === true);
    const origin = await startSpreadOrigin(originFolder.path, faults.length + 1, ORIGIN);
    const other = await startSpreadOrigin(otherFolder.path, faults.length + 1, OTHER);
    await using proxy = await startOriginProxy(origin.chain.url);
    const fork = await startChain({
      basePath: folder.path,
      args: [
        ...["--fork-url", `${proxy.url}/rpc/v0_10`, "--fork-timeout", `${VALUE_MS}ms`],
        ...["--dev-accounts", "1", "--dev-seed", "99"],
      ],
      env: ASYNC_SUBMISSION,
    });
    const attack = new OriginAttack({ scale, origin, other, proxy, fork });
    const outcomes: Outcome[] = [];
    const memory = new MemoryWatch(fork.pid);
    try {
      await attack.begin();
      for (const [index, fault] of faults.entries()) {
        outcomes.push(await attack.inflict(fault, origin.transfers[index]));
      }
      const peak = memory.takePeak();
      const large = peak > MEMORY_BYTES ? ["the fork took too much memory"] : [];
      outcomes.push({ said: `${(peak / 2 ** 20).toFixed(0)} MiB`, faults: large });
      return reportOf(outcomes);
    } finally {
      memory.stop();
      await fork.stop("SIGKILL");
      await origin.chain.stop("SIGKILL");
      await other.chain.stop("SIGKILL");
    }
  },
};

interface World {
  readonly scale: AttackScale;
  readonly origin: SpreadOrigin;
  readonly other: SpreadOrigin;
  readonly proxy: OriginProxy;
  readonly fork: RunningChain;
}

/** One fork, and its faults one after the other. */
class OriginAttack {
  readonly #world: World;
  #nonce = 0n;

  constructor(world: World) {
    this.#world = world;
  }

  /** Executes a first transaction, after which the sender's nonce is local. */
  async begin(): Promise<void> {
    await this.#executed(await this.#send());
  }

  async inflict(fault: ForkFault, transfer: SpreadTransfer | undefined): Promise<Outcome> {
    if (transfer === undefined) return { said: fault.name, faults: ["no values are left"] };
    const { scale, origin, other, proxy, fork } = this.#world;
    const questions = readsOf(transfer, origin.forkBlock);
    const expected = await sendReads(origin.chain.url, questions);
    proxy.add(fault.rule(other.chain.url));
    const startMs = performance.now();
    const transaction = this.#send();
    const [during, local] = await Promise.all([
      sendReads(fork.url, questions),
      this.#localReads(startMs),
    ]);
    const tookMs = performance.now() - startMs;
    proxy.honest();
    const after = await sendReads(fork.url, questions);
    const judged = (outcomes: typeof during, outcome: "values" | "errors") =>
      outcomes.flatMap((each, index) => {
        const right = expected[index]?.answer ?? {};
        const bound = boundMs(scale, READ_MS);
        return faultsOf(each, { answer: right, outcome, origin: proxy.name, boundMs: bound });
      });
    const faults = [
      ...judged(during, fault.expects),
      ...local,
      ...judged(after, "values").map((each) => `afterwards ${each}`),
      ...(await this.#executed(await transaction)),
    ];
    return { said: `${fault.name}: ${tookMs.toFixed(0)} ms`, faults };
  }

  /** Sends a transfer to an account that the fork does not know. @returns its hash, or a fault */
  async #send(): Promise<string> {
    const { fork } = this.#world;
    const recipient = FIRST_RECIPIENT + this.#nonce;
    const sent = signedTransfer(ORIGIN_CHAIN, fork.signer(0), this.#nonce, recipient);
    const answer = await post<Submitted>(fork.url, sent.body);
    if (answer?.result === undefined) return `a transaction failed: ${JSON.stringify(answer)}`;
    this.#nonce++;
    return hexFromFelt(sent.hash);
  }

  /** Waits for a transaction, without help, once the origin responds. */
  async #executed(hash: string): Promise<readonly string[]> {
    if (!hash.startsWith("0x")) return [hash];
    const { scale, fork } = this.#world;
    const deadline = performance.now() + boundMs(scale, RESUME_MS);
    let last: string | undefined;
    while (performance.now() < deadline) {
      const { result } = await rawCall(fork.url, "starknet_getTransactionReceipt", [hash]);
      last = (result as { readonly execution_status?: string } | undefined)?.execution_status;
      if (last !== undefined) break;
      await Bun.sleep(50);
    }
    return last === "SUCCEEDED" ? [] : [`the transaction is ${last ?? "not executed"}`];
  }

  /** Reads that need only local values, while the fault lasts. */
  async #localReads(startMs: number): Promise<readonly string[]> {
    const { scale, fork } = this.#world;
    const faults: string[] = [];
    const bound = boundMs(scale, LOCAL_MS);
    while (performance.now() - startMs < LOCAL_MS) {
      const reads = await sendReads(fork.url, [
        { method: "blockNumber", params: [] },
        { method: "getBlockWithReceipts", params: ["latest"] },
        { method: "getNonce", params: ["latest", fork.accounts[0]?.address] },
      ]);
      for (const { question, answer, ms } of reads) {
        if (answer.error !== undefined) {
          faults.push(`local ${question.method}: ${JSON.stringify(answer.error)}`);
        }
        if (ms > bound) faults.push(`local ${question.method} took ${ms.toFixed(0)} ms`);
      }
      await Bun.sleep(50);
    }
    return faults;
  }
}

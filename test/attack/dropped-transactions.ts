import { rawCall, type RunningChain, startChain } from "#test/helpers/binary.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { executeWork } from "#test/helpers/hostile-clients.ts";
import { SPARE_ACCOUNTS, writeHostileConfig } from "#test/helpers/hostile-config.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { record } from "../contracts/hostile/contract.ts";
import { type Attack, type AttackReport, type AttackScale, boundMs } from "./attack.ts";

/**
 * Touches a page with each cell until the memory limit: the node cannot include the transaction.
 */
const WORK = record("sparse_segment", { count: 2n ** 40n, a: 1_000n });

const ATTACKERS = 4;
const SECONDS: Readonly<Record<AttackScale, number>> = { small: 5, full: 60 };
const MEMORY_MIB: Readonly<Record<AttackScale, number>> = { small: 256, full: 1024 };
/** Additional time on a busy machine until all accounts have been rejected. */
const MORE_MS = 60_000;
const RESEND_MS = 50;
const TRANSFER_PAUSE_MS = 100;
const POLL_MS = 10;

/** Transfers that take longer, once the accounts are paused, are blocked by them. */
const LONGEST_MEDIAN_MS = 1_500;

/**
 * Maximum drops of one account in a time; pauses double from two seconds on, and one drop may be in
 * flight.
 */
function mostDrops(seconds: number): number {
  return Math.floor(Math.log2(seconds / 2 + 1)) + 2;
}

/** Sends another transaction repeatedly, whatever the response. */
class Attacker {
  readonly #url: string;
  readonly #sender: bigint;
  #tip = 0n;
  taken = 0;
  refused = 0;
  /** Last error message. */
  rejection = "";
  /** Time of the last error. */
  rejectedMs = 0;
  /** Reason of the last drop. */
  reason = "";

  constructor(url: string, sender: bigint) {
    this.#url = url;
    this.#sender = sender;
  }

  /** Whether it was rejected after one of its transactions had been dropped. */
  get isRejected(): boolean {
    return (
      this.rejection.includes("try again in") && this.reason.includes("another one is accepted")
    );
  }

  /** Whether the pause of the last rejection is still running. */
  get isPaused(): boolean {
    const seconds = Number(/try again in (\d+) s/.exec(this.rejection)?.[1] ?? 0);
    // Seconds are rounded up.
    return performance.now() < this.rejectedMs + (seconds - 1) * 1_000;
  }

  async run(isRunning: () => boolean): Promise<void> {
    while (isRunning()) {
      await this.send();
      await Bun.sleep(RESEND_MS);
    }
  }

  async send(): Promise<void> {
    const startedMs = performance.now();
    const answer = await executeWork(this.#url, 0n, WORK, this.#sender, this.#tip++);
    const hash = (answer.result as { transaction_hash?: string } | undefined)?.transaction_hash;
    if (hash === undefined) {
      this.refused++;
      this.rejection = JSON.stringify(answer.error);
      this.rejectedMs = startedMs;
      return;
    }
    this.taken++;
    const status = await untilExecuted(this.#url, hash);
    this.reason = String(status.failure_reason ?? status.finality_status);
  }
}

interface Status {
  readonly finality_status?: string;
  readonly failure_reason?: string;
}

async function untilExecuted(url: string, hash: string): Promise<Status> {
  for (;;) {
    const { result } = await rawCall(`${url}/rpc/v0_8`, "starknet_getTransactionStatus", [hash]);
    const status = (result ?? {}) as Status;
    if (status.finality_status !== "RECEIVED" && status.finality_status !== "CANDIDATE") {
      return status;
    }
    await Bun.sleep(POLL_MS);
  }
}

/** Milliseconds until transfers were executed, one after the other. */
async function transfers(
  chain: RunningChain,
  isRunning: () => boolean,
): Promise<readonly number[]> {
  const signer = chain.signer(0);
  const times: number[] = [];
  for (let nonce = 0n; isRunning(); nonce++) {
    const { hash, body } = signedTransfer("APPCHAIN_DEVNET", signer, nonce, 0x10_0000n + nonce);
    const startedMs = performance.now();
    const headers = { "content-type": "application/json" };
    await fetch(chain.url, { method: "POST", headers, body });
    await untilExecuted(chain.url, hexFromFelt(hash));
    times.push(performance.now() - startedMs);
    await Bun.sleep(TRANSFER_PAUSE_MS);
  }
  return times;
}

async function run(scale: AttackScale): Promise<AttackReport> {
  using folder = temporaryFolder();
  const options = {
    basePath: folder.path,
    chainConfig: writeHostileConfig(folder.path),
    args: ["--dev-accounts", "1", "--execution-memory", String(MEMORY_MIB[scale])],
  };
  let chain = await startChain(options);
  try {
    const longestMedianMs = boundMs(scale, LONGEST_MEDIAN_MS);
    const startedMs = performance.now();
    const passedMs = (): number => performance.now() - startedMs;
    const attackers = SPARE_ACCOUNTS.slice(0, ATTACKERS).map((s) => new Attacker(chain.url, s));
    const mostMs = SECONDS[scale] * 1_000 + (scale === "small" ? MORE_MS : 0);
    const isRunning = (): boolean =>
      passedMs() < SECONDS[scale] * 1_000 ||
      (passedMs() < mostMs && !attackers.every(({ isRejected }) => isRejected));
    const [times] = await Promise.all([
      transfers(chain, isRunning),
      ...attackers.map((attacker) => attacker.run(isRunning)),
    ]);
    const isLong = scale === "small" && passedMs() > SECONDS[scale] * 1_000;
    const seconds = isLong ? Math.ceil(passedMs() / 1_000) : SECONDS[scale];
    const taken = attackers.map((attacker) => attacker.taken);
    const isRejected = attackers.every((attacker) => attacker.isRejected);
    // A crash of the node ends no pause.
    await chain.stop("SIGKILL");
    chain = await startChain(options);
    const again = SPARE_ACCOUNTS.slice(0, ATTACKERS).map((s) => new Attacker(chain.url, s));
    await Promise.all(again.map((attacker) => attacker.send()));
    const takenAgain = again.reduce((sum, attacker) => sum + attacker.taken, 0);
    // A machine that takes longer to start than the pauses shows nothing.
    const isKept =
      scale === "full"
        ? takenAgain <= ATTACKERS / 2
        : again.every(({ taken: count }, i) => count === 0 || attackers[i]?.isPaused !== true);
    // Only the second half: the first drops happen before accounts are paused.
    const later = times.slice(times.length >> 1).toSorted((a, b) => a - b);
    const medianMs = later[later.length >> 1] ?? Number.POSITIVE_INFINITY;
    const held =
      Math.max(...taken) <= mostDrops(seconds) &&
      isRejected &&
      medianMs < longestMedianMs &&
      isKept;
    const figures =
      `${taken.join(", ")} executions of ${ATTACKERS} accounts in ${seconds} s; transfers executed ` +
      `after ${Math.round(medianMs)} ms (median), ${Math.round(later.at(-1) ?? 0)} ms at the most, ` +
      `${Math.round(Math.max(...times))} ms in the beginning; ${takenAgain} taken right after a kill`;
    return {
      held,
      figures: isRejected
        ? figures
        : `${figures}; told: ${attackers[0]?.rejection}; ${attackers[0]?.reason}`,
    };
  } finally {
    await chain.stop();
  }
}

/** Transactions that are executed but cannot be included, from a few accounts. */
export const DROPPED_TRANSACTIONS: Attack = {
  name: "dropped-transactions",
  about: "pauses accounts that resend transactions which are executed and dropped without a fee",
  run,
};

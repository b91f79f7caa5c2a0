import { rawCall, type RunningChain, startChain } from "#test/helpers/binary.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { executeWork } from "#test/helpers/hostile-clients.ts";
import { SPARE_ACCOUNTS, writeHostileConfig } from "#test/helpers/hostile-config.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { record } from "../contracts/hostile/contract.ts";
import type { Attack, AttackReport, AttackScale } from "./attack.ts";

/** Touches a page with each cell, until memory is used up: the node cannot include it. */
const WORK = record("sparse_segment", { count: 2n ** 40n, a: 1_000n });

const ATTACKERS = 4;
const SECONDS: Readonly<Record<AttackScale, number>> = { small: 8, full: 60 };
const RESEND_MS = 50;
const TRANSFER_PAUSE_MS = 100;
const POLL_MS = 10;

/** A transfer that takes longer, once the accounts wait, is held up by them. */
const LONGEST_MEDIAN_MS = 1_500;

/** Drops of one account in so many seconds, whose pauses double from two seconds on; one may be under way. */
function mostDrops(seconds: number): number {
  return Math.floor(Math.log2(seconds / 2 + 1)) + 2;
}

/** Sends again and again, each time another transaction, whatever it is told. */
class Attacker {
  readonly #url: string;
  readonly #sender: bigint;
  #tip = 0n;
  taken = 0;
  refused = 0;
  /** What was said against the last one. */
  told = "";
  /** Why the last one was dropped. */
  reason = "";

  constructor(url: string, sender: bigint) {
    this.#url = url;
    this.#sender = sender;
  }

  async run(until: number): Promise<void> {
    while (performance.now() < until) {
      await this.send();
      await Bun.sleep(RESEND_MS);
    }
  }

  async send(): Promise<void> {
    const answer = await executeWork(this.#url, 0n, WORK, this.#sender, this.#tip++);
    const hash = (answer.result as { transaction_hash?: string } | undefined)?.transaction_hash;
    if (hash === undefined) {
      this.refused++;
      this.told = JSON.stringify(answer.error);
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
async function transfers(chain: RunningChain, until: number): Promise<readonly number[]> {
  const signer = chain.signer(0);
  const times: number[] = [];
  for (let nonce = 0n; performance.now() < until; nonce++) {
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
    args: ["--dev-accounts", "1", "--execution-memory", "1024"],
  };
  let chain = await startChain(options);
  try {
    const seconds = SECONDS[scale];
    const until = performance.now() + seconds * 1000;
    const attackers = SPARE_ACCOUNTS.slice(0, ATTACKERS).map((s) => new Attacker(chain.url, s));
    const [times] = await Promise.all([
      transfers(chain, until),
      ...attackers.map((attacker) => attacker.run(until)),
    ]);
    const taken = attackers.map((attacker) => attacker.taken);
    const isTold = attackers.every(
      ({ told, reason }) =>
        told.includes("try again in") && reason.includes("another one is taken"),
    );
    // A death of the node ends no pause.
    await chain.stop("SIGKILL");
    chain = await startChain(options);
    const again = SPARE_ACCOUNTS.slice(0, ATTACKERS).map((s) => new Attacker(chain.url, s));
    await Promise.all(again.map((attacker) => attacker.send()));
    const takenAgain = again.reduce((sum, attacker) => sum + attacker.taken, 0);
    // The second half: the first drops come before anybody waits.
    const later = times.slice(times.length >> 1).toSorted((a, b) => a - b);
    const medianMs = later[later.length >> 1] ?? Number.POSITIVE_INFINITY;
    const held =
      Math.max(...taken) <= mostDrops(seconds) &&
      isTold &&
      medianMs < LONGEST_MEDIAN_MS &&
      takenAgain <= ATTACKERS / 2;
    const figures =
      `${taken.join(", ")} executions of ${ATTACKERS} accounts in ${seconds} s; transfers executed ` +
      `after ${Math.round(medianMs)} ms (median), ${Math.round(later.at(-1) ?? 0)} ms at the most, ` +
      `${Math.round(Math.max(...times))} ms in the beginning; ${takenAgain} taken right after a kill`;
    return {
      held,
      figures: isTold
        ? figures
        : `${figures}; told: ${attackers[0]?.told}; ${attackers[0]?.reason}`,
    };
  } finally {
    await chain.stop();
  }
}

/** Transactions that are executed and cannot be included, from a few accounts. */
export const DROPPED_TRANSACTIONS: Attack = {
  name: "dropped-transactions",
  about: "accounts send what is executed, dropped without a fee and sent again",
  run,
};

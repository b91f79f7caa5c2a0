import { hexFromFelt } from "#base/primitives/index.ts";
import { MAX_SMALL_GAS } from "#services/admission/index.ts";
import { rawCall, type RunningChain, startChain } from "#test/helpers/binary.ts";
import { boundedWork } from "#test/helpers/hostile-clients.ts";
import { SPARE_ACCOUNTS, writeHostileConfig } from "#test/helpers/hostile-config.ts";
import { hostileWorks } from "#test/helpers/hostile-works.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { record } from "../contracts/hostile/contract.ts";
import type { Attack, AttackReport, AttackScale } from "./attack.ts";

const BLOCK_TIME_MS = 4_000;
const POLL_MS = 20;

/**
 * Longest wait of an honest transaction: a stall. It waits for about 15 attacks of a quarter of a
 * second and for its block; all 400 attacks together take more than a minute.
 */
const STALL_MS = 30_000;

const NOT_EXECUTED = new Set(["RECEIVED", "CANDIDATE"]);

/** Each takes at most a quarter of a second until the gas bound stops it. */
const BOUNDS = [MAX_SMALL_GAS, MAX_SMALL_GAS - 1n, MAX_SMALL_GAS + 1n];

/** More gas than small transactions have, and little work. */
const HONEST_GAS = 4n * MAX_SMALL_GAS;
const HONEST_WORK = record("steps", { count: 1_000 });

/**
 * Maximum attacks that an honest transaction waits for: two of each account before its cost is
 * known, and the current batches. Counted, because times depend on the load of the machine.
 */
function mostBefore(attackers: number): number {
  return 2 * attackers + 8;
}

interface Plan {
  readonly attackers: number;
  /** Number of pending transactions of each attacker. */
  readonly ahead: number;
  /** Honest transactions of each kind, sent sequentially. */
  readonly honest: number;
}

const PLANS: Readonly<Record<AttackScale, Plan>> = {
  small: { attackers: 4, ahead: 8, honest: 1 },
  full: { attackers: 16, ahead: 25, honest: 10 },
};

/** Many accounts have pending transactions that take a quarter of a second each and revert. */
export const HEAVY_REVERTS: Attack = {
  name: "heavy-reverts",
  about: "transfers and heavy transactions continue while accounts pay for quarter-second reverts",
  async run(scale) {
    using folder = temporaryFolder();
    const chain = await startChain({
      basePath: folder.path,
      chainConfig: writeHostileConfig(folder.path),
      args: ["--dev-accounts", "2", "--block-time", `${BLOCK_TIME_MS / 1_000}s`],
    });
    try {
      return await attack(chain, PLANS[scale]);
    } finally {
      await chain.stop();
    }
  },
};

async function attack(chain: RunningChain, plan: Plan): Promise<AttackReport> {
  const attacks = await sendAttacks(chain.url, plan);
  const honest: Record<"transfer" | "heavy", Waited[]> = { transfer: [], heavy: [] };
  for (let nonce = 0n; nonce < plan.honest; nonce++) {
    const [transfer, heavy] = await Promise.all([
      waitFor(chain.url, attacks, sendTransfer(chain, nonce)),
      waitFor(chain.url, attacks, sendHeavy(chain.url, nonce)),
    ]);
    honest.transfer.push(transfer);
    honest.heavy.push(heavy);
  }
  const executed = await executedOf(chain.url, attacks);
  const waits = [...honest.transfer, ...honest.heavy];
  const refused = [...attacks, ...waits.map(({ hash }) => hash)].filter((hash) => hash === "");
  const said = Object.entries(honest).map(([kind, waited]) => {
    const ms = Math.round(Math.max(...waited.map((one) => one.ms)));
    return `${kind} waits for ${Math.max(...waited.map(({ before }) => before))}, ${ms} ms`;
  });
  return {
    held:
      waits.every(({ before, ms }) => before <= mostBefore(plan.attackers) && ms <= STALL_MS) &&
      executed > 0 &&
      refused.length === 0,
    figures: `${attacks.length} of ${plan.attackers} accounts: ${said.join("; ")} at the most; ${executed} executed, ${refused.length} refused`,
  };
}

/** Sends the attacks. @returns the hashes; an empty one for a rejected transaction */
async function sendAttacks(url: string, { attackers, ahead }: Plan): Promise<readonly string[]> {
  const work = hostileWorks("execute").find(({ name }) => name === "ec_op_chain");
  const senders = SPARE_ACCOUNTS.slice(0, attackers);
  const hashes: string[] = [];
  for (let nonce = 0; nonce < ahead; nonce++) {
    const sent = senders.map((sender, i) => {
      const bound = BOUNDS[(i + nonce) % BOUNDS.length] ?? MAX_SMALL_GAS;
      return boundedWork(url, sender, BigInt(nonce), work?.calldata ?? [], bound);
    });
    hashes.push(...(await Promise.all(sent)).map(hashOf));
  }
  return hashes;
}

/** Wait of an honest transaction. */
interface Waited {
  readonly hash: string;
  readonly ms: number;
  /** Number of attacks executed meanwhile. */
  readonly before: number;
}

async function waitFor(
  url: string,
  attacks: readonly string[],
  sending: Promise<string>,
): Promise<Waited> {
  const startMs = performance.now();
  const executed = await executedOf(url, attacks);
  const hash = await sending;
  while (NOT_EXECUTED.has((await statusOf(url, hash)) ?? "")) await Bun.sleep(POLL_MS);
  const ms = performance.now() - startMs;
  return { hash, ms, before: (await executedOf(url, attacks)) - executed };
}

async function sendTransfer(chain: RunningChain, nonce: bigint): Promise<string> {
  const { hash, body } = signedTransfer("APPCHAIN_DEVNET", chain.signer(0), nonce, 0x77n);
  const headers = { "content-type": "application/json" };
  await fetch(chain.url, { method: "POST", headers, body });
  return hexFromFelt(hash);
}

async function sendHeavy(url: string, nonce: bigint): Promise<string> {
  const sender = SPARE_ACCOUNTS.at(-1) ?? 0n;
  return hashOf(await boundedWork(url, sender, nonce, HONEST_WORK, HONEST_GAS));
}

function hashOf({ result }: Awaited<ReturnType<typeof rawCall>>): string {
  return (result as { transaction_hash?: string } | undefined)?.transaction_hash ?? "";
}

async function statusOf(url: string, hash: string): Promise<string | undefined> {
  const { result } = await rawCall(url, "starknet_getTransactionStatus", [hash]);
  return (result as { finality_status?: string } | undefined)?.finality_status;
}

async function executedOf(url: string, hashes: readonly string[]): Promise<number> {
  const statuses = await Promise.all(hashes.map((hash) => statusOf(url, hash)));
  return statuses.filter((status) => status !== undefined && !NOT_EXECUTED.has(status)).length;
}

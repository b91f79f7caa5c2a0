import { hexFromFelt } from "#base/primitives/index.ts";
import { rawCall, type RunningChain, startChain } from "#test/helpers/binary.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { paidWork } from "#test/helpers/hostile-clients.ts";
import {
  HOSTILE_ACCOUNTS,
  type HostileWay,
  writeHostileConfig,
} from "#test/helpers/hostile-config.ts";
import { hostileWorks } from "#test/helpers/hostile-works.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import type { Attack, AttackReport, AttackScale } from "./attack.ts";

const PAYERS = Object.keys(HOSTILE_ACCOUNTS) as HostileWay[];
const POLL_MS = 20;
const NOT_EXECUTED = new Set(["RECEIVED", "CANDIDATE"]);

/**
 * Long transactions that a transfer may wait for: the running one, and one that starts while the
 * transfer is validated. Counted, because times depend on the load of the machine.
 */
const MOST_BEFORE = 2;

interface Plan {
  readonly operation: string;
  /** Rounds in a transaction; `undefined` for as many as its gas pays. */
  readonly rounds?: bigint;
  /** Number of pending transactions of each payer. */
  readonly ahead: number;
  readonly transfers: number;
  readonly args: readonly string[];
  /** Whether the attack waits for all paid transactions. */
  readonly drains: boolean;
}

const PLANS: Readonly<Record<AttackScale, readonly Plan[]>> = {
  small: [
    { operation: "ec_op", rounds: 125_000n, ahead: 4, transfers: 2, args: [], drains: false },
  ],
  full: [
    { operation: "ec_op", ahead: 4, transfers: 8, args: [], drains: true },
    ...["ec_op_chain", "get_class_hash_at"].map((operation) => {
      const args = ["--block-time", "2s"];
      return { operation, ahead: 6, transfers: 8, args, drains: false };
    }),
  ],
};

/**
 * Four accounts continuously pay for the longest work that gas allows; a transfer with the usual
 * gas waits for at most two of those transactions.
 */
export const PAID_LONG_WORK: Attack = {
  name: "paid-long-work",
  about: "a transfer waits for at most two long transactions while four accounts pay for such",
  async run(scale) {
    const reports: AttackReport[] = [];
    for (const plan of PLANS[scale]) reports.push(await carryOut(plan));
    return {
      held: reports.every(({ held }) => held),
      figures: reports.map(({ figures }) => figures).join("; "),
    };
  },
};

async function carryOut(plan: Plan): Promise<AttackReport> {
  using folder = temporaryFolder();
  const chainConfig = writeHostileConfig(folder.path);
  const args = ["--dev-accounts", "2", ...plan.args];
  const chain = await startChain({ basePath: folder.path, chainConfig, args });
  try {
    return await attack(chain, plan);
  } finally {
    await chain.stop();
  }
}

async function attack(chain: RunningChain, plan: Plan): Promise<AttackReport> {
  const { operation, rounds, ahead, transfers, drains } = plan;
  const calldata = (payer: HostileWay): readonly bigint[] => {
    const work = hostileWorks(payer).find(({ name }) => name === operation);
    const [number = 0n, endless = 0n, a = 0n, b = 0n, , , ...tail] = work?.calldata ?? [];
    // Fails at the end: a successful transaction that exceeds a block's proof would be dropped
    // unpaid.
    return [number, rounds ?? endless, a, b, 0n, 1n, ...tail];
  };
  const refusals: string[] = [];
  const pay = async (payer: HostileWay, nonce: number): Promise<string> => {
    const answer = await paidWork(chain.url, payer, BigInt(nonce), calldata(payer));
    if (answer.error !== undefined) refusals.push(JSON.stringify(answer.error));
    return (answer.result as { transaction_hash?: string } | undefined)?.transaction_hash ?? "";
  };
  const [first = "execute"] = PAYERS;
  const aloneMs = await timed(async () => untilExecuted(chain.url, await pay(first, 0)));

  const paid: string[] = [];
  for (let i = 0; i < ahead; i++) {
    for (const payer of PAYERS) paid.push(await pay(payer, payer === first ? i + 1 : i));
  }
  const waitsMs: number[] = [];
  const before: number[] = [];
  let executed = executedOf(await statusesOf(chain.url, paid));
  for (let nonce = 0; nonce < transfers; nonce++) {
    waitsMs.push(await timed(() => transfer(chain, nonce)));
    const now = executedOf(await statusesOf(chain.url, paid));
    before.push(now - executed);
    executed = now;
  }
  const statuses = await statusesOf(chain.url, paid);
  const lost = statuses.filter((status) => status === undefined).length;
  if (drains) for (const hash of paid) await untilExecuted(chain.url, hash);

  const mostBefore = Math.max(...before);
  const held = mostBefore <= MOST_BEFORE && executed > 0 && lost === 0 && refusals.length === 0;
  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  return {
    held,
    figures:
      `${operation}: a transaction alone takes ${seconds(aloneMs)} s, a transfer waits for ` +
      `${mostBefore} at the most, ${seconds(Math.max(...waitsMs))} s, ` +
      `${executed} of ${paid.length} paid ones went on meanwhile, ${lost} lost${refusals.length === 0 ? "" : `, refused: ${refusals[0]}`}`,
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

/** Sends a transfer and waits until it is executed. */
async function transfer(chain: RunningChain, nonce: number): Promise<void> {
  const signer = chain.signer(0);
  const { hash, body } = signedTransfer("APPCHAIN_DEVNET", signer, BigInt(nonce), 0x77n);
  await fetch(chain.url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  await untilExecuted(chain.url, hexFromFelt(hash));
}

async function statusOf(url: string, hash: string): Promise<string | undefined> {
  const { result } = await rawCall(url, "starknet_getTransactionStatus", [hash]);
  return (result as { finality_status?: string } | undefined)?.finality_status;
}

function statusesOf(url: string, hashes: readonly string[]) {
  return Promise.all(hashes.map((hash) => statusOf(url, hash)));
}

function executedOf(statuses: readonly (string | undefined)[]): number {
  return statuses.filter((status) => !NOT_EXECUTED.has(status ?? "")).length;
}

async function untilExecuted(url: string, hash: string): Promise<void> {
  for (;;) {
    const status = await statusOf(url, hash);
    if (status === undefined || !NOT_EXECUTED.has(status)) return;
    await Bun.sleep(POLL_MS);
  }
}

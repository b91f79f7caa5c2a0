import { expect, test } from "bun:test";
import { BINARY, freePort, TEST_ENVIRONMENT } from "#test/helpers/binary.ts";
import { integerOfEnvironment } from "#test/helpers/environment.ts";
import { HOSTILE_ADDRESS, writeHostileConfig } from "#test/helpers/hostile-config.ts";
import { KillLedger } from "#test/helpers/kill-ledger.ts";
import {
  deployChains,
  FIRST_EMPTIED,
  FUNDER,
  hostileQueries,
  hostileSender,
  type Life,
  rejectedPair,
  SENDERS,
  transferSender,
  watchBlocks,
} from "#test/helpers/kill-load.ts";
import { createRandom } from "#test/helpers/random.ts";
import { NO_ESTIMATE, transferCall } from "#test/helpers/tokens.ts";
import { useStoppedChain } from "#test/helpers/use-chain.ts";
import { bySize } from "#test/helpers/test-size.ts";

/** Number of kills; `scripts/kill-test` sets another one. */
const KILLS = integerOfEnvironment("KILLS") ?? bySize({ quick: 2, full: 5 });
/** Seed of the kill times: a new one in each run unless the environment sets it. */
const SEED = integerOfEnvironment("FUZZ_SEED") ?? Date.now() % 2 ** 32;
const random = createRandom(SEED);
const SHORTEST_LIFE_MS = 300;
const LONGEST_LIFE_MS = bySize({ quick: 1_000, full: 2_500 });
/** Maximum wait for the last kill: until the final checks have something to check. */
const LONGEST_WAIT_MS = 20_000;
const LONGEST_START_MS = 400;
const BALANCE = 10n ** 22n;

/** Block schedules of the runs; with the 1 h schedule, executed transactions stay uncommitted. */
const SCHEDULES: readonly (readonly string[])[] = [
  [],
  ["blocks_on_demand=false", "block_time=1h"],
  ["blocks_on_demand=false", "block_time=500ms"],
];
/** Lower than the number of uncommitted transactions. */
const LIMITS = ["mempool_max_transactions_per_account=8"];

/** Validation threads of consecutive runs. */
const ADMISSION_THREADS = [1, 4] as const;

function argumentsOf(fields: readonly string[], admissionThreads = 1): string[] {
  const overrides = fields.flatMap((field) => ["--chain-config-override", field]);
  const accounts = FIRST_EMPTIED + KILLS;
  const threads = ["--admission-threads", String(admissionThreads)];
  const funded = ["--dev-accounts", String(accounts), "--dev-balance", String(BALANCE)];
  return [...funded, ...threads, ...overrides];
}

const chain = useStoppedChain();
const folder = chain.folder.path;

/** Funds the hostile account. */
async function fundHostileAccount(ledger: KillLedger): Promise<void> {
  const call = transferCall(HOSTILE_ADDRESS, BALANCE / 2n);
  const { transaction_hash } = await chain.account(FUNDER).execute(call, NO_ESTIMATE);
  ledger.received(transaction_hash);
  await chain.provider.waitForTransaction(transaction_hash, { retryInterval: 20 });
}

/** Kills the chain during its start. */
async function killInStart(chainConfig: string): Promise<void> {
  const args = ["--chain-config-path", chainConfig, "--base-path", folder, ...argumentsOf([])];
  const ports = ["--rpc-port", String(await freePort()), "--metrics-port", "off"];
  const child = Bun.spawn([BINARY, "sequencer", ...args, ...ports], {
    cwd: "/",
    env: TEST_ENVIRONMENT,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "inherit",
  });
  await Bun.sleep(random.below(LONGEST_START_MS));
  child.kill("SIGKILL");
  await child.exited;
}

test(
  `killed ${KILLS} times under hostile load, a node loses no accepted block and no acknowledged transaction`,
  async () => {
    console.log(`FUZZ_SEED=${SEED}`);
    const chainConfig = writeHostileConfig(folder);
    const ledger = new KillLedger();
    const start = (fields: readonly string[], admissionThreads?: number) =>
      chain.start({ chainConfig, args: argumentsOf(fields, admissionThreads) });
    await start([]);
    await fundHostileAccount(ledger);
    const transfers = Array.from({ length: SENDERS }, (_, index) => transferSender(chain, index));
    const hostile = hostileSender();
    await chain.stop();

    for (let kill = 0; kill < KILLS; kill++) {
      if (kill % 3 === Math.min(2, KILLS - 1)) await killInStart(chainConfig);
      const schedule = SCHEDULES[kill % SCHEDULES.length] ?? [];
      await start([...LIMITS, ...schedule], ADMISSION_THREADS[kill % ADMISSION_THREADS.length]);
      await ledger.verify(chain);
      let isAlive = true;
      const life: Life = { chain, ledger, isAlive: () => isAlive };
      const pair = rejectedPair(life, FIRST_EMPTIED + kill, BALANCE);
      const work = Promise.all([
        pair,
        watchBlocks(life),
        ...transfers.map((sender) => sender.run(life)),
        hostile.run(life),
        hostileQueries(life),
        deployChains(life),
      ]);
      const lifeMs = SHORTEST_LIFE_MS + random.below(LONGEST_LIFE_MS - SHORTEST_LIFE_MS);
      await Promise.race([Bun.sleep(lifeMs), work]);
      if (kill === KILLS - 1) await Promise.race([Bun.sleep(LONGEST_WAIT_MS), pair]);
      isAlive = false;
      await chain.stop("SIGKILL");
      await work;
    }

    await start([]);
    await ledger.verifyEnd(chain, 120_000);
    console.log(`killed ${KILLS} times: ${JSON.stringify(ledger.counts)}`);
    const { received, rejected } = ledger.counts;
    expect(received).toBeGreaterThan(0);
    expect(rejected).toBeGreaterThan(0);
    expect(await chain.stop()).toBe(0);
  },
  120_000 + KILLS * 60_000,
);

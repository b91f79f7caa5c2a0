import { expect, test } from "bun:test";
import { integerOfEnvironment } from "#test/helpers/environment.ts";
import { createRandom } from "#test/helpers/random.ts";
import { ask, revertOnce, sendTransfers, startRevertableChain } from "#test/helpers/revert-load.ts";
import { runCommand } from "#test/helpers/run-binary.ts";
import { useStoppedChain } from "#test/helpers/use-chain.ts";
import { bySize } from "#test/helpers/test-size.ts";

/** Number of kills; `scripts/kill-test` sets another one. */
const KILLS = integerOfEnvironment("KILLS") ?? 2;
/** Seed of the kill times: a new one in each run unless the environment sets it. */
const SEED = integerOfEnvironment("FUZZ_SEED") ?? Date.now() % 2 ** 32;
const random = createRandom(SEED);
const SENDERS = 3;
const LONGEST_LIFE_MS = bySize({ quick: 600, full: 2_000 });
/** Maximum wait until a transaction has been received. */
const LONGEST_WAIT_MS = 20_000;

/** Retention settings: reverts use kept trie nodes, or rebuild the tries. */
const RETENTIONS: readonly (readonly string[])[] = [
  [],
  ["--keep-proofs", "1", "--prune-history", "16"],
];

const chain = useStoppedChain();

test(
  `killed ${KILLS} times during reverts, a chain is consistent and continues`,
  async () => {
    console.log(`FUZZ_SEED=${SEED}`);
    const counts = { received: 0, reverts: 0 };
    for (let kill = 0; kill < KILLS; kill++) {
      const life = await startRevertableChain(chain, RETENTIONS[kill % RETENTIONS.length]);
      let isAlive = true;
      // Creates blocks to revert.
      for (let block = 0; block < 4; block++) {
        await sendTransfers(life, block % SENDERS, () => false);
        await ask(life.chain.url, "devnet_createBlock");
      }
      const reverts = async (): Promise<void> => {
        while (isAlive) {
          const { error } = await revertOnce(life, random);
          if (error === undefined) counts.reverts++;
          await Bun.sleep(random.below(300));
        }
      };
      const senders = Array.from({ length: SENDERS }, (_, index) =>
        sendTransfers(life, index, ({ error }) => {
          if (error === undefined) counts.received++;
          return isAlive;
        }),
      );
      // The kill cuts off pending requests.
      const work = Promise.allSettled([...senders, reverts(), reverts()]);
      await Bun.sleep(100 + random.below(LONGEST_LIFE_MS));
      // Reverts delay submissions: on a busy machine none may be acknowledged in that time.
      const endsAtMs = Date.now() + LONGEST_WAIT_MS;
      while (counts.received === 0 && Date.now() < endsAtMs) await Bun.sleep(10);
      await life.chain.stop("SIGKILL");
      isAlive = false;
      await work;
      const { exitCode, output } = await runCommand([
        "db",
        "check",
        "--base-path",
        chain.folder.path,
      ]);
      expect({ kill, exitCode, output }).toMatchObject({ exitCode: 0 });
      expect(output).toContain("no difference");
    }
    console.log(`killed ${KILLS} times: ${JSON.stringify(counts)}`);
    expect(counts.received).toBeGreaterThan(0);
    const last = await startRevertableChain(chain);
    const before = await last.chain.provider.getBlockNumber();
    const refused: unknown[] = [];
    let sent = 0;
    await sendTransfers(last, SENDERS, ({ error }) => {
      if (error !== undefined) refused.push(error);
      return ++sent < 5;
    });
    expect(refused).toEqual([]);
    await ask(last.chain.url, "devnet_createBlock");
    expect(await last.chain.provider.getBlockNumber()).toBeGreaterThan(before);
    expect(await last.chain.stop()).toBe(0);
  },
  60_000 + KILLS * 30_000,
);

import { STORE_ENVIRONMENT, startStoreServer } from "#test/helpers/store-server.ts";
import { L1_FAULTS } from "#test/helpers/l1-proxy.ts";
import { L1RootWorld } from "#test/helpers/l1-root-world.ts";
import { runCommand } from "#test/helpers/run-binary.ts";
import type { Attack, AttackReport, AttackScale } from "./attack.ts";

/** Repetitions of each forgery. */
const ROUNDS: Readonly<Record<AttackScale, number>> = { small: 1, full: 3 };
/** Blocks of the chain between two updates. */
const BLOCKS = 3;
/** Time that a forgery may have effects. */
const HARM_MS: Readonly<Record<AttackScale, number>> = { small: 3_000, full: 6_000 };

/** Forgery of an endpoint, which persists unless it is reverted. */
interface Forgery {
  readonly name: string;
  readonly endpoints: number;
  /** @param l1Block - L1 block with a true update of the newest block */
  forge(world: L1RootWorld, l1Block: number): Promise<void>;
  /**
   * Blocks are accepted on L1 only after the forgery: before that the truth cannot be determined.
   */
  readonly isUndecidable?: boolean;
  /** Whether only runs at full size include it. */
  readonly isFullOnly?: boolean;
}

const wrongNewest = async (world: L1RootWorld) => {
  const state = await world.stateOf(Number(world.onL1.number));
  return { ...state, root: state.root + 1n };
};

/** Makes the first endpoint forge logs and state. */
const forgeAll = async (world: L1RootWorld, l1Block: number): Promise<void> => {
  const [liar] = world.proxies;
  if (liar === undefined) return;
  const state = await wrongNewest(world);
  world.forgeLog(liar, l1Block, state);
  world.forgeState(liar, state);
};

const FORGERIES: readonly Forgery[] = [
  {
    name: "one endpoint, a log alone",
    endpoints: 1,
    async forge(world, l1Block) {
      const [liar] = world.proxies;
      if (liar !== undefined) world.forgeLog(liar, l1Block, await wrongNewest(world));
    },
  },
  {
    name: "one endpoint, a log once",
    endpoints: 1,
    isFullOnly: true,
    async forge(world, l1Block) {
      const [liar] = world.proxies;
      if (liar !== undefined) world.forgeLog(liar, l1Block + 1, await wrongNewest(world), 1);
    },
  },
  {
    name: "one endpoint, a log of a block to come",
    endpoints: 1,
    isFullOnly: true,
    async forge(world, l1Block) {
      const [liar] = world.proxies;
      const state = { root: 0xbadn, number: BigInt((await world.newest()) + 1), hash: 0xbadn };
      if (liar !== undefined) world.forgeLog(liar, l1Block + 1, state);
    },
  },
  {
    name: "one endpoint, log and state until it is asked again",
    endpoints: 1,
    isUndecidable: true,
    forge: forgeAll,
  },
  { name: "one of two, log and state", endpoints: 2, isUndecidable: true, forge: forgeAll },
  { name: "one of three, log and state", endpoints: 3, forge: forgeAll },
  {
    name: "one of three while the others are away",
    endpoints: 3,
    isFullOnly: true,
    isUndecidable: true,
    async forge(world, l1Block) {
      await forgeAll(world, l1Block);
      for (const proxy of world.proxies.slice(1)) proxy.add(L1_FAULTS.down());
    },
  },
];

/** Runs a forgery. @returns the fault, if any */
async function forgedRoot(forgery: Forgery, scale: AttackScale): Promise<string | undefined> {
  await using world = await L1RootWorld.start({ endpoints: forgery.endpoints });
  for (let round = 0; round < ROUNDS[scale]; round++) {
    await world.makeBlocks(BLOCKS);
    const settled = await world.newest();
    const l1Block = await world.settle(await world.stateOf(settled));
    await forgery.forge(world, l1Block);
    await world.anvil.client.mine({ blocks: 2 });
    const untilMs = performance.now() + HARM_MS[scale];
    do {
      if (!(await world.makeBlocks(1))) return "production stopped";
      await Bun.sleep(300);
      // A single endpoint must confirm at the next block; until then it may serve anything.
      const isLast = forgery.endpoints === 1 && forgery.isUndecidable === true;
      if (!isLast) await world.anvil.client.mine({ blocks: 1 });
    } while (performance.now() < untilMs);
    if (world.chain.output().includes("ALARM")) return "a forged root is an alarm";
    if (forgery.isUndecidable === true) for (const proxy of world.proxies) proxy.honest();
    if (!(await world.mineUntil(() => world.isSettled(settled)))) return "nothing was accepted";
    if (!(await world.makeBlocks(BLOCKS))) return "production stopped afterwards";
    if ((await world.readiness()).status !== 200) return "it is not ready";
    for (const proxy of world.proxies) proxy.honest();
  }
  return undefined;
}

/** Settles a wrong root of the newest block on L1. @returns the alarm's text, or the fault */
async function alarmOf(
  world: L1RootWorld,
): Promise<{ text: string; agreed: number; wrong: number }> {
  const agreed = await world.growBy(BLOCKS);
  await world.settle(await world.stateOf(agreed));
  if (!(await world.mineUntil(() => world.isSettled(agreed)))) throw new TypeError("not accepted");
  const wrong = await world.growBy(BLOCKS);
  const state = await world.stateOf(wrong);
  await world.settle({ ...state, root: state.root + 1n });
  await world.mineUntil(async () => (await world.readiness()).status === 503);
  const { text } = await world.readiness();
  return { text, agreed, wrong };
}

/** Follows the command that the alarm names, up to the next settled block. */
async function settledRoot(): Promise<string | undefined> {
  await using world = await L1RootWorld.start({ endpoints: 1 });
  const { text, agreed, wrong } = await alarmOf(world);
  if (await world.makeBlocks(1)) return "a settled wrong root does not stop production";
  const [, to] = /appchain (db revert --to \d+ --yes)/.exec(text) ?? [];
  if (to !== `db revert --to ${agreed} --yes`) return `the alarm names no way back: ${text}`;
  const state = await world.stateOf(agreed);
  await world.chain.stop();
  await world.putBack(state);
  await world.anvil.client.mine({ blocks: 2 });
  const { exitCode, output } = await runCommand([...to.split(" "), "--base-path", world.basePath]);
  if (exitCode !== 0) return `the command fails: ${output}`;
  await world.startChain();
  const next = await world.growBy(wrong - agreed + 1);
  await world.settle(await world.stateOf(next));
  if (!(await world.mineUntil(() => world.isSettled(next)))) return "the next block is not settled";
  return (await world.readiness()).status === 200 ? undefined : "it is not ready after the revert";
}

/** Follows the option that the alarm of published blocks names, up to the next settled block. */
async function publishedRoot(): Promise<string | undefined> {
  await using store = await startStoreServer();
  const args = ["--publish-gate", store.storeUrl(), "--block-time", "500ms"];
  await using world = await L1RootWorld.start({ endpoints: 1, args, env: STORE_ENVIRONMENT });
  const { text, wrong } = await alarmOf(world);
  const [, transaction] = /--l1-accept-divergence (0x[0-9a-f]{64})/.exec(text) ?? [];
  if (transaction === undefined) return `the alarm names no transaction: ${text}`;
  await world.chain.stop();
  await world.startChain(["--l1-accept-divergence", transaction]);
  for (let i = 0; i < BLOCKS; i++) {
    await world.anvil.client.mine({ blocks: 1 });
    await world.growBy(1);
    await Bun.sleep(1000);
  }
  if ((await world.readiness()).status !== 200) return "it is not ready with the divergence";
  if (await world.isSettled(wrong)) return "the wrong root made a block accepted";
  const next = await world.newest();
  await world.settle(await world.stateOf(next));
  if (!(await world.mineUntil(() => world.isSettled(next)))) return "the next block is not settled";
  return undefined;
}

async function run(scale: AttackScale): Promise<AttackReport> {
  const broken: string[] = [];
  const check = async (name: string, attack: () => Promise<string | undefined>): Promise<void> => {
    const finding = await attack().catch((error: unknown) => String(error).slice(0, 2_000));
    if (finding !== undefined) broken.push(`${name}: ${finding}`);
  };
  const forgeries = FORGERIES.filter((each) => scale === "full" || each.isFullOnly !== true);
  for (const forgery of forgeries) {
    await check(forgery.name, () => forgedRoot(forgery, scale));
  }
  await check("a wrong root that is settled", settledRoot);
  await check("a wrong root of published blocks", publishedRoot);
  return {
    held: broken.length === 0,
    figures:
      broken.length > 0
        ? broken.join("; ")
        : `${forgeries.length} forgeries of ${ROUNDS[scale]} rounds stopped nothing; of 2 wrong roots that were settled production went on and the next block was accepted`,
  };
}

/** Wrong roots served by endpoints, and on L1. */
export const L1_WRONG_ROOT: Attack = {
  name: "l1-wrong-root",
  about: "forged L1 state updates do not stop a chain, and a wrong one on L1 can be resolved",
  run,
};

import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EndedStart, refusedStart } from "#test/helpers/refused-start.ts";
import { createRandom } from "#test/helpers/random.ts";
import { killedStart } from "#test/helpers/killed-start.ts";
import type { Attack, AttackReport, AttackScale } from "./attack.ts";

/** Extent of the attack. */
interface Extent {
  /** Number of first starts that are killed at a random moment. */
  readonly kills: number;
  /** Number of subsets of files of a chain without its database. */
  readonly subsets: number;
  /** Files that are replaced by those of another chain. */
  readonly swapped: readonly string[];
}

const KEY = "block-signing.key";
const LEFT = [KEY, "mempool.db", "execution.journal", "commit.journal", "validation.journal"];

const EXTENTS: Readonly<Record<AttackScale, Extent>> = {
  small: { kills: 1, subsets: 1, swapped: ["mempool.db", "commit.journal"] },
  full: { kills: 40, subsets: 30, swapped: ["chain.db", "compiled.db", ...LEFT] },
};

/** Maximum time before the kill of a first start; a whole one takes less on a quiet machine. */
const MAX_LIFE_MS = 1_500;
const READY = "ready http://";

/**
 * Data directories with missing parts. A sequencer never starts a new chain under an old key unless
 * that is requested, and a first start that was killed at any moment is followed by a successful
 * one.
 */
export const HALF_FOLDER: Attack = {
  name: "half-folder",
  about:
    "rejects data directories without their chain database, and recovers from killed first starts",
  async run(scale) {
    const root = mkdtempSync(join(tmpdir(), "appchain-half-folder-"));
    try {
      return await attack(root, EXTENTS[scale]);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
};

async function attack(root: string, { kills, subsets, swapped }: Extent): Promise<AttackReport> {
  const random = createRandom(41);
  const faults: string[] = [];
  const whole = join(root, "whole");
  const first = await started(whole);
  if (first.code !== 0) faults.push(`the first start ends with ${first.code}: ${first.output}`);
  const key = readFileSync(join(whole, KEY), "utf8");
  for (let i = 0; i < subsets; i++) {
    const folder = join(root, `half-${i}`);
    cpSync(whole, folder, { recursive: true });
    // The first subset is what a lost database leaves, the others are parts of it.
    const lost = i === 0 ? [] : LEFT.filter(() => random.below(2) === 0);
    if (lost.length === LEFT.length) lost.pop();
    for (const name of lost) rmSync(join(folder, name));
    const isEmptied = i > 0 && random.below(2) === 0;
    for (const suffix of ["-wal", "-shm"])
      rmSync(join(folder, `chain.db${suffix}`), { force: true });
    if (isEmptied) truncateSync(join(folder, "chain.db"), 0);
    else rmSync(join(folder, "chain.db"));
    const what = `without ${["chain.db", ...lost].join(", ")}`;
    const refused = await started(folder);
    if (refused.code !== 2 || !refused.output.includes(`${folder}/chain.db is `)) {
      faults.push(`${what}: ends with ${refused.code}: ${refused.output}`);
    }
    if (!isEmptied && existsSync(join(folder, "chain.db"))) faults.push(`${what}: a chain is made`);
    const restarted = await started(folder, "--new-chain");
    if (restarted.code !== 0) faults.push(`${what}: --new-chain ends with ${restarted.code}`);
    const isKept = readFileSync(join(folder, KEY), "utf8") === key;
    if (isKept === lost.includes(KEY)) faults.push(`${what}: --new-chain has another key`);
    rmSync(folder, { recursive: true });
  }
  // The first block of the other chain has another time, and thus another hash.
  const other = join(root, "other");
  await started(other, "--start-time", "1000");
  for (const name of swapped) {
    const folder = join(root, "swapped");
    cpSync(whole, folder, { recursive: true });
    cpSync(join(other, name), join(folder, name));
    const { code, output } = await started(folder);
    // Compiled classes are rebuilt.
    const isHeld =
      name === "compiled.db"
        ? code === 0
        : code !== 0 && output.includes(name === "chain.db" ? KEY : join(folder, name));
    if (!isHeld) {
      faults.push(`another chain's ${name}: ends with ${code}: ${output}`);
    }
    rmSync(folder, { recursive: true });
  }
  let halves = 0;
  for (let i = 0; i < kills; i++) {
    const folder = join(root, `killed-${i}`);
    await killedStart(folder, random.below(MAX_LIFE_MS));
    if (existsSync(join(folder, "lock.db"))) halves++;
    const again = await started(folder);
    if (again.code !== 0) faults.push(`after a kill: ends with ${again.code}: ${again.output}`);
    rmSync(folder, { recursive: true, force: true });
  }
  return {
    held: faults.length === 0,
    figures: [
      `${subsets} folders without their chain refused`,
      `${swapped.length} folders with a file of another chain refused, or that file made again`,
      `${kills} first starts killed, ${halves} of them with a folder`,
      ...faults.slice(0, 5),
    ].join("; "),
  };
}

/** Starts a sequencer, and stops it once it serves. */
function started(folder: string, ...args: readonly string[]): Promise<EndedStart> {
  return refusedStart(folder, { args }, READY);
}

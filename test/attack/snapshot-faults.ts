import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hexFromFelt } from "#base/primitives/index.ts";
import { createRandom } from "#test/helpers/random.ts";
import { runCommand } from "#test/helpers/run-binary.ts";
import {
  endlessServer,
  killRepeatedly,
  sameFiles,
  signAgain,
} from "#test/helpers/snapshot-files.ts";
import { makeTrueChain } from "#test/helpers/true-chain.ts";
import type { Attack, AttackReport, AttackScale } from "./attack.ts";

/** Extent of the attack. */
interface Extent {
  readonly blocks: number;
  /** One in so many files is changed, and always the last one. */
  readonly fileStep: number;
  /** Flipped bits in each file, with corrected checksums. */
  readonly flips: number;
  /** Number of kills of an import, and of an export. */
  readonly kills: number;
}

const EXTENTS: Readonly<Record<AttackScale, Extent>> = {
  small: { blocks: 16, fileStep: 4, flips: 1, kills: 1 },
  full: { blocks: 400, fileStep: 1, flips: 12, kills: 20 },
};

/** Generous deadline of one import: its compiler has the lowest priority. */
const DEADLINE_MS = 300_000;

/**
 * Snapshots with every file damaged: bits flipped with matching checksums, truncated, missing,
 * endless. Each import rejects them in time and leaves nothing, or has the same chain. A repeatedly
 * killed import ends with the same database as an undisturbed one.
 */
export const SNAPSHOT_FAULTS: Attack = {
  name: "snapshot-faults",
  about: "rejects snapshots with damaged files, and resumes killed imports and exports",
  async run(scale) {
    const folder = mkdtempSync(join(tmpdir(), "appchain-snapshot-faults-"));
    try {
      return await new Faults(folder, EXTENTS[scale]).run();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

class Faults {
  readonly #folder: string;
  readonly #extent: Extent;
  readonly #random = createRandom(20);
  readonly #findings: string[] = [];
  #key = "";
  #imports = 0;
  #refused = 0;

  constructor(folder: string, extent: Extent) {
    this.#folder = folder;
    this.#extent = extent;
  }

  async run(): Promise<AttackReport> {
    const { blocks, fileStep, flips, kills } = this.#extent;
    const chain = this.#path("chain");
    const { publicKey } = await makeTrueChain(chain, { blocks, transactions: 4 });
    this.#key = hexFromFelt(publicKey);
    const at = String(blocks - 10);
    const exported = this.#path("exported");
    const exportArgs = ["snapshot", "export", exported, "--at", at, "--base-path", chain];
    const exportKills = await killRepeatedly(exportArgs, kills, this.#random);
    const undisturbed = this.#path("undisturbed");
    await runCommand(exportArgs.with(2, undisturbed));
    await runCommand(exportArgs);
    if (!sameFiles(exported, undisturbed)) this.#findings.push("a killed export has other files");
    const whole = this.#path("whole");
    const made = await runCommand(this.#importArgs(exported, whole));
    if (made.exitCode !== 0) this.#findings.push(`the snapshot is refused: ${made.output}`);
    const newest = await newestOf(whole);
    const names = readdirSync(exported).sort().reverse();
    for (const name of names.filter((_, i) => i % fileStep === 0)) {
      await this.#spoil(exported, name, newest, flips);
    }
    const again = this.#path("killed");
    const importArgs = this.#importArgs(exported, again);
    const importKills = await killRepeatedly(importArgs, kills, this.#random);
    await runCommand(importArgs);
    if ((await newestOf(again)) !== newest) this.#findings.push("a killed import differs");
    const folders = [whole, again].map((from) => ({ from, to: `${from}-exported` }));
    for (const { from, to } of folders) {
      await runCommand(["snapshot", "export", to, "--at", at, "--base-path", from]);
    }
    if (!sameFiles(`${whole}-exported`, `${again}-exported`)) {
      this.#findings.push("a killed import has another state");
    }
    return {
      held: this.#findings.length === 0,
      figures: [
        `${this.#refused} of ${this.#imports} wrong snapshots refused, the others are the same chain`,
        `${exportKills} exports and ${importKills} imports killed`,
        ...this.#findings.slice(0, 5),
      ].join("; "),
    };
  }

  /** Applies every kind of damage to one file of a snapshot. */
  async #spoil(exported: string, name: string, newest: string, flips: number): Promise<void> {
    const bytes = readFileSync(join(exported, name));
    const changes: (readonly [what: string, Uint8Array | "endless" | undefined])[] = [];
    if (flips > 1 || name.startsWith("storage")) {
      changes.push(["cut", bytes.subarray(0, bytes.length >> 1)], ["endless", "endless"]);
    }
    if (flips > 1) changes.push(["missing", undefined], ["empty", new Uint8Array()]);
    for (let i = 0; i < flips; i++) {
      const flipped = Buffer.from(bytes);
      const at = this.#random.below(bytes.length);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << this.#random.below(8));
      changes.push([`bit flipped in byte ${at}`, flipped]);
    }
    for (const [what, change] of changes) {
      const where = `${name}, ${what}`;
      if (change === "endless") await this.#importEndless(exported, name, where);
      else await this.#importChanged(exported, name, change, where, newest);
    }
  }

  async #importChanged(
    exported: string,
    name: string,
    change: Uint8Array | undefined,
    where: string,
    newest: string,
  ): Promise<void> {
    const spoiled = this.#path(`spoiled-${this.#imports}`);
    cpSync(exported, spoiled, { recursive: true });
    if (change === undefined) rmSync(join(spoiled, name));
    else writeFileSync(join(spoiled, name), change);
    // A truncated file keeps its old checksum, as in an accident.
    if (change !== undefined && where.includes("flipped") && name !== "manifest.json") {
      signAgain(spoiled, name, change);
    }
    await this.#import(spoiled, where, newest);
    rmSync(spoiled, { recursive: true });
  }

  async #importEndless(exported: string, name: string, where: string): Promise<void> {
    using server = endlessServer(exported, name);
    await this.#import(server.url, where, "");
  }

  /**
   * Expects an import to reject the snapshot and leave nothing, or to yield the same chain if no
   * hash covers the change.
   */
  async #import(source: string, where: string, newest: string): Promise<void> {
    const target = this.#path(`target-${this.#imports++}`);
    const beganMs = performance.now();
    const { exitCode, output } = await runCommand(this.#importArgs(source, target));
    const tookMs = performance.now() - beganMs;
    if (tookMs > DEADLINE_MS) this.#findings.push(`${where}: ${Math.round(tookMs)} ms`);
    if (exitCode === 1) {
      this.#refused++;
      if (existsSync(target)) this.#findings.push(`${where}: a directory is left`);
      if (!output.includes("the snapshot is wrong: ")) this.#findings.push(`${where}: ${output}`);
    } else if (exitCode !== 0) {
      this.#findings.push(`${where}: exit code ${exitCode}: ${output}`);
    } else if ((await newestOf(target)) !== newest) {
      this.#findings.push(`${where}: it is taken`);
    }
    rmSync(target, { recursive: true, force: true });
  }

  #importArgs(source: string, target: string): readonly string[] {
    return ["snapshot", "import", source, "--public-key", this.#key, "--base-path", target];
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }
}

/** Newest block from `db info`, once `db check` accepts the directory. */
async function newestOf(basePath: string): Promise<string> {
  const { output } = await runCommand(["db", "info", "--base-path", basePath, "--quick"]);
  const checked = await runCommand(["db", "check", "--base-path", basePath]);
  return `${/^newest_block: .*$/m.exec(output)?.[0]}, checked: ${checked.exitCode}`;
}

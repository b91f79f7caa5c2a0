import { Database } from "bun:sqlite";
import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom, type Random } from "#test/helpers/random.ts";
import { type EndedStart, refusedStart } from "#test/helpers/refused-start.ts";
import { WARM } from "#test/helpers/binary.ts";
import type { Attack, AttackReport, AttackScale } from "./attack.ts";

/** How often each file is truncated, and how often a byte of it is changed, at random places. */
const TIMES: Readonly<Record<AttackScale, number>> = { small: 1, full: 20 };

/** Files with a checksum of the whole content. */
const SUMMED = ["block-signing.key", "execution.journal", "commit.journal", "validation.journal"];
/** `compiled.db` can be rebuilt; a byte in the middle of a database page has no checksum. */
const DATABASES = ["chain.db", "mempool.db", "compiled.db"];
const PAGE_BYTES = 4_096;
const READY = "ready http://";

/**
 * Truncates files of a data directory, or changes a byte. A sequencer rejects them by path, or
 * serves the same chain with the same key; it never fails with an internal error.
 */
export const CUT_FILES: Attack = {
  name: "cut-files",
  about: "a data directory with truncated or changed files is rejected or serves the same chain",
  async run(scale) {
    const root = mkdtempSync(join(tmpdir(), "appchain-cut-files-"));
    try {
      return await new Cuts(root, createRandom(43)).run(TIMES[scale]);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
};

class Cuts {
  readonly #whole: string;
  readonly #folder: string;
  readonly #random: Random;
  readonly #faults: string[] = [];
  #refused = 0;
  #served = 0;

  constructor(root: string, random: Random) {
    this.#whole = join(root, "whole");
    this.#folder = join(root, "spoiled");
    this.#random = random;
  }

  async run(times: number): Promise<AttackReport> {
    const first = await started(this.#whole);
    if (first.code !== 0) this.#faults.push(`the first start ends with ${first.code}`);
    for (const name of [...SUMMED, ...DATABASES]) {
      for (let i = 0; i < times; i++) {
        await this.#spoil(name, "cut");
        if (times > 1) await this.#spoil(name, "changed");
      }
    }
    await this.#spoilTable("class");
    return {
      held: this.#faults.length === 0,
      figures: [
        `${this.#refused} spoiled folders refused, ${this.#served} served as they were`,
        ...this.#faults.slice(0, 5),
      ].join("; "),
    };
  }

  /** Corrupts a page that a thread reads once the chain is open. */
  async #spoilTable(table: string): Promise<void> {
    const path = this.#copy("chain.db");
    const bytes = readFileSync(path);
    {
      using database = new Database(path, { readonly: true });
      const [row] = database
        .query<{ rootpage: number }, [string]>("select rootpage from sqlite_master where name = ?")
        .all(table);
      bytes[((row?.rootpage ?? 1) - 1) * PAGE_BYTES] = 0xff;
    }
    writeFileSync(path, bytes);
    const { code, output } = await started(this.#folder);
    if (code === 1 && output.includes(`${path} is damaged: table ${table}`)) this.#refused++;
    else this.#faults.push(`a page of ${table}: ends with ${code}: ${output}`);
  }

  /** Copies the whole folder. @returns the path of one of the copies */
  #copy(name: string): string {
    rmSync(this.#folder, { recursive: true, force: true });
    cpSync(this.#whole, this.#folder, { recursive: true });
    return join(this.#folder, name);
  }

  async #spoil(name: string, kind: "cut" | "changed"): Promise<void> {
    const path = this.#copy(name);
    const bytes = readFileSync(path);
    // An empty file counts as a new one.
    const at = 1 + this.#random.below(bytes.length - 1);
    if (kind === "cut") truncateSync(path, at);
    else {
      bytes[at] = (bytes[at] ?? 0) ^ (1 << this.#random.below(8));
      writeFileSync(path, bytes);
    }
    const { code, output } = await started(this.#folder);
    const where = `${name} ${kind} at ${at}`;
    if (output.includes("internal error")) this.#faults.push(`${where}: ${output}`);
    if (code !== 0) {
      this.#refused++;
      if (!output.includes(path)) this.#faults.push(`${where}: ends with ${code}: ${output}`);
      return;
    }
    this.#served++;
    if (SUMMED.includes(name)) this.#faults.push(`${where}: is taken`);
    const key = "block-signing.key";
    const isSame = readFileSync(join(this.#folder, key)).equals(
      readFileSync(join(this.#whole, key)),
    );
    if (!isSame) this.#faults.push(`${where}: has another key`);
    if (kind === "cut" && name === "chain.db") this.#faults.push(`${where}: is taken`);
  }
}

/** Starts a sequencer, and stops it once it serves. */
function started(folder: string): Promise<EndedStart> {
  return refusedStart(folder, { env: WARM }, READY);
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type SierraClass, sierraClassFromJson } from "#protocol/chain/index.ts";
import { fixturePath, SHARED } from "../../shared.ts";
import { sierraCases } from "../cases.ts";
import { parseSierra } from "../text-parser.ts";
import { classOfParts } from "./class-parts.ts";
import type { Source } from "./made-up-class.ts";
import { compileOutcome } from "./outcome.ts";

/** Sierra 1.9.3, of the compiler 2.20.0. */
const VERSIONS = [1n, 9n, 3n, 2n, 20n, 0n];

const EXTENSION = ".sierra.json";

/**
 * Classes of the fixtures up to a size, by name; those of the repository in a clone without
 * fixtures.
 */
export function fixtureSources(maxFelts: number): Source[] {
  const folder =
    SHARED === undefined
      ? join(import.meta.dir, "../../../../contracts/l2")
      : fixturePath("casm-golden");
  const classes = readdirSync(folder)
    .filter((name) => name.endsWith(EXTENSION))
    .sort()
    .map((name) => ({
      id: name.replace(EXTENSION, ""),
      original: sierraClassFromJson(readFileSync(join(folder, name), "utf8")),
    }));
  return SHARED === undefined
    ? classes
    : classes.filter(({ original }) => original.sierraProgram.length < maxFelts);
}

/**
 * Programs of the reference compiler's end-to-end tests as classes without entry points: each is
 * small, together they have every libfunc. Those that networks reject are excluded.
 */
export function textSources(): Source[] {
  return sierraCases().flatMap(({ sierra }, index) => {
    const original: SierraClass = classOfParts({
      versions: VERSIONS,
      program: parseSierra(sierra),
      entryPoints: { EXTERNAL: [], L1_HANDLER: [], CONSTRUCTOR: [] },
    });
    return compileOutcome(original).kind === "compiled" ? [{ id: `text${index}`, original }] : [];
  });
}

import { invariant } from "#base/errors/index.ts";
import type { SierraClass } from "#protocol/chain/index.ts";
import { createRandom, type Random } from "../../random.ts";
import { changedClass } from "./changed-class.ts";
import { type ClassParts, classOfParts, classParts } from "./class-parts.ts";
import { damagedProgram } from "./damaged-program.ts";
import { joinedClass } from "./joined-class.ts";
import { programWords } from "./program-words.ts";
import { recombinedClass } from "./recombined-class.ts";

/**
 * Maximum size, in felts, of the classes that the compiler's fuzzers use: larger ones take too long
 * for their benefit.
 */
export const MAX_FUZZ_FELTS = 5000;

/**
 * Ways to generate classes from valid ones:
 * - `recombined`: some functions of one, in another order;
 * - `joined`: some functions of two, in one class;
 * - `damaged`: one with felts changed, added or removed;
 * - `changed`: one, possibly recombined or joined, with changes that keep it decodable.
 */
export const WAYS = ["recombined", "joined", "damaged", "changed"] as const;

/** One of the {@link WAYS}. */
export type Way = (typeof WAYS)[number];

/** A valid class from which others are generated. */
export interface Source {
  readonly id: string;
  readonly original: SierraClass;
}

/** A generated class, and the ids of its sources. */
export interface MadeUp {
  readonly of: string;
  readonly sierraClass: SierraClass;
}

/** Maximum attempts if generated classes are too large. */
const MAX_TRIES = 20;

/** Generates classes from valid ones. */
export class ClassMaker {
  readonly #sources: readonly Source[];
  readonly #small: readonly Source[];
  readonly #parts = new Map<Source, ClassParts>();

  /** @param sources - at least one with fewer than {@link MAX_FUZZ_FELTS} felts */
  constructor(sources: readonly Source[]) {
    this.#sources = sources;
    this.#small = sources.filter(({ original }) => isSmall(original));
  }

  /** A class of fewer than {@link MAX_FUZZ_FELTS} felts, deterministic by way and seed. */
  make(way: Way, seed: number): MadeUp {
    const random = createRandom(seed);
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const made = this.#drawn(way, random);
      if (isSmall(made.sierraClass)) return made;
    }
    return this.#damaged(random);
  }

  #drawn(way: Way, random: Random): MadeUp {
    switch (way) {
      case "recombined":
        return packed(this.#recombined(random));
      case "joined":
        return packed(this.#joined(random));
      case "damaged":
        return this.#damaged(random);
      case "changed": {
        const base = this.#base(random);
        return packed({ of: base.of, parts: changedClass(base.parts, random) });
      }
    }
  }

  #base(random: Random): Unpacked {
    switch (random.below(4)) {
      case 0:
        return this.#recombined(random);
      case 1:
        return this.#joined(random);
      default: {
        const source = anyOf(this.#small, random);
        return { of: source.id, parts: this.#partsOf(source) };
      }
    }
  }

  #damaged(random: Random): MadeUp {
    const { id, original } = anyOf(this.#small, random);
    const sierraProgram = damagedProgram(programWords(original.sierraProgram), random);
    return { of: id, sierraClass: { ...original, sierraProgram } };
  }

  #recombined(random: Random): Unpacked {
    const source = anyOf(this.#sources, random);
    const parts = this.#partsOf(source);
    const all = [...parts.program.functions.keys()];
    return { of: source.id, parts: recombinedClass(parts, [all], random) };
  }

  #joined(random: Random): Unpacked {
    const one = anyOf(this.#sources, random);
    const others = this.#sources.filter((each) => each !== one);
    const two = anyOf(others.length > 0 ? others : this.#sources, random);
    const joined = joinedClass(this.#partsOf(one), this.#partsOf(two), random);
    const all = [...joined.program.functions.keys()];
    const border = this.#partsOf(one).program.functions.length;
    const groups = [all.slice(0, border), all.slice(border)];
    return { of: `${one.id}+${two.id}`, parts: recombinedClass(joined, groups, random) };
  }

  #partsOf(source: Source): ClassParts {
    const known = this.#parts.get(source);
    if (known !== undefined) return known;
    const parts = classParts(source.original);
    this.#parts.set(source, parts);
    return parts;
  }
}

interface Unpacked {
  readonly of: string;
  readonly parts: ClassParts;
}

function packed({ of, parts }: Unpacked): MadeUp {
  return { of, sierraClass: classOfParts(parts) };
}

function isSmall({ sierraProgram }: SierraClass): boolean {
  return sierraProgram.length < MAX_FUZZ_FELTS;
}

function anyOf(sources: readonly Source[], random: Random): Source {
  const source = random.pick(sources);
  invariant(source !== undefined, "there are classes to make others of");
  return source;
}

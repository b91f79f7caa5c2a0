import type { SierraClass } from "#protocol/chain/index.ts";
import {
  copiedConstants,
  deepDeclarations,
  manyFunctions,
} from "./hostile-classes/declarations.ts";
import { denseEquations, longEquation } from "./hostile-classes/equations.ts";
import {
  largeParameters,
  largeResults,
  largeVariants,
  manyLimbs,
  movedCells,
  rotatedStack,
} from "./hostile-classes/values.ts";

/** A class that is to keep the compiler busy, or to fill its memory. */
export interface HostileClass {
  readonly name: string;
  /** Always the same class, within the limits of declares. */
  readonly build: () => SierraClass;
}

/**
 * The class that takes the compiler the longest of those that are known: some sixteen seconds and 240 MiB
 * on the machine where it was measured. It is a sound class, of 65 001 felts of code.
 */
export const SLOWEST_CLASS: HostileClass = { name: "rotated stack", build: rotatedStack };

/**
 * The class that takes the most memory of those that are known: 840 MiB within three seconds, of which
 * 512 MiB in the first two. It is refused: its functions are all one statement.
 */
export const LARGEST_CLASS: HostileClass = { name: "many functions", build: manyFunctions };

/** As slow as {@link SLOWEST_CLASS}, with 430 MiB; it is refused once it has taken its time. */
export const SLOWLY_REFUSED_CLASS: HostileClass = { name: "many limbs", build: manyLimbs };

/**
 * Classes that took more than a minute or more than a gibibyte before what they ask for was bounded, and the
 * words in which they are refused.
 */
export const BOUNDED_CLASSES: readonly (HostileClass & { readonly refusal: string })[] = [
  { name: "dense equations", build: denseEquations, refusal: "have too many terms" },
  { name: "a long equation", build: longEquation, refusal: "have too many terms" },
  { name: "copied constants", build: copiedConstants, refusal: "constants take too long" },
  { name: "large results", build: largeResults, refusal: "too many variables" },
  { name: "large parameters", build: largeParameters, refusal: "too many variables" },
  { name: "large variants", build: largeVariants, refusal: "too many variables" },
  { name: "moved cells", build: movedCells, refusal: "too many variables" },
];

/** A sound class that is deep in every way: whoever follows it by recursion runs out of stack. */
export const DEEP_CLASS: HostileClass = { name: "deep declarations", build: deepDeclarations };

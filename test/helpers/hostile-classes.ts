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

/** Sierra class that keeps the compiler busy, or fills its memory. */
export interface HostileClass {
  readonly name: string;
  /** Builds the class, always the same one, within the limits of declarations. */
  readonly build: () => SierraClass;
}

/**
 * The slowest known class for the compiler: some sixteen seconds and 240 MiB on the reference
 * machine. It is a valid class of 65 001 felts of code.
 */
export const SLOWEST_CLASS: HostileClass = { name: "rotated stack", build: rotatedStack };

/**
 * The known class with the highest memory use: 840 MiB within three seconds, of which 512 MiB in
 * the first two. It is rejected: its functions are all one statement.
 */
export const LARGEST_CLASS: HostileClass = { name: "many functions", build: manyFunctions };

/** As slow as {@link SLOWEST_CLASS}, with 430 MiB; it is rejected at the end. */
export const SLOWLY_REFUSED_CLASS: HostileClass = { name: "many limbs", build: manyLimbs };

/**
 * Classes that took more than a minute or a gibibyte before their cost was bounded, and the text of
 * their rejection.
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

/** A valid class that is deeply nested in every way: recursive code runs out of stack. */
export const DEEP_CLASS: HostileClass = { name: "deep declarations", build: deepDeclarations };

import { printable } from "../printable.ts";
import type { ClassOutcome } from "./outcome.ts";

/** Felts that a class may have on Starknet, as Sierra and as bytecode. */
const NETWORK_LIMIT = 81_920;

/** The lines `name: hash` of a class; a Cairo 0 class, and one that does not compile, have one. */
export function hashLines(outcome: Exclude<ClassOutcome, { kind: "invalid" }>): readonly string[] {
  const classHash = `class_hash: ${outcome.classHash}`;
  if (outcome.kind !== "compiled") return [classHash];
  return [
    classHash,
    `compiled_class_hash_poseidon: ${outcome.poseidonHash}`,
    `compiled_class_hash_blake: ${outcome.blakeHash}`,
  ];
}

/** Notes on a class that compiles and that Starknet does not take all the same. */
export function sizeNotes(outcome: ClassOutcome): readonly string[] {
  if (outcome.kind !== "compiled") return [];
  const sizes = [
    ["the Sierra program", outcome.sierraSize],
    ["the bytecode", outcome.bytecodeSize],
  ] as const;
  return sizes
    .filter(([, size]) => size > NETWORK_LIMIT)
    .map(
      ([what, size]) => `note: ${what} has ${size} felts; Starknet takes at most ${NETWORK_LIMIT}`,
    );
}

/** The error line of a class file; its text is made safe for terminals. */
export function errorLine(name: string, reason: string): string {
  return `error: ${printable(name)}: ${printable(reason)}`;
}

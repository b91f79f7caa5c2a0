import { printable } from "../printable.ts";
import type { ClassOutcome } from "./outcome.ts";

/** Maximum felts of a class on Starknet, for both the Sierra program and the bytecode. */
const NETWORK_LIMIT = 81_920;

/** Returns the `name: hash` lines of a class; a Cairo 0 or uncompilable class has only one. */
export function hashLines(outcome: Exclude<ClassOutcome, { kind: "invalid" }>): readonly string[] {
  const classHash = `class_hash: ${outcome.classHash}`;
  if (outcome.kind !== "compiled") return [classHash];
  return [
    classHash,
    `compiled_class_hash_poseidon: ${outcome.poseidonHash}`,
    `compiled_class_hash_blake: ${outcome.blakeHash}`,
  ];
}

/** Returns notes on a class that compiles but exceeds Starknet's limits. */
export function sizeNotes(outcome: ClassOutcome): readonly string[] {
  if (outcome.kind !== "compiled") return [];
  const sizes = [
    ["the Sierra program", outcome.sierraSize],
    ["the bytecode", outcome.bytecodeSize],
  ] as const;
  return sizes
    .filter(([, size]) => size > NETWORK_LIMIT)
    .map(
      ([what, size]) =>
        `note: ${what} has ${size} felts; Starknet accepts at most ${NETWORK_LIMIT}`,
    );
}

/** Formats the error line of a class file, safe for terminals. */
export function errorLine(name: string, reason: string): string {
  return `error: ${printable(name)}: ${printable(reason)}`;
}

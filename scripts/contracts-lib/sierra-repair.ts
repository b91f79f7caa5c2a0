import { compressFelts, decompressFelts } from "./felt-compression.ts";

const WORD32_MAX = 2n ** 32n - 1n;
const WORD64_MAX = 2n ** 64n - 1n;
const LENGTH_MASK = 2n ** 128n - 1n;
const VERSION_FELTS = 6;
/** The oldest Sierra version that the network meters by gas instead of steps. */
const GAS_METERED_VERSION = [1n, 7n, 0n] as const;
const STATEMENT_INVOCATION = 0n;

/**
 * Converts the Sierra program of a 32-bit compiler build to the output of a 64-bit build, and raises
 * its version felts so that the network meters it by Sierra gas.
 *
 * A branch that falls through is written as the largest `usize` of the building machine, so only
 * the branch targets of statements are changed; the rest of the felts keep their values.
 * Source: crate `cairo-lang-starknet-classes`, module `felt252_serde`.
 *
 * @param program - felts of `sierra_program`: Sierra version (3), compiler version (3), packed rest
 * @throws RangeError when the felts are no serialized program of version 1.6 or 1.7
 */
export function repairSierraProgram(program: readonly bigint[]): bigint[] {
  const [major, minor] = program;
  if (major !== 1n || (minor !== 6n && minor !== 7n)) {
    throw new RangeError(`Sierra version ${major}.${minor}: expected 1.6 or 1.7`);
  }
  const felts = decompressFelts(program.slice(VERSION_FELTS));
  for (const position of branchTargets(felts)) {
    if (felts[position] === WORD32_MAX) felts[position] = WORD64_MAX;
  }
  return [...GAS_METERED_VERSION, ...program.slice(3, VERSION_FELTS), ...compressFelts(felts)];
}

/** Positions of the felts that are branch targets of a statement. */
function branchTargets(felts: readonly bigint[]): number[] {
  const targets: number[] = [];
  let at = 0;
  const next = (): bigint => {
    const value = felts[at++];
    if (value === undefined) throw new RangeError("serialized program ends early");
    return value;
  };
  const count = (): number => Number(next());
  const skip = (felts: number): void => {
    at += felts;
  };

  // Types: generic id, argument count with type flags above bit 128, arguments of two felts.
  for (let types = count(); types > 0; types--) {
    skip(1);
    skip(2 * Number(next() & LENGTH_MASK));
  }
  // Library functions: generic id, argument count, arguments of two felts.
  for (let libfuncs = count(); libfuncs > 0; libfuncs--) {
    skip(1);
    skip(2 * count());
  }
  for (let statements = count(); statements > 0; statements--) {
    if (next() === STATEMENT_INVOCATION) {
      skip(1);
      skip(count());
      for (let branches = count(); branches > 0; branches--) {
        targets.push(at);
        skip(1);
        skip(count());
      }
    } else {
      skip(count());
    }
  }
  // Functions: parameter types, return types, parameter variables, entry point.
  for (let functions = count(); functions > 0; functions--) {
    const parameters = count();
    skip(parameters);
    skip(count());
    skip(parameters + 1);
  }
  if (at !== felts.length) throw new RangeError(`${felts.length - at} felts left over`);
  return targets;
}

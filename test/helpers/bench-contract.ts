import type { CairoVm } from "#engine/cairo/index.ts";
import type { CasmClass, ExecutableClass } from "#protocol/chain/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { directCall } from "#engine/execution/index.ts";
import { protocolCall } from "#engine/execution/call/request.ts";
import { feltsOf } from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { CachedState } from "#engine/state/index.ts";
import { loadClass } from "#test/helpers/scenario/classes.ts";
import { InitialState } from "#test/helpers/scenario/initial-state.ts";
import { transferBlock } from "./transfer-chain.ts";

/** Entry points of `test/contracts/bench/bench.cairo`; each takes the number of its rounds. */
export const BENCH_FUNCTIONS = [
  "fib",
  "pedersen",
  "poseidon",
  "poseidon_span",
  "u256_mul",
  "dict",
  "keccak",
  "secp256k1",
  "sha256",
  "array",
  "structs",
] as const;

/** Name of an entry point of the contract. */
export type BenchFunction = (typeof BENCH_FUNCTIONS)[number];

/** Folder of the contract's source and class. */
export const BENCH_FOLDER = new URL("../contracts/bench/", import.meta.url).pathname;

const ADDRESS = 0xbe9c4n;
const BLOCK = transferBlock({ limits: {} }, 10_000_000);
/** Ten times the protocol's limit of a call, for more than eleven million steps. */
const GAS = 10 ** 10;

/** Returns the executable class of the benchmark contract, compiled from its Sierra. */
export function benchClass(): ExecutableClass & { readonly casm: CasmClass } {
  const { executable } = loadClass({ sierra: "bench.sierra.json" }, BENCH_FOLDER, "bench");
  const { casm } = executable;
  if (casm === null) throw new TypeError("a Cairo 0 class");
  return { ...executable, casm };
}

let made: InitialState | undefined;

/** A state with the contract. */
function benchState(): InitialState {
  if (made !== undefined) return made;
  const executable = benchClass();
  made = new InitialState();
  made.classes.set(executable.classHash, executable);
  made.classHashes.set(ADDRESS, executable.classHash);
  return made;
}

/** Return data of a call of the benchmark contract, and the Cairo steps that it took. */
export interface BenchCall {
  readonly retdata: readonly Felt[];
  readonly steps: number;
}

/**
 * Calls an entry point as `starknet_call` does, but with sufficient gas.
 *
 * @throws TypeError if the call fails
 */
export function callBench(name: BenchFunction, rounds: number, vm: CairoVm): BenchCall {
  const request = protocolCall(ADDRESS, selectorFromName(name), [BigInt(rounds)], GAS);
  const state = new CachedState(benchState());
  let steps = 0;
  const counting: CairoVm = {
    memory: vm.memory,
    prepare: (casm) => vm.prepare(casm),
    runLegacy: (run) => vm.runLegacy(run),
    run: (run) => {
      const outcome = vm.run(run);
      if ("resources" in outcome) ({ steps } = outcome.resources);
      return outcome;
    },
  };
  const result = directCall(counting, state, BLOCK, request, "execute");
  if (result.kind !== "done" || result.record.failed) {
    const text = result.kind === "error" ? result.failure.text : result.kind;
    throw new TypeError(`${name}(${rounds}): ${text}`);
  }
  return { retdata: feltsOf(result.record.result), steps };
}

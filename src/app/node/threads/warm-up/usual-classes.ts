import type { ChainReader, StateReader } from "#engine/state/index.ts";
import type { CasmClass } from "#protocol/chain/index.ts";
import type { Felt, Timer } from "#base/primitives/index.ts";
import { type NodeSetup, warmsUp } from "../../setup/setup.ts";
import { type IdleWork, inIdleTurns } from "./idle-turns.ts";

/** Each takes some milliseconds of each thread, and memory there. */
const MAX_CLASSES = 8;

/** How many of the newest blocks are looked at: a chain may have made empty ones for a while. */
const MAX_BLOCKS = 16;

/** Threads that start at the same time are not held up. */
const DELAY_MS = 50;

/** What {@link usualClasses} reads of a chain. */
export type UsualClassSource = Pick<ChainReader, "latestNumber" | "stateDiff">;

/**
 * Hashes of classes that the next transactions are likely to run, each once: those of the accounts that sent the
 * newest block with transactions, then those of the contracts that it changed. A chain on which nobody has
 * sent anything yet: those that block 0 deployed.
 */
export function usualClasses(
  chain: UsualClassSource,
  state: Pick<StateReader, "classHashAt">,
): readonly Felt[] {
  const hashes = new Set<Felt>();
  for (const address of recentContracts(chain)) {
    if (hashes.size === MAX_CLASSES) break;
    hashes.add(state.classHashAt(address));
  }
  return [...hashes];
}

function recentContracts(chain: UsualClassSource): Iterable<Felt> {
  const newest = chain.latestNumber() ?? -1;
  for (let number = newest; number > Math.max(0, newest - MAX_BLOCKS); number--) {
    const diff = chain.stateDiff(number);
    if (diff !== undefined && diff.nonces.size > 0) {
      return [...diff.nonces.keys(), ...diff.storageDiffs.keys()];
    }
  }
  return chain.stateDiff(0)?.deployedContracts.keys() ?? [];
}

/**
 * Reads {@link usualClasses} and prepares them for a machine, one in each turn of the thread: the first
 * transactions after a start do not wait for that. Classes of Cairo 0 are prepared when they run.
 *
 * @param setup - of a node that does not warm up: nothing is read or prepared
 */
export function prepareUsualClasses(
  setup: Pick<NodeSetup, "warmUpTransfers">,
  prepare: (casm: CasmClass) => void,
  chain: UsualClassSource,
  state: Pick<StateReader, "classHashAt" | "executableClass">,
  timer: Timer,
): IdleWork {
  let left: Felt[] | undefined;
  return inIdleTurns(warmsUp(setup) ? Number.POSITIVE_INFINITY : 0, DELAY_MS, timer, () => {
    try {
      left ??= [...usualClasses(chain, state)];
      const classHash = left.shift();
      if (classHash === undefined) return false;
      const casm = state.executableClass(classHash)?.casm ?? null;
      if (casm !== null) prepare(casm);
    } catch {
      // A damaged class, or one of a newer compiler: it may end whoever runs it, for there its name is known, and
      // what ran it is dropped. A node that did not start for it would never get there.
    }
    return left !== undefined;
  });
}

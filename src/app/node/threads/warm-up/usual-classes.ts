import type { ChainReader, StateReader } from "#engine/state/index.ts";
import type { CasmClass } from "#protocol/chain/index.ts";
import type { Felt, Timer } from "#base/primitives/index.ts";
import { type NodeSetup, warmsUp } from "../../setup/setup.ts";
import { type IdleWork, inIdleTurns } from "./idle-turns.ts";

/** Maximum prepared classes: each takes some milliseconds, and memory, in each thread. */
const MAX_CLASSES = 8;

/** Maximum newest blocks to search: a chain may have produced empty ones for a while. */
const MAX_BLOCKS = 16;

/** Delay that lets other threads start first. */
const DELAY_MS = 50;

/** Chain data that {@link usualClasses} reads. */
export type UsualClassSource = Pick<ChainReader, "latestNumber" | "stateDiff">;

/**
 * Returns hashes of classes that the next transactions are likely to run, without duplicates. These are the
 * classes of the accounts that sent the newest block with transactions, then of the contracts that it
 * changed. On a chain without transactions, they are those that block 0 deployed.
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
 * Reads {@link usualClasses} and prepares them for a machine, one in each turn of the thread, so that the
 * first transactions after a start do not wait for it. Cairo 0 classes are prepared when they run.
 *
 * @param setup - if it does not warm up, or on a fork, nothing is read or prepared
 */
export function prepareUsualClasses(
  setup: Pick<NodeSetup, "warmUpTransfers" | "fork">,
  prepare: (casm: CasmClass) => void,
  chain: UsualClassSource,
  state: Pick<StateReader, "classHashAt" | "executableClass">,
  timer: Timer,
): IdleWork {
  let left: Felt[] | undefined;
  const isWanted = warmsUp(setup) && setup.fork === null;
  return inIdleTurns(isWanted ? Number.POSITIVE_INFINITY : 0, DELAY_MS, timer, () => {
    try {
      left ??= [...usualClasses(chain, state)];
      const classHash = left.shift();
      if (classHash === undefined) return false;
      const casm = state.executableClass(classHash)?.casm ?? null;
      if (casm !== null) prepare(casm);
    } catch {
      // A damaged class, or one from a newer compiler. It may crash the thread that runs it: there the
      // journal names the transaction, which is then dropped. Failing here would keep the node from starting.
    }
    return left !== undefined;
  });
}

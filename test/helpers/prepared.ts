import { nextBlockInfo } from "#app/node/setup/environment.ts";
import { chainIdFelt, contextFor, statelessLimits } from "#app/node/setup/setup.ts";
import { createCairoVm } from "#engine/cairo/index.ts";
import type { ValidationOutcome } from "#engine/execution/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import { type Declaration, encodeDeclaration } from "#services/admission/declare/declaration.ts";
import {
  type PreparationDeps,
  prepareDeclaration,
} from "#services/admission/declare/prepare-declaration.ts";
import { decodePrepared } from "#services/admission/declare/prepared-declaration.ts";
import type { DeclareWorld } from "./declare-world.ts";

const NOW_MS = 4_000_000_000_000;

/** Dependencies of a test that differ from those of {@link DeclareWorld}. */
export type PreparedOn = Partial<PreparationDeps> & { readonly state?: StateReader };

/** Prepares a declaration; counts reads of the state, and records notes. */
export function prepareOn(
  world: DeclareWorld,
  declaration: Declaration,
  parts: PreparedOn,
  namesOnly = false,
) {
  const { setup, chain } = world;
  const noted: ValidationOutcome[] = [];
  let looks = 0;
  const bytes = prepareDeclaration(
    {
      vm: createCairoVm(),
      chainId: chainIdFelt(setup.config),
      chargeFees: true,
      limits: statelessLimits(setup),
      pending() {
        looks++;
        return {
          info: nextBlockInfo(setup, chain, NOW_MS),
          state: parts.state ?? chain.stateAt(0),
        };
      },
      contextOf: (info) => contextFor(setup, info),
      isImpersonatedAccount: () => false,
      isStopped: () => false,
      noted(outcome) {
        noted.push(outcome);
        return outcome;
      },
      ...parts,
    },
    encodeDeclaration(declaration),
    namesOnly,
  );
  return { prepared: decodePrepared(bytes), looks, noted };
}

/** State of a chain's genesis with reads replaced by the test. */
export function changedState({ chain }: DeclareWorld, reads: Partial<StateReader>): StateReader {
  const inner = chain.stateAt(0);
  return {
    storageAt: (...place) => inner.storageAt(...place),
    nonceAt: (address) => inner.nonceAt(address),
    classHashAt: (address) => inner.classHashAt(address),
    compiledClassHashOf: (classHash) => inner.compiledClassHashOf(classHash),
    executableClass: (classHash) => inner.executableClass(classHash),
    ...reads,
  };
}

import { existsSync } from "node:fs";
import type { Timer } from "#base/primitives/index.ts";
import type { BlockBundle } from "#protocol/chain/index.ts";
import {
  type BundleStore,
  reconcile,
  type ReconcileEvent,
  type ChainPosition,
} from "#services/replication/index.ts";
import { decodeMetadata, isFollowed, METADATA_KEY } from "../storage/folder/chain-metadata.ts";
import { openChain } from "../storage/folder/open-chain.ts";
import { notePublished, publishedBlocks } from "../storage/folder/published-blocks.ts";
import { isSigned } from "../storage/folder/signed-bundle.ts";
import { revertStored } from "../storage/folder/revert-stored.ts";
import type { NodeSetup } from "../setup/setup.ts";

/** Dependencies of {@link reconcileFolder}. */
export interface ReconcileFolderDeps {
  readonly setup: NodeSetup;
  /** Name of the store, without keys. */
  readonly store: string;
  readonly bundles: BundleStore;
  /** Whether the node will produce blocks. */
  readonly leads: boolean;
  /** Whether the chain was created at this start. */
  readonly isNew: boolean;
  readonly tell: (event: ReconcileEvent) => void;
  readonly timer: Timer;
  /** Aborted when the start is cancelled. */
  readonly signal: AbortSignal;
}

/**
 * Makes the stored chain of a data directory a part of the published one. This process has locked the
 * directory, and no thread has it open. Waiting transactions are kept.
 *
 * @throws {AppError} as {@link reconcile}
 */
export async function reconcileFolder(deps: ReconcileFolderDeps): Promise<ChainPosition> {
  const { setup, store, leads } = deps;
  const { chain, close } = await openChain(setup);
  const noted = publishedBlocks(chain);
  const through = noted?.store === store ? noted.through : -1;
  let position: ChainPosition;
  try {
    // A start that was killed before it joined leaves a block 0 that no other node knows. A start that does
    // not share its chain creates its journals before it serves block 0.
    const hasServed = existsSync(setup.files.executionJournal);
    const order = {
      leads,
      isFollowed: isFollowed(decodeMetadata(chain.value(METADATA_KEY))),
      isNew: deps.isNew || (noted === undefined && chain.latestNumber() === 0 && !hasServed),
      publishedThrough: through,
    };
    const revert = (blockNumber: number): Promise<void> =>
      revertStored(
        setup,
        { blockNumber, keepReceived: true, keepL1Accepted: true },
        () => undefined,
      );
    const isOfChain = (bundle: BlockBundle): boolean => isSigned(bundle, setup);
    position = await reconcile(order, { ...deps, chain, revert, isOfChain });
  } finally {
    close();
  }
  const isLevel = leads && position.storedBlock === position.publishedBlock;
  await notePublished(setup, { store, through: isLevel ? position.storedBlock : through });
  return position;
}

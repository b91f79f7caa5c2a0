import { type Felt, feltFromShortString, hexFromFelt, type Timer } from "#base/primitives/index.ts";
import type { EncodedClass } from "#protocol/chain/index.ts";
import { NEWEST_PROTOCOL_VERSION } from "#protocol/versions/index.ts";
import type { ReadableFolder } from "#io/folders/index.ts";
import type { ChainWriter, StoredChainReader } from "#io/storage/index.ts";
import {
  BlockApplier,
  BlockRefused,
  type CheckedBlock,
  createBundleVerifier,
} from "#services/sync/index.ts";
import { checkClass, type ClassChecks } from "./check-class.ts";
import { laterBundles } from "./later-bundles.ts";
import type { SnapshotManifest } from "./manifest.ts";
import { wrongSnapshot } from "./wrong.ts";

/** Input of {@link applyLater}. */
export interface LaterBlocks {
  readonly source: ReadableFolder;
  readonly manifest: SnapshotManifest;
  /** Public key that must have signed each of the blocks. */
  readonly publicKey: Felt;
  readonly classes: ClassChecks;
  readonly chain: Pick<
    StoredChainReader,
    "casm" | "declaredClass" | "epoch" | "header" | "latestNumber" | "stateAt"
  >;
  readonly writer: Pick<ChainWriter, "commitBlock" | "trieStore">;
  readonly timer: Pick<Timer, "nowMs">;
  /** Yields to other work; throws to stop. Stored blocks are kept. */
  readonly step: (done: number, total: number) => Promise<void>;
}

/**
 * Stores the blocks after a snapshot's block, starting with the first that is not stored yet. Each is
 * verified like a full node verifies it.
 *
 * @throws {StorageError} STORAGE_SNAPSHOT_WRONG naming file, block and value; earlier blocks stay stored
 * @throws as {@link ReadableFolder.read}, and whatever the writer throws
 */
export async function applyLater(work: LaterBlocks): Promise<void> {
  const { source, manifest, publicKey, classes, chain, writer, timer, step } = work;
  const verifier = createBundleVerifier({
    chainId: feltFromShortString(manifest.chainId),
    newestVersion: NEWEST_PROTOCOL_VERSION,
  });
  const applier = new BlockApplier({
    chain,
    writer,
    // Like full nodes by default, trust that the blocks were executed correctly.
    execution: async () => undefined,
    timer,
    onStage: () => undefined,
  });
  const newest = chain.latestNumber() ?? manifest.blockNumber;
  for await (const { file, blockNumber, bytes } of laterBundles(source, manifest, newest)) {
    const refused = (message: string): never => {
      throw wrongSnapshot(file, `block ${blockNumber}: ${message}`);
    };
    const request = { blockNumber, text: bytes, signatureText: undefined, publicKey };
    const outcome = await verifier.checkBlock(request);
    if (outcome.kind === "needsSignature") return refused("expected a signature, found none");
    if (outcome.kind === "refused") return refused(outcome.refusal.message);
    const prepared = { block: outcome, classes: await classesOf(file, outcome, classes, chain) };
    try {
      const applied = await applier.apply(prepared);
      if (applied.kind === "otherParent") {
        const parent = hexFromFelt(applier.newest?.hash ?? 0n);
        refused(`parent_hash: expected ${parent}, found ${hexFromFelt(outcome.parentHash)}`);
      }
    } catch (error) {
      if (error instanceof BlockRefused) refused(error.message);
      throw error;
    }
    await step(blockNumber - manifest.blockNumber, manifest.newestBlock - manifest.blockNumber);
  }
}

/** Returns the classes that a block needs and that are not stored, with code of our own compiler. */
async function classesOf(
  file: string,
  block: CheckedBlock,
  checks: ClassChecks,
  chain: LaterBlocks["chain"],
): Promise<EncodedClass[]> {
  const carried = new Map(block.carried.map((each) => [each.classHash, each]));
  const classes: EncodedClass[] = [];
  for (const { classHash, compiledClassHash } of block.classes) {
    if (chain.declaredClass(classHash) !== undefined) continue;
    const encoded = carried.get(classHash);
    if (encoded === undefined) {
      const what = `block ${block.number}: class ${hexFromFelt(classHash)}`;
      throw wrongSnapshot(file, `${what}: expected it in the block's bundle, found nothing`);
    }
    const declared = { ...encoded, compiledClassHash, declaredAtBlock: block.number };
    classes.push(await checkClass(file, declared, checks));
  }
  return classes;
}

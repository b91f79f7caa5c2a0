import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { EncodedClass } from "#protocol/chain/index.ts";
import type { ChainWriter, StoredChainReader } from "#io/storage/index.ts";
import type { AcceptedMessage } from "#services/sequencer/index.ts";
import type { BlockApplier } from "./apply-block.ts";
import type { CheckedBlocks } from "./checked-blocks.ts";
import type { HeadWatch } from "./head-watch.ts";
import { type IdentityDeps, keepPublicKey, otherGenesis, requireIdentity } from "./identity.ts";
import type { OtherChain, SyncRevert } from "./messages.ts";
import { commonBlock } from "./other-branch.ts";
import { commonEpoch } from "./other-epochs.ts";
import type { Pauses } from "./pause.ts";
import type { BlockPipeline, PreparedBlock } from "./pipeline.ts";
import type { BlockReference, BlockSource } from "./ports.ts";
import type { ProgressReport } from "./progress-report.ts";
import type { PreparedClasses } from "./prepared-classes.ts";
import { BlockRefused, OtherChainFollowed, refusalOf, refuse } from "./refusal.ts";
import type { Refusals } from "./refusals.ts";
import type { SyncSettings } from "./settings.ts";

/** Maximum wait for a requested revert, which stops this thread. */
export const REVERT_WAIT_MS = 60_000;

/** Consecutive polls without the next block after which a gateway that reports later blocks is distrusted. */
export const MAX_MISSING_BLOCKS = 8;

/** Dependencies of a {@link ChainFollower}. */
export interface ChainFollowerDeps extends IdentityDeps {
  readonly source: IdentityDeps["source"] & Pick<BlockSource, "distrust">;
  readonly chain: Pick<
    StoredChainReader,
    "epoch" | "header" | "l1AcceptedNumber" | "oldestBlock" | "value"
  >;
  readonly writer: Pick<ChainWriter, "putValue" | "setL1Accepted">;
  readonly settings: Pick<
    SyncSettings,
    "publicKey" | "feeTokens" | "gatewayCount" | "sourceName" | "stopAt" | "takesL1Status"
  >;
  readonly head: HeadWatch;
  readonly blocks: CheckedBlocks;
  readonly pipeline: BlockPipeline;
  readonly applier: BlockApplier;
  readonly classes: PreparedClasses;
  readonly refusals: Refusals;
  readonly progress: ProgressReport;
  readonly pauses: Pauses;
  readonly tellMain: (message: OtherChain | SyncRevert) => void;
  /** Called when a block is stored; notifies all other threads. */
  readonly onStored: (accepted: AcceptedMessage) => void;
  /** Lets messages in between two blocks. */
  readonly yieldToOthers: () => Promise<void>;
}

/** Number of responses that must agree before a source counts as following another chain. */
const GENESIS_READS = 3;

/** Follows the accepted blocks of a gateway one by one, and detects other branches and chains. */
export class ChainFollower {
  readonly #deps: ChainFollowerDeps;
  #isStopped = false;
  #isReverting = false;
  /** Number of consecutive polls without the next block. */
  #missing = 0;
  #isKeyKept = false;
  /** Whether the gateway's first block was found to be ours. */
  #isOurChain = false;

  constructor(deps: ChainFollowerDeps) {
    this.#deps = deps;
  }

  /** Whether every block that the gateway reported is stored, and more may follow. */
  isAtTip(): boolean {
    const { head, refusals, settings } = this.#deps;
    if (this.#isReverting || settings.stopAt !== null || refusals.isRefusing("accepted"))
      return false;
    return head.current !== undefined && this.#next > head.current.number;
  }

  /** Follows until {@link stop}; retries with increasing delay after a refusal. */
  async run(): Promise<void> {
    const { head, refusals, source, pauses, tellMain } = this.#deps;
    while (!this.#isStopped) {
      try {
        await this.#follow();
      } catch (error) {
        if (error instanceof OtherChainFollowed) {
          tellMain({ kind: "otherChain", message: error.message });
          await pauses.untilStop;
          return;
        }
        const refusal = refusalOf(error);
        if (refusal === undefined || this.#isStopped) throw error;
        const retryMs = refusals.add("accepted", refusal);
        source.distrust(error instanceof BlockRefused ? error.about : error);
        head.forget();
        await pauses.for(retryMs);
      }
    }
  }

  /** Stops following; a block that is being stored is completed. */
  stop(): void {
    this.#isStopped = true;
  }

  get #next(): number {
    return (this.#deps.applier.newest?.number ?? -1) + 1;
  }

  async #follow(): Promise<void> {
    const { head, pauses, pipeline, refusals, settings } = this.#deps;
    const publicKey = await this.#identify();
    pipeline.begin(this.#next, publicKey);
    while (!this.#isStopped) {
      await this.#requireOurBranch(publicKey);
      if (settings.stopAt !== null && this.#next > settings.stopAt) {
        head.stop();
        await pauses.untilStop;
        return;
      }
      const last = Math.min(head.current?.number ?? -1, settings.stopAt ?? Number.MAX_SAFE_INTEGER);
      if (this.#next > last) {
        if (head.current !== undefined) refusals.clear("accepted");
        await head.next();
      } else await this.#take(last, publicKey);
    }
  }

  /** Processes the next block, unless a new head arrives first. */
  async #take(last: number, publicKey: Felt): Promise<void> {
    const { head, pipeline, settings, yieldToOthers } = this.#deps;
    pipeline.extend(last);
    const next = await head.nextOr(pipeline.next());
    if (next === "head") return;
    if (next === undefined) {
      // A replica behind a load balancer may not have it yet.
      if (++this.#missing >= MAX_MISSING_BLOCKS) {
        this.#missing = 0;
        const found = `${settings.sourceName} reports block ${last}, but does not have block ${this.#next}`;
        refuse("block_number", this.#next, found);
      }
      await head.next();
      pipeline.again();
      return;
    }
    await this.#apply(next, publicKey);
    await yieldToOthers();
  }

  async #apply(prepared: PreparedBlock, publicKey: Felt): Promise<void> {
    const { applier, blocks, pipeline, progress, refusals, settings, writer, onStored } =
      this.#deps;
    const { block } = prepared;
    const { newest } = applier;
    if (this.#isStopped) return;
    const classes = await this.#allClasses(prepared);
    const applied = await blocks.blaming(block, () => applier.apply({ block, classes }));
    if (applied.kind === "otherParent") {
      if (newest === undefined) {
        refuse(
          "parent_hash",
          block.number,
          `parent_hash: ${hexFromFelt(block.parentHash)} of block 0`,
        );
      }
      await this.#changeBranch({ number: newest.number, hash: block.parentHash }, publicKey);
      return;
    }
    if (applied.kind === "lowerEpoch") {
      const { chain } = this.#deps;
      const common = await commonEpoch({ blocks, chain, publicKey }, block);
      await this.#revertTo(common, publicKey);
      return;
    }
    pipeline.advance();
    this.#missing = 0;
    if (!this.#isKeyKept) {
      keepPublicKey(this.#deps, publicKey);
      this.#isKeyKept = true;
    }
    if (block.isOnL1 && settings.takesL1Status) writer.setL1Accepted(block.number);
    refusals.clear("accepted");
    onStored(applied.accepted);
    progress.stored({ number: block.number, hash: block.hash });
  }

  /**
   * Returns all classes that a block needs. Classes deployed without a declaration are fetched only now,
   * since an earlier block may have declared them.
   */
  async #allClasses({ block, classes }: PreparedBlock): Promise<readonly EncodedClass[]> {
    const prepared = new Set(classes.map(({ classHash }) => classHash));
    const others = block.classes.filter(({ classHash }) => !prepared.has(classHash));
    if (others.length === 0) return classes;
    const fetched = await this.#deps.classes.of({ ...block, classes: others });
    return [...classes, ...fetched];
  }

  /** Returns the key that must have signed blocks. */
  async #identify(): Promise<Felt> {
    const { chain, settings } = this.#deps;
    if (!this.#isOurChain) {
      const other = await this.#otherGenesis();
      if (other !== undefined) {
        throw new OtherChainFollowed(
          `block ${chain.oldestBlock()} of ${settings.sourceName} is ${hexFromFelt(other)}, not that of the chain in the data directory: it is another chain`,
        );
      }
      this.#isOurChain = true;
    }
    return requireIdentity(this.#deps);
  }

  /**
   * Returns the result of {@link otherGenesis} if all gateways agree. A single source is queried several times,
   * because one gateway may be dishonest, and one response may be damaged. Blocks of another chain never extend ours
   * in any case.
   */
  async #otherGenesis(): Promise<Felt | undefined> {
    const { source, settings } = this.#deps;
    const reads = Math.max(settings.gatewayCount, GENESIS_READS);
    let other: Felt | undefined;
    for (let read = 0; read < reads; read++) {
      const found = await otherGenesis(this.#deps);
      if (found === undefined || found !== (other ?? found)) return undefined;
      other = found;
      source.distrust(undefined);
    }
    return other;
  }

  /** Requires that the gateway's newest block is on our branch, or above it. */
  async #requireOurBranch(publicKey: Felt): Promise<void> {
    const { chain, head } = this.#deps;
    const { current } = head;
    if (current === undefined) return;
    const ours = chain.header(current.number);
    if (ours === undefined || ours.hash === current.hash) return;
    await this.#changeBranch(current, publicKey);
  }

  /** Reverts the chain to the common ancestor of both branches, once the other branch is verified. */
  async #changeBranch(top: BlockReference, publicKey: Felt): Promise<void> {
    const { blocks, chain, settings } = this.#deps;
    const { sourceName } = settings;
    const common = await commonBlock({ blocks, chain, publicKey, sourceName }, top);
    await this.#revertTo(common, publicKey);
  }

  async #revertTo({ number, hash }: BlockReference, publicKey: Felt): Promise<void> {
    const { pauses, pipeline, tellMain } = this.#deps;
    if (this.#isStopped) return;
    this.#isReverting = true;
    tellMain({ kind: "revert", blockNumber: number, blockHash: hash });
    await pauses.for(REVERT_WAIT_MS);
    // The thread was not stopped within the wait: the chain is unchanged.
    this.#isReverting = false;
    pipeline.begin(this.#next, publicKey);
  }
}

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

/** How long a revert that was asked for is waited for: the thread is stopped for it. */
export const REVERT_WAIT_MS = 60_000;

/** Looks after which a gateway is not believed any more that tells of blocks and does not have them. */
export const MAX_MISSING_BLOCKS = 8;

/** What the accepted blocks of a gateway are followed with. */
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
  /** Tells the main thread. */
  readonly tellMain: (message: OtherChain | SyncRevert) => void;
  /** A block is stored: tells everybody. */
  readonly onStored: (accepted: AcceptedMessage) => void;
  /** Lets messages come in between two blocks. */
  readonly yieldToOthers: () => Promise<void>;
}

/** Responses that have to agree before a source counts as one of another chain. */
const GENESIS_READS = 3;

/** Takes the accepted blocks of a gateway, one after the other, and notices when they are others'. */
export class ChainFollower {
  readonly #deps: ChainFollowerDeps;
  #isStopped = false;
  #isReverting = false;
  /** Times in a row that the next block was not there. */
  #missing = 0;
  #isKeyKept = false;
  /** The gateway's first block was found to be ours. */
  #isOurChain = false;

  constructor(deps: ChainFollowerDeps) {
    this.#deps = deps;
  }

  /** Whether all blocks that the gateway has told of are stored, and there may be more. */
  isAtTip(): boolean {
    const { head, refusals, settings } = this.#deps;
    if (this.#isReverting || settings.stopAt !== null || refusals.isRefusing("accepted"))
      return false;
    return head.current !== undefined && this.#next > head.current.number;
  }

  /** Follows until {@link stop}; what is refused is asked for again after a while. */
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

  /** Takes no more; the block that is being stored still is. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Number of the block that is to be stored next. */
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

  /** Takes one block, unless the newest block of the gateway is told before that comes. */
  async #take(last: number, publicKey: Felt): Promise<void> {
    const { head, pipeline, settings, yieldToOthers } = this.#deps;
    pipeline.extend(last);
    const next = await head.nextOr(pipeline.next());
    if (next === "told") return;
    if (next === undefined) {
      // A replica does not have it yet.
      if (++this.#missing >= MAX_MISSING_BLOCKS) {
        this.#missing = 0;
        const found = `${settings.sourceName} tells of block ${last}, and does not have block ${this.#next}`;
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
    pipeline.taken();
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
   * Those that a block deploys without a declaration are fetched now at the latest: a block before it may
   * have declared them.
   */
  async #allClasses({ block, classes }: PreparedBlock): Promise<readonly EncodedClass[]> {
    const prepared = new Set(classes.map(({ classHash }) => classHash));
    const others = block.classes.filter(({ classHash }) => !prepared.has(classHash));
    if (others.length === 0) return classes;
    const fetched = await this.#deps.classes.of({ ...block, classes: others });
    return [...classes, ...fetched];
  }

  /** The key that blocks have to be signed with. */
  async #identify(): Promise<Felt> {
    const { chain, settings } = this.#deps;
    if (!this.#isOurChain) {
      const other = await this.#otherGenesis();
      if (other !== undefined) {
        throw new OtherChainFollowed(
          `block ${chain.oldestBlock()} of ${settings.sourceName} is ${hexFromFelt(other)}, another one than that of the chain in the data directory: it is another chain`,
        );
      }
      this.#isOurChain = true;
    }
    return requireIdentity(this.#deps);
  }

  /**
   * As {@link otherGenesis}, when all gateways agree, and a single source each time: one may lie, and one
   * response may be damaged. Blocks of another chain do not follow on ours in any case.
   */
  async #otherGenesis(): Promise<Felt | undefined> {
    const { source, settings } = this.#deps;
    const reads = Math.max(settings.gatewayCount, GENESIS_READS);
    let other: Felt | undefined;
    for (let asked = 0; asked < reads; asked++) {
      const found = await otherGenesis(this.#deps);
      if (found === undefined || found !== (other ?? found)) return undefined;
      other = found;
      source.distrust(undefined);
    }
    return other;
  }

  /** The gateway's newest block is one of ours, or above them. */
  async #requireOurBranch(publicKey: Felt): Promise<void> {
    const { chain, head } = this.#deps;
    const { current } = head;
    if (current === undefined) return;
    const ours = chain.header(current.number);
    if (ours === undefined || ours.hash === current.hash) return;
    await this.#changeBranch(current, publicKey);
  }

  /** Has the chain reverted to the block that both branches have, once the other one is checked. */
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
    // Nobody has stopped the thread: the chain is as it was.
    this.#isReverting = false;
    pipeline.begin(this.#next, publicKey);
  }
}

import type { Outlet, Port, Timer } from "#base/primitives/index.ts";
import type { ChainWriter, StoredChainReader } from "#io/storage/index.ts";
import { type AcceptedMessage, settleOnL1, type SettleOnL1 } from "#services/sequencer/index.ts";
import { BlockApplier } from "./apply-block.ts";
import { ChainFollower } from "./chain-follower.ts";
import { CheckedBlocks } from "./checked-blocks.ts";
import { HeadWatch } from "./head-watch.ts";
import { MainCompiler } from "./main-compiler.ts";
import type { FromSync, SyncStage, SyncToQuery, ToSync } from "./messages.ts";
import { Pauses } from "./pause.ts";
import { BlockPipeline } from "./pipeline.ts";
import type { BlockSource, BlockVerifier, ClassVerifier, ExecutionVerifier } from "./ports.ts";
import { blockHashesChange } from "./pre-confirmed/block-hashes.ts";
import { FollowedPending } from "./pre-confirmed/followed-pending.ts";
import { PreparedClasses } from "./prepared-classes.ts";
import { ProgressReport } from "./progress-report.ts";
import { Refusals } from "./refusals.ts";
import type { SyncSettings } from "./settings.ts";
import { TextRoom } from "./text-room.ts";

/** Ports of the sync service. */
export interface SyncPorts {
  /**
   * Query threads; they are notified before the main thread, so that they have what clients learn from it.
   */
  readonly readers: readonly Outlet<SyncToQuery>[];
  readonly main: Port<ToSync, FromSync>;
}

/** Dependencies of the {@link SyncService}. */
export interface SyncServiceDeps {
  readonly ports: SyncPorts;
  readonly source: BlockSource;
  readonly verifier: BlockVerifier & ClassVerifier;
  /** Aborts all requests to source and verifier: they throw from then on. */
  readonly abortRequests: () => void;
  readonly execution: ExecutionVerifier;
  readonly chain: Pick<
    StoredChainReader,
    | "casm"
    | "declaredClass"
    | "ancestorHeader"
    | "epoch"
    | "header"
    | "l1AcceptedNumber"
    | "latestNumber"
    | "locate"
    | "oldestBlock"
    | "stateAt"
    | "value"
  >;
  readonly writer: Pick<ChainWriter, "commitBlock" | "putValue" | "setL1Accepted" | "trieStore">;
  readonly timer: Timer;
  /** Lets messages in between two blocks. */
  readonly yieldToOthers: () => Promise<void>;
  /** Called when every thread has been notified of a block: for work that clients need not wait for. */
  readonly afterAccepted: () => void;
  /** Called with the error that ends the service; nothing is stored after it. */
  readonly onFailure: (error: unknown) => void;
}

/** Follows another node block by block; the only writer of the chain. */
export class SyncService {
  readonly #deps: SyncServiceDeps;
  readonly #pauses: Pauses;
  readonly #head: HeadWatch;
  readonly #compiler: MainCompiler;
  readonly #follower: ChainFollower;
  readonly #pending: FollowedPending;
  #ended: Promise<unknown> = Promise.resolve();
  #isStopped = false;

  constructor(deps: SyncServiceDeps, settings: SyncSettings) {
    const { ports, source, verifier, chain, writer, execution, timer, yieldToOthers } = deps;
    const { main } = ports;
    const tellMain = (message: FromSync): void => main.send(message);
    const onStage = (stage: SyncStage): void => tellMain(stage);
    const pauses = new Pauses(timer);
    const compiler = new MainCompiler(main);
    const room = new TextRoom(settings.maxTextBytes);
    const blocks = new CheckedBlocks({ source, verifier, room, timer, onStage });
    const { trustsCasm, sourceName } = settings;
    const classes = new PreparedClasses({
      ...{ source, sourceName, verifier, room },
      ...{ compiler, trustsCasm, chain },
    });
    const pipeline = new BlockPipeline({ blocks, classes }, settings.pipeline);
    const applier = new BlockApplier({ chain, writer, execution, timer, onStage });
    const refusals = new Refusals(tellMain);
    const { newest } = applier;
    const progress = new ProgressReport(
      newest && { number: newest.number, hash: newest.hash },
      (report) => tellMain({ kind: "progress", progress: report }),
    );
    const head = new HeadWatch({
      ...{ source, pauses, pollMs: settings.headPollMs },
      onHead(reported) {
        tellMain({ kind: "sourceHead", blockNumber: reported?.number ?? null });
        if (reported !== undefined) progress.head(reported);
      },
    });
    const onStored = (accepted: AcceptedMessage): void => this.#accepted(accepted);
    const shared = { source, chain, writer, settings, pauses, refusals };
    this.#deps = deps;
    this.#pauses = pauses;
    this.#compiler = compiler;
    this.#head = head;
    this.#follower = new ChainFollower({
      ...shared,
      head,
      blocks,
      pipeline,
      applier,
      classes,
      progress,
      tellMain,
      onPinned: tellMain,
      onStored,
      yieldToOthers,
    });
    this.#pending = new FollowedPending({
      ...shared,
      classes,
      accepted: newest?.number ?? -1,
      changedBefore: (info) => blockHashesChange(chain, info, settings.blockHashes),
      isAtTip: () => this.#follower.isAtTip(),
      isAccepted: (hash) => chain.locate(hash) !== undefined,
      onPerhapsAccepted: () => head.hurry(),
      timer,
      tell: (message) => this.#tell(message),
    });
  }

  start(): void {
    this.#deps.ports.main.listen((message) => {
      if (message.kind === "compiled") this.#compiler.answered(message);
      else if (message.kind === "transactionForwarded") this.#pending.expect(message.hash);
      else this.#settle(message);
    });
    this.#ended = Promise.all(
      [this.#follower, this.#head, this.#pending].map((part) => this.#guarded(part.run())),
    );
  }

  /** Aborts all requests. Settles once the block that is being stored is complete. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const part of [this.#follower, this.#head, this.#pending, this.#compiler]) part.stop();
    this.#pauses.stop();
    this.#deps.abortRequests();
    await this.#ended;
  }

  async #guarded(run: Promise<void>): Promise<void> {
    try {
      await run;
    } catch (error) {
      if (!this.#isStopped) this.#deps.onFailure(error);
    }
  }

  #accepted(accepted: AcceptedMessage): void {
    this.#pending.accepted(accepted.blockNumber);
    this.#tell(accepted);
    this.#deps.afterAccepted();
  }

  /** Notifies the main thread last: every other thread has the message before clients learn of it. */
  #tell(message: SyncToQuery): void {
    const { readers, main } = this.#deps.ports;
    for (const listener of [...readers, main]) listener.send(message);
  }

  #settle(message: SettleOnL1): void {
    const { ports, onFailure } = this.#deps;
    try {
      ports.main.send(settleOnL1(this.#deps, message));
    } catch (error) {
      onFailure(error);
    }
  }
}

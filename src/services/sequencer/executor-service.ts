import type { Timer } from "#base/primitives/index.ts";
import {
  encodePendingDelta,
  joinDeltas,
  type PendingDelta,
  PendingOverlay,
} from "#engine/state/index.ts";
import { encodeStateDiff } from "#protocol/chain/index.ts";
import type {
  AdmissionToExecutor,
  DeltaMessage,
  ExecutionGuard,
} from "#services/admission/index.ts";
import { type ParentInfo, parentInfoOf } from "./block-info.ts";
import { BatchIntake } from "./batch-intake.ts";
import { BlockProducer } from "./block-producer.ts";
import { ControlHandler } from "./control-handler.ts";
import type { DevEnvironment } from "./dev-environment.ts";
import type { ExecutorDeps, ExecutorPorts } from "./executor-deps.ts";
import {
  type ExecutorAlarm,
  type ExecutorEffect,
  type ExecutorEvent,
  type ExecutorSettings,
  type ExecutorState,
  FIRST_STATE,
} from "./executor-state.ts";
import { step } from "./executor-step.ts";
import { MessageExecution } from "./message-execution.ts";
import type { AcceptedMessage } from "./messages.ts";
import type { ProducerSettings } from "./producer-settings.ts";
import { RecentHashes } from "./recent-hashes.ts";
import { ON_REQUEST } from "./schedule.ts";
import { settledMessage, type Settlement, settlementOf } from "./settlement.ts";

/**
 * Builds blocks: pulls transactions from admission, reports their outcomes to every reader, and passes sealed
 * blocks to the committer. {@link step} alone decides when. Transactions executed but not sealed at a stop
 * are restored from the durable mempool.
 */
export class ExecutorService {
  readonly #ports: ExecutorPorts;
  readonly #settings: ExecutorSettings;
  /** Settings that apply while blocks are made on request only. */
  readonly #held: ExecutorSettings;
  readonly #guard: ExecutionGuard;
  readonly #timer: Timer;
  readonly #intake: BatchIntake;
  readonly #overlay: PendingOverlay;
  readonly #producer: BlockProducer;
  readonly #hashes: RecentHashes;
  readonly #control: ControlHandler;
  readonly #messages: MessageExecution;
  readonly #environment: DevEnvironment | null;
  readonly #alarms = new Map<ExecutorAlarm, () => void>();
  #state: ExecutorState = FIRST_STATE;
  #parent: ParentInfo | undefined;
  #nextNumber: number;
  /** Result of the batch that closed its block, sent together with the changes made by sealing. */
  #unsent: readonly [PendingDelta | null, Settlement] = [null, {}];

  constructor(deps: ExecutorDeps, settings: ExecutorSettings, production: ProducerSettings) {
    const { ports, chain, vm, guard, clock, timer, l1Prices, processorMs, devnet } = deps;
    const { setL1Prices } = deps;
    const environment = devnet?.environment ?? null;
    this.#ports = ports;
    this.#settings = settings;
    this.#held = { ...settings, schedule: ON_REQUEST };
    this.#guard = guard;
    this.#timer = timer;
    const {
      batchSize,
      schedule: { blockTimeMs },
    } = settings;
    this.#intake = new BatchIntake({ admission: ports.admission, timer, batchSize, blockTimeMs });
    this.#overlay = new PendingOverlay(chain);
    this.#hashes = new RecentHashes(chain);
    const latest = chain.latestNumber();
    this.#nextNumber = (latest ?? -1) + 1;
    const header = latest === undefined ? undefined : chain.header(latest);
    this.#parent = header && parentInfoOf(header, chain.receipts(header.number));
    this.#producer = new BlockProducer(vm, production, {
      clock,
      l1Prices,
      blockHash: (number) => this.#hashes.hashOf(number),
      beforeTransaction: (hash) => guard.beforeTransaction(hash),
      processorMs,
      pace: this.#intake.pace,
      priced: (prices) => environment?.priced(prices) ?? prices,
    });
    this.#environment = environment;
    this.#messages = new MessageExecution({
      chain: deps.ownBlocks,
      overlay: this.#overlay,
      producer: this.#producer,
      guard,
      processorMs,
    });
    this.#control = new ControlHandler({ main: ports.control, setL1Prices, devnet });
  }

  start(): void {
    this.#ports.admission.listen((message) => this.#fromAdmission(message));
    this.#ports.committer.listen((message) => this.#accepted(message));
    this.#ports.control.listen((request) => {
      const event = this.#control.take(request);
      if (event !== undefined) this.#run(event);
    });
    this.#run({ kind: "alarm", alarm: "tick" });
  }

  /** Stops production. Later messages are ignored. */
  stop(): void {
    this.#run({ kind: "stop" });
    for (const cancel of this.#alarms.values()) cancel();
  }

  #fromAdmission(message: AdmissionToExecutor): void {
    if (this.#state.isStopped) return;
    if (message.kind === "suspects") this.#control.messages.suspects.note(message);
    else {
      if (message.kind === "batch") this.#intake.receive(message);
      this.#run(message);
    }
  }

  #accepted({ blockNumber, blockHash, commitSeconds }: AcceptedMessage): void {
    if (this.#state.isStopped) return;
    this.#overlay.accepted(blockNumber);
    this.#hashes.add(blockNumber, blockHash);
    this.#run({ kind: "accepted", commitMs: commitSeconds * 1000 });
  }

  #run(event: ExecutorEvent): void {
    for (const effect of this.#step(event)) this.#do(effect);
  }

  #step(event: ExecutorEvent): readonly ExecutorEffect[] {
    const settings = this.#environment?.isHeld() === true ? this.#held : this.#settings;
    const { state, effects } = step(settings, this.#state, event, this.#timer.nowMs());
    this.#state = state;
    return effects;
  }

  #do(effect: ExecutorEffect): void {
    switch (effect.kind) {
      case "take":
        this.#intake.ask();
        break;
      case "setAlarm":
        this.#setAlarm(effect.alarm, effect.delayMs);
        break;
      case "open":
        this.#settle(this.#producer.open(...this.#place()));
        break;
      case "prepare":
        this.#producer.prepare(...this.#place());
        break;
      case "execute":
        this.#execute(effect.attempt);
        break;
      case "executeMessage":
        this.#executeMessage();
        break;
      case "executeMessages":
        this.#executeMessages(effect.max, effect.attempt);
        break;
      case "setTime":
        this.#setTime(this.#state.orders[0] === "timedBlock");
        break;
      case "orderDone":
        this.#control.done({ kind: "sealed", blockNumber: this.#nextNumber - 1 });
        break;
      case "requeue": {
        const requeued = this.#intake.takeBatch().map(({ transaction }) => transaction.hash);
        this.#settle(null, { requeued });
        break;
      }
      case "seal":
        this.#seal(effect.attempt, effect.openedAtMs);
        break;
    }
  }

  #setAlarm(alarm: ExecutorAlarm, delayMs: number): void {
    this.#alarms.get(alarm)?.();
    const cancel = this.#timer.after(delayMs, () => this.#run({ kind: "alarm", alarm }));
    this.#alarms.set(alarm, cancel);
  }

  /** Returns number, parent and state of the next block. */
  #place() {
    return [this.#nextNumber, this.#parent, this.#overlay.state()] as const;
  }

  #execute(attempt: number): void {
    const batch = this.#intake.takeBatch();
    const startedAtMs = this.#timer.nowMs();
    const effects = this.#guard.run(attempt, () => {
      const result = this.#producer.execute(batch);
      this.#guard.beforeBlock(batch.map(({ transaction }) => transaction.hash));
      const { isOpen, contentCount: transactionCount } = this.#producer;
      const { delta = null, full } = result;
      const gaveBack = result.requeued.length > 0;
      const done = { startedAtMs, isOpen, transactionCount, full, gaveBack };
      const next = this.#step({ kind: "executed", ...done });
      if (next[0]?.kind === "seal") this.#unsent = [delta, settlementOf(result)];
      else this.#settle(delta, settlementOf(result));
      return next;
    });
    for (const effect of effects) this.#do(effect);
  }

  /** Executes the message or write of the first order. A stop before its block is accepted loses it. */
  #executeMessage(): void {
    const startedAtMs = this.#timer.nowMs();
    const { delta, outcome } = this.#messages.execute(this.#control.message());
    if (delta !== null) this.#settle(delta);
    if (outcome !== null) this.#control.done(outcome);
    const { isOpen, contentCount: transactionCount } = this.#producer;
    const step = { startedAtMs, isOpen, transactionCount, gaveBack: false };
    const full = outcome === null;
    this.#run({ kind: "executed", ...step, full, order: full ? "again" : "done" });
  }

  /** Executes queued messages from L1. One that may crash the process runs alone. */
  #executeMessages(max: number, attempt: number): void {
    const startedAtMs = this.#timer.nowMs();
    const { messages: waiting } = this.#control;
    const { outcomes, full, isPostponed } = this.#messages.executeAll(waiting.first(max), {
      attempt,
      suspects: waiting.suspects,
      settle: (delta) => this.#settle(delta),
    });
    waiting.consumed(outcomes);
    const { isOpen, contentCount: transactionCount } = this.#producer;
    const step = { startedAtMs, isOpen, transactionCount, full, gaveBack: false, isPostponed };
    this.#run({ kind: "executed", ...step, messages: waiting.next() });
  }

  /** Sets the time of the first order. Readers see the open block change in a single delta. */
  #setTime(seals: boolean): void {
    this.#control.setTime();
    const delta = this.#guard.run(1, () => this.#producer.retime());
    if (delta === "kept") this.#environment?.opened();
    else if (typeof delta === "object") {
      this.#settle({ ...delta, l1Messages: this.#messages.consumed }, { included: [] });
    }
    if (!seals) this.#control.done({ kind: "set" });
    this.#run({ kind: "timeSet", isOpenToo: delta !== "impossible" });
  }

  #seal(attempt: number, openedAtMs: number): void {
    const hashes = this.#producer.transactionHashes();
    const { draft, stateDiff } = this.#guard.runBlock(attempt, hashes, () => {
      const sealed = this.#producer.seal();
      this.#run({ kind: "sealed" });
      this.#intake.sealed();
      const [delta, settlement] = this.#unsent;
      this.#unsent = [null, {}];
      this.#settle(delta === null ? sealed.delta : joinDeltas(delta, sealed.delta), settlement);
      return { draft: sealed.draft, stateDiff: encodeStateDiff(sealed.draft.stateDiff) };
    });
    const productionSeconds = (this.#timer.nowMs() - openedAtMs) / 1000;
    const { number: blockNumber } = draft.info;
    const l1Messages = this.#messages.takeConsumed();
    this.#ports.committer.send(
      { kind: "sealed", blockNumber, stateDiff, attempt, productionSeconds, l1Messages },
      [stateDiff.buffer],
    );
    this.#parent = parentInfoOf(draft.info, draft.receipts);
    this.#nextNumber = blockNumber + 1;
  }

  /** Sends the outcomes of transactions to admission and, with a delta, to every reader. */
  #settle(delta: PendingDelta | null, settlement: Settlement = {}): void {
    const message = delta === null ? null : this.#toReaders(delta);
    const { admission, main } = this.#ports;
    admission.send(settledMessage(delta, message, settlement));
    // The main thread comes last: every other thread has the delta before clients learn of it.
    if (message !== null) main.send(message);
  }

  #toReaders(delta: PendingDelta): DeltaMessage {
    this.#overlay.apply(delta);
    if (delta.info !== null) this.#environment?.opened();
    const bytes = encodePendingDelta(delta);
    const { blockNumber, sequence } = delta;
    const message: DeltaMessage = { kind: "delta", blockNumber, sequence, bytes };
    const { committer, readers } = this.#ports;
    for (const reader of [committer, ...readers]) reader.send(message);
    return message;
  }
}

import type { Outlet, Timer } from "#base/primitives/index.ts";
import {
  type AdmissionToExecutor,
  type Candidate,
  decodeBatch,
  type ExecutorToAdmission,
} from "#services/admission/index.ts";
import { LongWork } from "./long-work.ts";
import type { BatchPace } from "./producer-settings.ts";

type Batch = Extract<AdmissionToExecutor, { kind: "batch" }>;

/** What an intake works with. */
export interface BatchIntakeDeps {
  readonly admission: Outlet<ExecutorToAdmission>;
  readonly timer: Timer;
  /** Most transactions of a batch. */
  readonly batchSize: number;
  /** May be infinite. */
  readonly blockTimeMs: number;
}

/** Asks admission for batches, in the order that {@link LongWork} decides, and holds the one at hand. */
export class BatchIntake {
  readonly #deps: BatchIntakeDeps;
  readonly #longWork: LongWork;
  #batch: Batch | undefined;

  constructor(deps: BatchIntakeDeps) {
    this.#deps = deps;
    this.#longWork = new LongWork(deps.blockTimeMs);
  }

  /** How far a batch is executed. */
  get pace(): BatchPace {
    const { timer } = this.#deps;
    return {
      mayGo: (candidate) => this.#longWork.mayGo(candidate, timer.nowMs()),
      executed: (candidate, ms) => this.#longWork.executed(candidate, ms, timer.nowMs()),
    };
  }

  /** Asks for a batch. */
  ask(): void {
    const { admission, batchSize: max, timer } = this.#deps;
    const precedence = this.#longWork.ask(timer.nowMs());
    admission.send({ kind: "take", max, ...(precedence === undefined ? {} : { precedence }) });
  }

  /** Admission answered. */
  receive(batch: Batch): void {
    this.#batch = batch;
    this.#longWork.received();
  }

  /** The batch at hand, which is executed or given back now. */
  takeBatch(): readonly Candidate[] {
    const batch = this.#batch;
    this.#batch = undefined;
    return batch === undefined ? [] : decodeBatch(batch.bytes);
  }

  /** The open block was sealed. */
  sealed(): void {
    this.#longWork.sealed();
  }
}

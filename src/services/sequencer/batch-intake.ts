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

/** Dependencies of a {@link BatchIntake}. */
export interface BatchIntakeDeps {
  readonly admission: Outlet<ExecutorToAdmission>;
  readonly timer: Timer;
  readonly batchSize: number;
  /** Block time in milliseconds; may be infinite. */
  readonly blockTimeMs: number;
}

/** Requests batches from admission as {@link LongWork} decides, and holds the current batch. */
export class BatchIntake {
  readonly #deps: BatchIntakeDeps;
  readonly #longWork: LongWork;
  #batch: Batch | undefined;

  constructor(deps: BatchIntakeDeps) {
    this.#deps = deps;
    this.#longWork = new LongWork(deps.blockTimeMs);
  }

  /** Decides how much of a batch is executed. */
  get pace(): BatchPace {
    const { timer } = this.#deps;
    return {
      mayExecute: (candidate) => this.#longWork.mayExecute(candidate, timer.nowMs()),
      executed: (candidate, ms) => this.#longWork.executed(candidate, ms, timer.nowMs()),
    };
  }

  ask(): void {
    const { admission, batchSize: max, timer } = this.#deps;
    const precedence = this.#longWork.ask(timer.nowMs());
    admission.send({ kind: "take", max, ...(precedence === undefined ? {} : { precedence }) });
  }

  /** Stores the batch that admission sent. */
  receive(batch: Batch): void {
    this.#batch = batch;
    this.#longWork.received();
  }

  /** Removes and returns the current batch, to be executed or given back. */
  takeBatch(): readonly Candidate[] {
    const batch = this.#batch;
    this.#batch = undefined;
    return batch === undefined ? [] : decodeBatch(batch.bytes);
  }

  sealed(): void {
    this.#longWork.sealed();
  }
}

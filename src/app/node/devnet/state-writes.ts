import { DevnetFault, type StateDiffOutcome, type StateDiffRequest } from "#api/rpc/index.ts";
import {
  changeSize,
  type ClassChange,
  type ControlCommand,
  type StateChange,
  type StorageWrite,
  type TokenBalance,
} from "#services/sequencer/index.ts";
import type { ControlClient } from "../production/control-client.ts";
import type { Progress } from "../production/progress.ts";
import type { ClassPreparation } from "./class-preparation.ts";

/** Dependencies of {@link StateWrites}. */
export interface StateWritesDeps {
  readonly control: Pick<ControlClient, "ask" | "order">;
  readonly progress: Pick<Progress, "accepted">;
  readonly classes: Pick<ClassPreparation, "prepare">;
  /** Fetches values of a fork's origin that a change replaces; no effect on other chains. */
  readonly prefetch: (change: StateChange) => Promise<void>;
  /** Whether each change is sealed into a block immediately. */
  readonly sealsImmediately: () => boolean;
}

/** Changes the state without transactions. Each change settles when all readers see it. */
export class StateWrites {
  readonly #deps: StateWritesDeps;

  constructor(deps: StateWritesDeps) {
    this.#deps = deps;
  }

  /** Writes a storage variable. @throws {DevnetFault} with the reason why it was refused */
  setStorage(write: StorageWrite): Promise<void> {
    return this.#order({ kind: "writeStorage", ...write });
  }

  /** Sets a balance. @throws {DevnetFault} with the reason why it was refused */
  setBalance(balance: TokenBalance): Promise<void> {
    return this.#order({ kind: "setBalance", ...balance });
  }

  /**
   * Changes the state; a change without values makes no block.
   *
   * @throws {DevnetFault} when the node is busy or stops
   * @throws {OriginError} when a fork's origin does not return a value that the change replaces
   */
  async apply({ classes: supplied, ...rest }: StateDiffRequest): Promise<StateDiffOutcome> {
    const classes: ClassChange[] = [];
    for (const [index, one] of supplied.entries()) {
      const prepared = await this.#deps.classes.prepare(one);
      if (prepared.kind === "refused") return { ...prepared, at: ["classes", index] };
      const { classHash } = prepared.encoded;
      if (classes.some(({ encoded }) => encoded.classHash === classHash)) {
        const reason = "an earlier entry has the same class";
        return { kind: "refused", code: "value", at: ["classes", index], reason };
      }
      const { encoded, compiledClassHash } = prepared;
      classes.push({ encoded, compiledClassHash });
    }
    const applied: StateDiffOutcome = {
      kind: "applied",
      classes: classes.map(({ encoded, compiledClassHash }) => ({
        classHash: encoded.classHash,
        compiledClassHash,
      })),
    };
    const change = { ...rest, classes };
    if (changeSize(change) === 0 && change.declared.length === 0) return applied;
    await this.#deps.prefetch(change);
    const outcome = await this.#deps.control.ask({ kind: "changeState", change });
    if (outcome.kind === "refused" && outcome.fault !== undefined) {
      return { kind: "refused", reason: outcome.reason, ...outcome.fault };
    }
    if (outcome.kind === "refused") throw new DevnetFault(outcome.reason);
    if (outcome.kind === "included") await this.#shown(outcome.blockNumber);
    return applied;
  }

  async #order(command: ControlCommand): Promise<void> {
    const { blockNumber } = await this.#deps.control.order(command, "included");
    await this.#shown(blockNumber);
  }

  async #shown(blockNumber: number): Promise<void> {
    const { progress, sealsImmediately } = this.#deps;
    if (sealsImmediately()) await progress.accepted(blockNumber);
  }
}

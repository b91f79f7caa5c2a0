import type { Felt } from "#base/primitives/index.ts";
import type { JsonValue } from "#base/codec/index.ts";
import type { ChainReader } from "#engine/state/index.ts";
import type { DevEnvironment } from "#services/sequencer/index.ts";
import {
  DevnetFault,
  type DumpAccess,
  type DumpOn,
  RECORDER_LIMITS,
  RequestRecorder,
} from "#api/rpc/index.ts";
import type { AdmissionClient } from "../admission/admission-client.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { NodeSetup } from "../setup/setup.ts";
import { DumpFiles } from "./dump-files.ts";
import { type LoadUndo, wholeLoad } from "./whole-load.ts";
import type { Progress } from "../production/progress.ts";
import type { RemoteThreads } from "../production/remote-threads.ts";

/** Dependencies of {@link DumpService}. */
export interface DumpServiceDeps {
  readonly options: Pick<NodeOptions, "devnet" | "rpc">;
  readonly setup: Pick<NodeSetup, "config" | "devnet" | "files" | "fork">;
  readonly environment: Pick<DevEnvironment, "hold" | "isHeld">;
  readonly progress: Pick<Progress, "until" | "receiptOf" | "accepted">;
  readonly remote: { readonly control: Pick<RemoteThreads["control"], "order"> };
  readonly chain: Pick<ChainReader, "latestNumber">;
  readonly admission: Pick<AdmissionClient, "rejectionOf">;
  readonly undo: LoadUndo;
}

/** Dumps and loads the chain on a node's main thread. */
export class DumpService implements DumpAccess {
  readonly on: DumpOn | null;
  readonly path: string | null;
  readonly recorder: RequestRecorder;
  isLoading = false;
  readonly #deps: DumpServiceDeps;
  readonly #files: DumpFiles;

  constructor(deps: DumpServiceDeps) {
    const { options, setup, chain } = deps;
    const dump = options.devnet?.dump ?? null;
    const path = dump?.path ?? null;
    this.#deps = deps;
    this.on = dump?.on ?? null;
    this.path = path;
    const genesis = setup.fork === null ? 0 : setup.fork.forkBlock + 1;
    const newest = chain.latestNumber() ?? genesis;
    this.recorder = new RequestRecorder({ genesis, newest }, RECORDER_LIMITS);
    this.#files = new DumpFiles({ rpc: options.rpc, path, files: setup.files });
  }

  async executed(transactionHash: Felt): Promise<void> {
    const { progress, admission } = this.#deps;
    await progress.until(async () => {
      if (progress.receiptOf(transactionHash) !== undefined) return true;
      const reason = await admission.rejectionOf(transactionHash);
      if (reason === undefined) return undefined;
      throw new DevnetFault(`the transaction was rejected: ${reason}`);
    });
  }

  async accepted(blockNumber: number): Promise<void> {
    const { setup, environment, progress } = this.#deps;
    if (sealsImmediately(setup, environment)) await progress.accepted(blockNumber);
  }

  whole(load: () => Promise<void>, isStart: boolean): Promise<void> {
    return wholeLoad(this.#deps.undo, load, isStart);
  }

  hold(isHeld: boolean): void {
    this.#deps.environment.hold(isHeld);
  }

  async resumeTime(timestamp: number): Promise<void> {
    await this.#deps.remote.control.order({ kind: "resumeTime", timestamp }, "set");
  }

  read(path: string): Promise<JsonValue> {
    return this.#files.read(path);
  }

  write(path: string, text: string): void {
    this.#files.write(path, text);
  }
}

/** Whether a development chain seals each change into a block immediately. */
export function sealsImmediately(
  { config, devnet }: Pick<NodeSetup, "config" | "devnet">,
  environment: Pick<DevEnvironment, "isHeld">,
): boolean {
  return config.blocksOnDemand && devnet?.blocks === "configured" && !environment.isHeld();
}

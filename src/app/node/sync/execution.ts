import { NodeError } from "#base/errors/index.ts";
import { createCairoVm } from "#engine/cairo/index.ts";
import type { StoredChainReader } from "#io/storage/index.ts";
import { executeBlockAgain, type ExecutionVerifier } from "#services/sync/index.ts";
import { machineSpanBytes } from "../threads/health/machine-space.ts";
import type { FollowOptions } from "../setup/follow.ts";
import { chainIdFelt, constantsFor } from "../setup/setup.ts";
import type { WorkerContext } from "../threads/runtime.ts";

/** What executes blocks again, and ends that with the thread. */
export interface ExecutionAgain {
  readonly verifier: ExecutionVerifier;
  /** The thread stops: a block that is being executed is left. */
  stop(): void;
}

/**
 * What blocks are executed again with, as far as that is asked for.
 *
 * @param chain - the stored blocks
 */
export function executionAgain(
  { setup, cancelFlag, keptMemory }: WorkerContext<"sync">,
  { verify }: FollowOptions,
  chain: Pick<StoredChainReader, "ancestorHeader">,
): ExecutionAgain {
  if (verify === "hashes") {
    return { verifier: () => Promise.resolve(undefined), stop: () => undefined };
  }
  const { config, chargeFees, executionMemoryBytes } = setup;
  const stopped = Promise.withResolvers<void>();
  let isStopped = false;
  const vm = createCairoVm({
    cancelFlag: new Int32Array(cancelFlag),
    maxMemoryBytes: executionMemoryBytes,
    maxSpanBytes: machineSpanBytes(setup.admissionThreads),
    keptMemory: new Int32Array(keptMemory),
  });
  const deps = {
    vm,
    rules: {
      chainId: chainIdFelt(config),
      feeTokens: { strk: config.nativeFeeTokenAddress, eth: config.parentFeeTokenAddress },
      constantsOf: (version: string) => constantsFor(config, version),
      chargeFees,
    },
    chain,
    async step() {
      await new Promise((resolve) => void setImmediate(resolve));
      if (isStopped) throw new NodeError("NODE_STOPPED", "the node stops");
    },
    stopped: stopped.promise,
  };
  return {
    verifier: (request) => executeBlockAgain(deps, request),
    stop() {
      isStopped = true;
      stopped.resolve();
    },
  };
}

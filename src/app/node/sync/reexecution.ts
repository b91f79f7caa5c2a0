import { NodeError } from "#base/errors/index.ts";
import { createCairoVm } from "#engine/cairo/index.ts";
import type { StoredChainReader } from "#io/storage/index.ts";
import { executeBlockAgain, type ExecutionVerifier } from "#services/sync/index.ts";
import { machineSpanBytes } from "../threads/health/machine-space.ts";
import type { FollowOptions } from "../setup/follow.ts";
import { chainIdFelt, constantsFor } from "../setup/setup.ts";
import type { WorkerContext } from "../threads/runtime.ts";

/** Re-execution of blocks, which stops with the thread. */
export interface Reexecution {
  readonly verifier: ExecutionVerifier;
  /** Aborts the execution of the current block, because the thread stops. */
  stop(): void;
}

/**
 * Creates the re-execution of blocks if `verify` requires it; otherwise a verifier that accepts every block.
 *
 * @param chain - stored blocks
 */
export function createReexecution(
  { setup, cancelFlag, retainedMemory }: WorkerContext<"sync">,
  { verify }: FollowOptions,
  chain: Pick<StoredChainReader, "ancestorHeader">,
): Reexecution {
  if (verify === "hashes") {
    return { verifier: () => Promise.resolve(undefined), stop: () => undefined };
  }
  const { config, chargeFees, executionMemoryBytes } = setup;
  const stopped = Promise.withResolvers<void>();
  let isStopped = false;
  const vm = createCairoVm({
    cancelFlag: new Int32Array(cancelFlag),
    maxMemoryBytes: executionMemoryBytes,
    maxSpanBytes: machineSpanBytes(setup),
    retainedMemory: new Int32Array(retainedMemory),
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

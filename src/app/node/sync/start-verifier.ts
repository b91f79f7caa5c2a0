import {
  checkClassText,
  createBlockVerifier,
  createBundleVerifier,
  VerifierService,
} from "#services/sync/index.ts";
import { chainIdFelt } from "../setup/setup.ts";
import { fail, type WorkerContext, type WorkerService } from "../threads/runtime.ts";
import { newestVersionOf } from "./sync-settings.ts";

/** Starts the stateless checks of blocks and classes; opens nothing. */
export function startVerifier({
  setup: { config, follow },
  connect,
}: WorkerContext<"verifier">): WorkerService {
  const create = follow?.store == null ? createBlockVerifier : createBundleVerifier;
  const blocks = create({
    chainId: chainIdFelt(config),
    newestVersion: newestVersionOf(config),
  });
  const verifier = {
    checkBlock: blocks.checkBlock,
    checkClass: async (request: Parameters<typeof checkClassText>[0]) => checkClassText(request),
  };
  new VerifierService({ port: connect("sync"), verifier, fail }).start();
  return { forget: () => undefined, probe: () => undefined, stop: () => undefined };
}

import { afterAll, beforeAll, test } from "bun:test";
import { type RunningAnvil, startAnvil } from "./anvil.ts";
import { CORE_ABI, MOCK_VERIFIER_ABI, PROXY_ABI } from "./l1-core-abi.ts";
import { deployCore, type DeployedCore } from "./l1-core.ts";
import { L1Contract } from "./l1-contract.ts";

/** A core contract on a test file's anvil. */
export interface CoreWorld {
  readonly anvil: RunningAnvil;
  readonly deployed: DeployedCore;
  readonly core: L1Contract;
  /** The core contract's address with the interface of the proxy. */
  readonly proxy: L1Contract;
  readonly verifier: L1Contract;
}

/**
 * Starts anvil with a core contract for the tests of a file.
 *
 * @returns a function that defines a test on L1 in the state after the deployment
 */
export function useCore(): (name: string, run: (world: CoreWorld) => Promise<void>) => void {
  let world: CoreWorld | undefined;

  beforeAll(async () => {
    const anvil = await startAnvil();
    const deployed = await deployCore(anvil);
    world = {
      anvil,
      deployed,
      core: new L1Contract(anvil, deployed.address, CORE_ABI),
      proxy: new L1Contract(anvil, deployed.address, PROXY_ABI),
      verifier: new L1Contract(anvil, deployed.verifier, MOCK_VERIFIER_ABI),
    };
  }, 60_000);

  afterAll(async () => {
    await world?.anvil.stop();
  });

  return (name, run) => {
    test(name, async () => {
      if (world === undefined) throw new TypeError("there is no core contract");
      const id = await world.anvil.client.snapshot();
      try {
        await run(world);
      } finally {
        await world.anvil.client.revert({ id });
      }
    });
  };
}

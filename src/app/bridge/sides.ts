import {
  type BridgeSettings,
  L1Account,
  L2Account,
  RpcNode,
  type Waiting,
} from "#app/bootstrap/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** Both sides of a bridge, with a user's accounts. */
export interface Sides {
  readonly settings: BridgeSettings;
  readonly waiting: Waiting;
  readonly l1: L1Account;
  readonly l2: L2Account;
  readonly l2Address: Felt;
}

/**
 * Creates both sides from the settings.
 *
 * @param account - the user's address on L2; `null` for the one that the key has with the bootstrap's class
 * @param waiting - timer of polls and retries, and the signal that aborts them
 */
export function sidesOf(settings: BridgeSettings, account: Felt | null, waiting: Waiting): Sides {
  const { transactionWaitMs, l1ChainId, appChainId } = settings;
  const l2Address = account ?? settings.l2Deployer;
  return {
    settings,
    waiting,
    l2Address,
    l1: new L1Account({
      node: new RpcNode({ url: settings.l1Url, name: "ETH_RPC", ...waiting }),
      chainId: l1ChainId,
      key: settings.l1Key,
      transactionWaitMs,
      waiting,
    }),
    l2: new L2Account({
      node: new RpcNode({ url: settings.sequencerUrl, name: "ROLLUP_SEQ_URL", ...waiting }),
      chainId: appChainId,
      key: settings.l2Key,
      publicKey: settings.l2PublicKey,
      address: l2Address,
      transactionWaitMs,
      waiting,
    }),
  };
}

import type { ExecutableClass } from "#protocol/chain/index.ts";
import { publicKey, storageVariableKey } from "#protocol/crypto/index.ts";
import { balanceKey } from "#engine/execution/index.ts";
import { loadClass } from "#test/helpers/scenario/classes.ts";
import { InitialState } from "#test/helpers/scenario/initial-state.ts";
import { fixturePath } from "./shared.ts";
import { SENDER, SENDER_KEY, STRK } from "./transfer-chain.ts";

function classOf(sierra: string, casm: string): ExecutableClass {
  const { executable } = loadClass({ sierra, casm }, fixturePath(), "class");
  if (executable === undefined) throw new TypeError(`${sierra} is no Cairo 1 class`);
  return executable;
}

/**
 * A state with the STRK token and an OpenZeppelin account that owns 10^30 of it; requires fixtures.
 */
export function transferState(): InitialState {
  const devnet = "classes/starknet-devnet";
  const token = classOf(
    `${devnet}/system_artifacts/erc20_strk.sierra`,
    "oracle/classes/erc20_strk.casm.json",
  );
  const account = classOf(
    `${devnet}/accounts_artifacts/OpenZeppelin/1.0.0/Account.cairo/Account.sierra`,
    "oracle/classes/oz_account_1.0.0.casm.json",
  );
  const state = new InitialState();
  for (const executable of [account, token]) state.classes.set(executable.classHash, executable);
  state.classHashes.set(STRK, token.classHash);
  state.classHashes.set(SENDER, account.classHash);
  state.store(SENDER, storageVariableKey("Account_public_key"), publicKey(SENDER_KEY));
  state.store(STRK, balanceKey(SENDER), 10n ** 30n);
  return state;
}

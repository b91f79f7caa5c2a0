import { readFileSync } from "node:fs";
import type { Felt } from "#base/primitives/index.ts";
import { balanceKey, type FeeTokens } from "#engine/execution/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import { casmClassFromJson, type ExecutableClass } from "#protocol/chain/index.ts";
import { publicKey, storageVariableKey } from "#protocol/crypto/index.ts";
import accountCasm from "../../../../../contracts/l2/build/account.casm.json" with { type: "file" };
import tokenCasm from "../../../../../contracts/l2/build/erc20.casm.json" with { type: "file" };

/** Address of the account that sends all transfers of a warm-up. */
export const SENDER: Felt = 0xacc_0007n;

/** Private key of the account that sends the transfers of a warm-up; used nowhere else. */
export const SENDER_KEY: Felt = 0x7e57n;

/** Arbitrary class hashes, valid only in the scratch state. */
const CLASS_HASHES = { account: 1n, token: 2n } as const;

/** Exceeds the cost of all transfers. */
const BALANCE = 2n ** 100n;

/** Creates a state with a fee token and an account that owns some; everything else is 0. */
export function warmUpState({ strk }: FeeTokens): StateReader {
  const classes = new Map<Felt, ExecutableClass>([
    [CLASS_HASHES.account, executable(CLASS_HASHES.account, accountCasm)],
    [CLASS_HASHES.token, executable(CLASS_HASHES.token, tokenCasm)],
  ]);
  const classHashes = new Map<Felt, Felt>([
    [SENDER, CLASS_HASHES.account],
    [strk, CLASS_HASHES.token],
  ]);
  const keyVariable = storageVariableKey("Account_public_key");
  const key = publicKey(SENDER_KEY);
  const balance = balanceKey(SENDER);
  return {
    storageAt(address, variable) {
      if (address === SENDER && variable === keyVariable) return key;
      return address === strk && variable === balance ? BALANCE : 0n;
    },
    nonceAt: () => 0n,
    classHashAt: (address) => classHashes.get(address) ?? 0n,
    compiledClassHashOf: () => 0n,
    executableClass: (classHash) => classes.get(classHash),
  };
}

/** @param imported - a path, although TypeScript types it by the file's content */
function executable(classHash: Felt, imported: unknown): ExecutableClass {
  return {
    classHash,
    casm: casmClassFromJson(readFileSync(imported as string, "utf8")),
    sierraVersion: [1, 7, 0],
    sierraProgramLength: 1,
    abiLength: 0,
  };
}

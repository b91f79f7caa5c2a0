import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse, stringify } from "yaml";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { record } from "../contracts/hostile/contract.ts";
import { HOSTILE_FOLDER } from "./hostile-class.ts";

const DEVNET = resolve(import.meta.dir, "../../presets/devnet.yaml");

/**
 * Addresses of accounts with the hostile class, one for each way to make the node work, so that
 * their nonces are independent.
 */
export const HOSTILE_ACCOUNTS = {
  call: 0xbad0n,
  estimate: 0xbad1n,
  validate: 0xbad2n,
  execute: 0xbad3n,
} as const;

/** Additional accounts of that class, as an account whose transaction was dropped is paused. */
export const SPARE_ACCOUNTS: readonly bigint[] = Array.from(
  { length: 32 },
  (_, i) => 0xbae00n + BigInt(i),
);

/** Address of the hostile contract for calls. */
export const HOSTILE_ADDRESS: string = hexFromFelt(HOSTILE_ACCOUNTS.call);

/** A way in which a client makes the node work. */
export type HostileWay = keyof typeof HOSTILE_ACCOUNTS;

/**
 * Writes the development preset with funded accounts of the hostile class into a folder.
 *
 * @returns path of the configuration; use it with `--dev-accounts`
 */
export function writeHostileConfig(folder: string): string {
  const config = parse(readFileSync(DEVNET, "utf8"), { intAsBigInt: true }) as {
    genesis: { classes: unknown[]; contracts: Record<string, unknown>; balances?: unknown[] };
  };
  config.genesis.classes.push({
    name: "hostile",
    sierra: join(HOSTILE_FOLDER, "hostile.sierra.json"),
    casm: join(HOSTILE_FOLDER, "hostile.casm.json"),
  });
  const addresses = [...Object.values(HOSTILE_ACCOUNTS), ...SPARE_ACCOUNTS].map(hexFromFelt);
  for (const address of addresses) config.genesis.contracts[address] = { class: "hostile" };
  config.genesis.balances = addresses.map((address) => ({
    address,
    token: "strk",
    amount: 10n ** 24n,
  }));
  const path = join(folder, "hostile.yaml");
  writeFileSync(path, stringify(config));
  return path;
}

/** Parameters of a `call` that runs `count` rounds of an operation of the hostile contract. */
export function hostileCall(operation: string, count: number): readonly unknown[] {
  const request = {
    contract_address: HOSTILE_ADDRESS,
    entry_point_selector: hexFromFelt(selectorFromName("run")),
    calldata: record(operation, { count }).map(hexFromFelt),
  };
  return [request, "latest"];
}

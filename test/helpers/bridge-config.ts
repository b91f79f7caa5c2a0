import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { privateKeyToAddress } from "viem/accounts";
import { parse, stringify } from "yaml";
import { ADDRESS_BOUND, hexFromFelt } from "#base/primitives/index.ts";
import { pedersen, selectorFromName } from "#protocol/crypto/index.ts";
import { ANVIL_KEY } from "./anvil.ts";
import type { MessageToL2 } from "./l1-senders.ts";

const DEVNET = resolve(import.meta.dir, "../../presets/devnet.yaml");
const CLASSES = resolve(import.meta.dir, "../../contracts/l2");

/** The bridge of {@link writeBridgeConfig}, and its token. */
const BRIDGE = 0xb41d_6en;
const TOKEN = 0x70_6be5n;
const L1_TOKEN = 0x70_6be1n;
const SELECTOR = selectorFromName("handle_token_deposit");

/** Address of the token that deposits mint. */
export const BRIDGED_TOKEN: string = hexFromFelt(TOKEN);

/**
 * Writes the development preset with a token bridge into a folder; its counterpart on L1 is the
 * first account of anvil, so that a message of that account is a deposit.
 *
 * @returns path of the configuration; use it with `--dev-accounts`
 */
export function writeBridgeConfig(folder: string): string {
  const config = parse(readFileSync(DEVNET, "utf8"), { intAsBigInt: true }) as {
    genesis: { classes: unknown[]; contracts: Record<string, unknown> };
  };
  config.genesis.classes.push({
    name: "token_bridge",
    sierra: join(CLASSES, "token_bridge.sierra.json"),
    casm: join(CLASSES, "build/token_bridge.casm.json"),
  });
  const l1Bridge = BigInt(privateKeyToAddress(ANVIL_KEY));
  config.genesis.contracts[hexFromFelt(BRIDGE)] = {
    class: "token_bridge",
    storage: {
      [variable("l1_bridge")]: hexFromFelt(l1Bridge),
      [variable("l1_l2_token_map", L1_TOKEN)]: hexFromFelt(TOKEN),
    },
  };
  config.genesis.contracts[BRIDGED_TOKEN] = {
    class: "fee_token",
    storage: { [variable("ERC20_permitted_minter")]: hexFromFelt(BRIDGE) },
  };
  const path = join(folder, "bridge.yaml");
  writeFileSync(path, stringify(config));
  return path;
}

/** Creates the L1 message that deposits one unit of {@link BRIDGED_TOKEN} for a recipient. */
export function deposit(recipient: bigint): MessageToL2 {
  return { to: BRIDGE, selector: SELECTOR, payload: [L1_TOKEN, 1n, recipient, 1n, 0n] };
}

function variable(name: string, key?: bigint): string {
  const base = selectorFromName(name);
  return hexFromFelt(key === undefined ? base : pedersen(base, key) % ADDRESS_BOUND);
}

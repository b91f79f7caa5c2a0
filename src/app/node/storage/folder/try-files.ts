import { readAdminToken } from "#api/rpc/index.ts";
import { readObjectStoreKeys } from "#io/objects/index.ts";
import type { NodeOptions } from "../../setup/node-options.ts";
import type { NodeSetup } from "../../setup/setup.ts";
import { checkConfigOut } from "../reports/config-out.ts";
import { readGatewayKey } from "./gateway-key.ts";
import { checkSigningKey } from "./signing-key.ts";

/**
 * Validates keys and files before anything is written.
 *
 * @throws {ConfigError} that names the unusable file
 */
export function tryFiles(
  { rpc, configOut, replication }: NodeOptions,
  { files, follow }: NodeSetup,
): void {
  if (follow === null) checkSigningKey(files.signingKey);
  else if (follow.gatewayKeyFile !== null) readGatewayKey(follow.gatewayKeyFile);
  const store = replication?.store ?? follow?.store ?? null;
  if (store !== null) readObjectStoreKeys(store, process.env);
  if (rpc.adminTokenFile !== null) readAdminToken(rpc.adminTokenFile);
  if (configOut !== null) checkConfigOut(configOut, files);
}

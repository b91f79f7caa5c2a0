import { readFileSync } from "node:fs";
import type { Abi } from "viem";
import type { Hex } from "../settings/forms.ts";
import coreContract from "../../../../contracts/l1/CoreContract.json" with { type: "file" };
import ethBridge from "../../../../contracts/l1/EthBridge.json" with { type: "file" };
import mockVerifier from "../../../../contracts/l1/MockVerifier.json" with { type: "file" };
import proxy from "../../../../contracts/l1/Proxy.json" with { type: "file" };
import testToken from "../../../../contracts/l1/TestToken.json" with { type: "file" };
import tokenBridge from "../../../../contracts/l1/TokenBridge.json" with { type: "file" };
import tokenManager from "../../../../contracts/l1/TokenManager.json" with { type: "file" };
import tokenRegistry from "../../../../contracts/l1/TokenRegistry.json" with { type: "file" };

/** A compiled L1 contract. */
export interface L1Artifact {
  readonly abi: Abi;
  /** Deployment bytecode, without constructor arguments. */
  readonly bytecode: Hex;
}

// TypeScript types a JSON import by its content; imported as `file` it is a path, inside the executable when
// compiled.
const path = (imported: unknown): string => imported as string;

const FILES = {
  CoreContract: path(coreContract),
  EthBridge: path(ethBridge),
  MockVerifier: path(mockVerifier),
  Proxy: path(proxy),
  TestToken: path(testToken),
  TokenBridge: path(tokenBridge),
  TokenManager: path(tokenManager),
  TokenRegistry: path(tokenRegistry),
} as const;

/** Names of the L1 contracts that this program ships. */
export type L1ContractName = keyof typeof FILES;

const read = new Map<L1ContractName, L1Artifact>();

/** Returns a shipped L1 contract. */
export function l1Artifact(name: L1ContractName): L1Artifact {
  const known = read.get(name) ?? (JSON.parse(readFileSync(FILES[name], "utf8")) as L1Artifact);
  read.set(name, known);
  return known;
}

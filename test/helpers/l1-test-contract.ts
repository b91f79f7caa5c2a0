import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import solc from "solc";
import { type Abi, type Address, getAddress } from "viem";
import type { RunningAnvil } from "./anvil.ts";

const FOLDER = resolve(import.meta.dir, "../contracts/l1");

/** Compiles and deploys a contract of `test/contracts/l1`. */
export async function deployTestContract(
  { client }: Pick<RunningAnvil, "client">,
  name: string,
): Promise<{ readonly address: Address; readonly abi: Abi }> {
  const input = {
    language: "Solidity",
    sources: { [name]: { content: readFileSync(resolve(FOLDER, `${name}.sol`), "utf8") } },
    settings: {
      evmVersion: "cancun",
      outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as {
    readonly contracts?: Record<
      string,
      Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>
    >;
  };
  const compiled = output.contracts?.[name]?.[name];
  if (compiled === undefined) throw new TypeError(`${name} does not compile`);
  const { abi, evm } = compiled;
  const hash = await client.deployContract({ abi, bytecode: `0x${evm.bytecode.object}` });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash });
  return { address: getAddress(contractAddress ?? "0x"), abi };
}

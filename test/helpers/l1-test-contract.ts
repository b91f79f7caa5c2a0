import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Abi, type Address, getAddress, type Hex } from "viem";
import packages from "../../package.json";
import type { RunningAnvil } from "./anvil.ts";
import { compiledOnce } from "./compiled-once.ts";

const FOLDER = resolve(import.meta.dir, "../contracts/l1");

/** Compiles and deploys a contract of `test/contracts/l1`. */
export async function deployTestContract(
  { client }: Pick<RunningAnvil, "client">,
  name: string,
): Promise<{ readonly address: Address; readonly abi: Abi }> {
  const { abi, bytecode } = await compiled(name);
  const hash = await client.deployContract({ abi, bytecode });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash });
  return { address: getAddress(contractAddress ?? "0x"), abi };
}

interface Compiled {
  readonly kind: "compiled";
  readonly abi: Abi;
  readonly bytecode: Hex;
}

function compiled(name: string): Promise<Compiled> {
  const input = JSON.stringify({
    language: "Solidity",
    sources: { [name]: { content: readFileSync(resolve(FOLDER, `${name}.sol`), "utf8") } },
    settings: {
      evmVersion: "cancun",
      outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
    },
  });
  return compiledOnce([packages.devDependencies.solc, input], async () => {
    // Loading the compiler takes a second.
    const { default: solc } = await import("solc");
    const output = JSON.parse(solc.compile(input)) as {
      readonly contracts?: Record<
        string,
        Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>
      >;
    };
    const contract = output.contracts?.[name]?.[name];
    if (contract === undefined) throw new TypeError(`${name} does not compile`);
    const { abi, evm } = contract;
    return { kind: "compiled", abi, bytecode: `0x${evm.bytecode.object}` };
  });
}

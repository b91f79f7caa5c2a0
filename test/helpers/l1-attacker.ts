import type { Abi, Address, Hex } from "viem";
import { parseAbi } from "viem";
import solc from "solc";
import type { RunningAnvil } from "./anvil.ts";

/** Calls a contract, and calls it back whenever it sends ETH. */
const SOURCE = `
// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

contract Attacker {
    bytes private back;

    function attack(address target, bytes calldata first, bytes calldata then_) external {
        back = then_;
        forward(target, first);
    }

    receive() external payable {
        if (back.length > 0) {
            bytes memory data = back;
            delete back;
            forward(msg.sender, data);
        }
    }

    function forward(address target, bytes memory data) private {
        (bool success, bytes memory answer) = target.call(data);
        if (success) return;
        assembly {
            revert(add(answer, 32), mload(answer))
        }
    }
}`;

/** Of the contract that {@link deployAttacker} deploys. */
export const ATTACKER_ABI = parseAbi(["function attack(address target, bytes first, bytes then_)"]);

/** Deploys a contract that calls back whoever sends it ETH. */
export async function deployAttacker({ client }: RunningAnvil): Promise<Address> {
  const input = {
    language: "Solidity",
    sources: { "Attacker.sol": { content: SOURCE } },
    settings: {
      evmVersion: "cancun",
      outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as {
    contracts: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>;
  };
  const compiled = output.contracts["Attacker.sol"]?.["Attacker"];
  if (compiled === undefined) throw new TypeError("the attacker was not compiled");
  const bytecode: Hex = `0x${compiled.evm.bytecode.object}`;
  const hash = await client.deployContract({ abi: compiled.abi, bytecode });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash });
  if (contractAddress === null || contractAddress === undefined) {
    throw new TypeError("the attacker was not deployed");
  }
  return contractAddress;
}

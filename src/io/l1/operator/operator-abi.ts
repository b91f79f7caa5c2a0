import { parseAbi } from "viem";

/** Functions of the core contract that an operator uses. */
export const CORE_OPERATOR_ABI = parseAbi([
  "function programHash() view returns (uint256)",
  "function configHash() view returns (uint256)",
  "function stateRoot() view returns (uint256)",
  "function stateBlockNumber() view returns (int256)",
  "function stateBlockHash() view returns (uint256)",
  "function isOperator(address user) view returns (bool)",
  "function l1ToL2Messages(bytes32 msgHash) view returns (uint256)",
  "function updateState(uint256[] programOutput, uint256 onchainDataHash, uint256 onchainDataSize)",
]);

/** Functions of a verifier for development. */
export const VERIFIER_ABI = parseAbi([
  "function isValid(bytes32 fact) view returns (bool)",
  "function isOperator(address user) view returns (bool)",
  "function registerFact(bytes32 fact)",
]);

/** keccak256("STARKNET_1.0_INIT_VERIFIER_ADDRESS"): storage slot of the core contract's verifier. */
export const VERIFIER_SLOT = "0x04e7be39f2fb63cfd7d4fcfe19f108bc6b411ed972d99fca0a47dcaff878ce5e";

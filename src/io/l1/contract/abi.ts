import { parseAbi, toEventSelector } from "viem";

/** What is read of the core contract: its published interface. */
export const CORE_ABI = parseAbi([
  "function stateRoot() view returns (uint256)",
  "function stateBlockNumber() view returns (int256)",
  "function stateBlockHash() view returns (uint256)",
  "function l1ToL2MessageNonce() view returns (uint256)",
  "function l1ToL2Messages(bytes32 msgHash) view returns (uint256)",
  "function l1ToL2MessageCancellations(bytes32 msgHash) view returns (uint256)",
]);

/** First topics of the logs that are followed. */
export const STATE_UPDATE_TOPIC = toEventSelector("LogStateUpdate(uint256,int256,uint256)");

/** That of messages to L2. */
export const MESSAGE_TOPIC = toEventSelector(
  "LogMessageToL2(address,uint256,uint256,uint256[],uint256,uint256)",
);

import { parseAbi, toEventSelector } from "viem";

/** Functions of the core contract's published interface that a node reads. */
export const CORE_ABI = parseAbi([
  "function stateRoot() view returns (uint256)",
  "function stateBlockNumber() view returns (int256)",
  "function stateBlockHash() view returns (uint256)",
  "function l1ToL2MessageNonce() view returns (uint256)",
  "function l1ToL2Messages(bytes32 msgHash) view returns (uint256)",
  "function l1ToL2MessageCancellations(bytes32 msgHash) view returns (uint256)",
]);

/** First topic of state update logs. */
export const STATE_UPDATE_TOPIC = toEventSelector("LogStateUpdate(uint256,int256,uint256)");

/** First topic of message-to-L2 logs. */
export const MESSAGE_TOPIC = toEventSelector(
  "LogMessageToL2(address,uint256,uint256,uint256[],uint256,uint256)",
);

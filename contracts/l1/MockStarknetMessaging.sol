// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Messaging} from "./base/Messaging.sol";

/// For development: messages as the core contract has them, and those from L2 are what anybody says.
/// Names are those of the published mock.
contract MockStarknetMessaging is Messaging {
    constructor(uint256 messageCancellationDelay_) {
        _setMessageCancellationDelay(messageCancellationDelay_);
    }

    /// A message from L2 that can be consumed once more. `toAddress` may have more bits than L1's
    /// addresses, as on L2; nobody can consume it then.
    function mockSendMessageFromL2(
        uint256 fromAddress,
        uint256 toAddress,
        uint256[] calldata payload
    ) external {
        _messagesToL1()[mockHash(fromAddress, toAddress, payload)] += 1;
        emit LogMessageToL1(fromAddress, address(uint160(toAddress)), payload);
    }

    /// Consumes a message from L2 in the place of its recipient.
    function mockConsumeMessageFromL2(
        uint256 fromAddress,
        uint256 toAddress,
        uint256[] calldata payload
    ) external {
        bytes32 msgHash = mockHash(fromAddress, toAddress, payload);
        require(_messagesToL1()[msgHash] > 0, "INVALID_MESSAGE_TO_CONSUME");
        _messagesToL1()[msgHash] -= 1;
        emit ConsumedMessageToL1(fromAddress, msg.sender, payload);
    }

    function mockHash(
        uint256 fromAddress,
        uint256 toAddress,
        uint256[] calldata payload
    ) private pure returns (bytes32) {
        return keccak256(abi.encodePacked(fromAddress, toAddress, payload.length, payload));
    }
}

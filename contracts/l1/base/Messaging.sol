// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {StorageSlot} from "@openzeppelin/contracts/utils/StorageSlot.sol";
import {IMessaging} from "./IMessaging.sol";

/// Keeps the messages that wait on L1: those to L2 until a state update consumes them, those from L2
/// until their recipients do. The slots are the published ones.
abstract contract Messaging is IMessaging {
    bytes32 private constant TO_L2_SLOT = keccak256("STARKNET_1.0_MSGING_L1TOL2_MAPPPING_V2");
    bytes32 private constant TO_L1_SLOT = keccak256("STARKNET_1.0_MSGING_L2TOL1_MAPPPING");
    bytes32 private constant NONCE_SLOT = keccak256("STARKNET_1.0_MSGING_L1TOL2_NONCE");
    bytes32 private constant CANCELLATIONS_SLOT =
        keccak256("STARKNET_1.0_MSGING_L1TOL2_CANCELLATION_MAPPPING");
    bytes32 private constant CANCELLATION_DELAY_SLOT =
        keccak256("STARKNET_1.0_MSGING_L1TOL2_CANCELLATION_DELAY");

    uint256 private constant MAX_L1_MSG_FEE = 1 ether;

    function getMaxL1MsgFee() external pure returns (uint256) {
        return MAX_L1_MSG_FEE;
    }

    function l1ToL2Messages(bytes32 msgHash) external view returns (uint256) {
        return _messagesToL2()[msgHash];
    }

    function l2ToL1Messages(bytes32 msgHash) external view returns (uint256) {
        return _messagesToL1()[msgHash];
    }

    function l1ToL2MessageCancellations(bytes32 msgHash) external view returns (uint256) {
        return _mappingAt(CANCELLATIONS_SLOT)[msgHash];
    }

    function l1ToL2MessageNonce() external view returns (uint256) {
        return StorageSlot.getUint256Slot(NONCE_SLOT).value;
    }

    function messageCancellationDelay() public view returns (uint256) {
        return StorageSlot.getUint256Slot(CANCELLATION_DELAY_SLOT).value;
    }

    function l1ToL2MsgHash(
        address fromAddress,
        uint256 toAddress,
        uint256 selector,
        uint256[] calldata payload,
        uint256 nonce
    ) public pure returns (bytes32) {
        uint256 sender = uint256(uint160(fromAddress));
        return
            keccak256(
                abi.encodePacked(sender, toAddress, nonce, selector, payload.length, payload)
            );
    }

    function l2ToL1MsgHash(
        uint256 fromAddress,
        address toAddress,
        uint256[] calldata payload
    ) public pure returns (bytes32) {
        uint256 recipient = uint256(uint160(toAddress));
        return keccak256(abi.encodePacked(fromAddress, recipient, payload.length, payload));
    }

    function sendMessageToL2(
        uint256 toAddress,
        uint256 selector,
        uint256[] calldata payload
    ) external payable returns (bytes32, uint256) {
        require(msg.value > 0, "L1_MSG_FEE_MUST_BE_GREATER_THAN_0");
        require(msg.value <= MAX_L1_MSG_FEE, "MAX_L1_MSG_FEE_EXCEEDED");
        uint256 nonce = StorageSlot.getUint256Slot(NONCE_SLOT).value;
        StorageSlot.getUint256Slot(NONCE_SLOT).value = nonce + 1;
        bytes32 msgHash = l1ToL2MsgHash(msg.sender, toAddress, selector, payload, nonce);
        // The nonce is part of the hash: nothing was kept under it before.
        _messagesToL2()[msgHash] = msg.value + 1;
        emit LogMessageToL2(msg.sender, toAddress, selector, payload, nonce, msg.value);
        return (msgHash, nonce);
    }

    function consumeMessageFromL2(
        uint256 fromAddress,
        uint256[] calldata payload
    ) external returns (bytes32) {
        bytes32 msgHash = l2ToL1MsgHash(fromAddress, msg.sender, payload);
        require(_messagesToL1()[msgHash] > 0, "INVALID_MESSAGE_TO_CONSUME");
        _messagesToL1()[msgHash] -= 1;
        emit ConsumedMessageToL1(fromAddress, msg.sender, payload);
        return msgHash;
    }

    function startL1ToL2MessageCancellation(
        uint256 toAddress,
        uint256 selector,
        uint256[] calldata payload,
        uint256 nonce
    ) external returns (bytes32) {
        bytes32 msgHash = _pendingMessageOfCaller(toAddress, selector, payload, nonce);
        _mappingAt(CANCELLATIONS_SLOT)[msgHash] = block.timestamp;
        emit MessageToL2CancellationStarted(msg.sender, toAddress, selector, payload, nonce);
        return msgHash;
    }

    function cancelL1ToL2Message(
        uint256 toAddress,
        uint256 selector,
        uint256[] calldata payload,
        uint256 nonce
    ) external returns (bytes32) {
        bytes32 msgHash = _pendingMessageOfCaller(toAddress, selector, payload, nonce);
        uint256 requested = _mappingAt(CANCELLATIONS_SLOT)[msgHash];
        require(requested != 0, "MESSAGE_CANCELLATION_NOT_REQUESTED");
        uint256 delay = messageCancellationDelay();
        require(delay <= type(uint256).max - requested, "CANCEL_ALLOWED_TIME_OVERFLOW");
        require(block.timestamp >= requested + delay, "MESSAGE_CANCELLATION_NOT_ALLOWED_YET");
        _messagesToL2()[msgHash] = 0;
        emit MessageToL2Canceled(msg.sender, toAddress, selector, payload, nonce);
        return msgHash;
    }

    function _setMessageCancellationDelay(uint256 delayInSeconds) internal {
        StorageSlot.getUint256Slot(CANCELLATION_DELAY_SLOT).value = delayInSeconds;
    }

    function _messagesToL2() internal pure returns (mapping(bytes32 => uint256) storage) {
        return _mappingAt(TO_L2_SLOT);
    }

    function _messagesToL1() internal pure returns (mapping(bytes32 => uint256) storage) {
        return _mappingAt(TO_L1_SLOT);
    }

    /// The sender is part of the hash: nobody else finds the message.
    function _pendingMessageOfCaller(
        uint256 toAddress,
        uint256 selector,
        uint256[] calldata payload,
        uint256 nonce
    ) private view returns (bytes32 msgHash) {
        msgHash = l1ToL2MsgHash(msg.sender, toAddress, selector, payload, nonce);
        require(_messagesToL2()[msgHash] > 0, "NO_MESSAGE_TO_CANCEL");
    }

    function _mappingAt(
        bytes32 slot
    ) private pure returns (mapping(bytes32 => uint256) storage found) {
        assembly {
            found.slot := slot
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IMessaging} from "./IMessaging.sol";

/// The output of Starknet's OS program: a header, with KZG data availability a segment about the blobs,
/// then the messages to L1 and those to L2, each as a length in words and the messages.
library ProgramOutput {
    uint256 internal constant PREV_ROOT = 0;
    uint256 internal constant NEW_ROOT = 1;
    uint256 internal constant PREV_BLOCK_NUMBER = 2;
    uint256 internal constant NEW_BLOCK_NUMBER = 3;
    uint256 internal constant PREV_BLOCK_HASH = 4;
    uint256 internal constant NEW_BLOCK_HASH = 5;
    uint256 internal constant OS_PROGRAM_HASH = 6;
    uint256 internal constant CONFIG_HASH = 7;
    uint256 internal constant USE_KZG_DA = 8;
    uint256 internal constant FULL_OUTPUT = 9;
    uint256 internal constant HEADER_SIZE = 10;

    /// Of the KZG segment: the point and the number of blobs, then two words of commitment for each,
    /// then two words of evaluation for each.
    uint256 internal constant KZG_PREFIX_SIZE = 2;
    uint256 internal constant KZG_WORDS_PER_BLOB = 4;

    /// sender, recipient, payload length
    uint256 private constant TO_L1_PREFIX_SIZE = 3;
    /// sender, recipient, nonce, selector, payload length
    uint256 private constant TO_L2_PREFIX_SIZE = 5;

    uint256 private constant LENGTH_BOUND = 2 ** 30;
    uint256 private constant FIELD_PRIME =
        0x800000000000011000000000000000000000000000000000000000000000001;

    /// Hash of an output whose data is not on L1's calldata.
    function hash(uint256[] calldata output) internal pure returns (bytes32) {
        return keccak256(abi.encodePacked(output));
    }

    /// Fact of an output with a part that is on L1 elsewhere: a Merkle tree of two leaves, whose inner
    /// nodes are told from leaves by an added 1.
    function factWithOnchainData(
        uint256[] calldata output,
        uint256 onchainDataHash,
        uint256 onchainDataSize
    ) internal pure returns (bytes32) {
        uint256 length = output.length;
        bytes32 root = keccak256(
            abi.encodePacked(hash(output), length, onchainDataHash, length + onchainDataSize)
        );
        return bytes32(uint256(root) + 1);
    }

    function requireFelts(uint256[] calldata output) internal pure {
        for (uint256 i = 0; i < output.length; i++) {
            require(output[i] < FIELD_PRIME, "PROGRAM_OUTPUT_VALUE_OUT_OF_RANGE");
        }
    }

    /// Where the messages begin. The number of blobs has been checked before.
    function messagesOffset(uint256[] calldata output) internal pure returns (uint256) {
        if (output[USE_KZG_DA] == 0) return HEADER_SIZE;
        uint256 blobs = output[HEADER_SIZE + 1];
        return HEADER_SIZE + KZG_PREFIX_SIZE + KZG_WORDS_PER_BLOB * blobs;
    }

    /// Adds the messages to L1 of the segment that begins at `start`; returns where it ends.
    function addMessagesToL1(
        uint256[] calldata output,
        uint256 start,
        mapping(bytes32 => uint256) storage messages
    ) internal returns (uint256 end) {
        end = _segmentEnd(output, start);
        uint256 offset = start + 1;
        while (offset < end) {
            uint256[] calldata message = _messageAt(output, offset, TO_L1_PREFIX_SIZE);
            messages[keccak256(abi.encodePacked(message))] += 1;
            emit IMessaging.LogMessageToL1(
                message[0],
                address(uint160(message[1])),
                message[TO_L1_PREFIX_SIZE:]
            );
            offset += message.length;
        }
        require(offset == end, "INVALID_MESSAGE_SEGMENT_SIZE");
    }

    /// Takes away the messages to L2 of the segment that begins at `start`; returns where it ends and
    /// the sum of their fees in wei.
    function consumeMessagesToL2(
        uint256[] calldata output,
        uint256 start,
        mapping(bytes32 => uint256) storage messages
    ) internal returns (uint256 end, uint256 fees) {
        end = _segmentEnd(output, start);
        uint256 offset = start + 1;
        while (offset < end) {
            uint256[] calldata message = _messageAt(output, offset, TO_L2_PREFIX_SIZE);
            bytes32 messageHash = keccak256(abi.encodePacked(message));
            uint256 feePlusOne = messages[messageHash];
            require(feePlusOne > 0, "INVALID_MESSAGE_TO_CONSUME");
            fees += feePlusOne - 1;
            messages[messageHash] = 0;
            emit IMessaging.ConsumedMessageToL2(
                address(uint160(message[0])),
                message[1],
                message[3],
                message[TO_L2_PREFIX_SIZE:],
                message[2]
            );
            offset += message.length;
        }
        require(offset == end, "INVALID_MESSAGE_SEGMENT_SIZE");
    }

    function _segmentEnd(uint256[] calldata output, uint256 start) private pure returns (uint256) {
        require(start < output.length, "STARKNET_OUTPUT_TOO_SHORT");
        require(output[start] < LENGTH_BOUND, "INVALID_MESSAGE_SEGMENT_SIZE");
        return start + 1 + output[start];
    }

    /// The words of the message at `offset`; the last of its prefix is the length of its payload.
    function _messageAt(
        uint256[] calldata output,
        uint256 offset,
        uint256 prefixSize
    ) private pure returns (uint256[] calldata) {
        uint256 payloadOffset = offset + prefixSize;
        require(payloadOffset <= output.length, "MESSAGE_TOO_SHORT");
        uint256 payloadLength = output[payloadOffset - 1];
        require(payloadLength < LENGTH_BOUND, "INVALID_PAYLOAD_LENGTH");
        uint256 end = payloadOffset + payloadLength;
        require(end <= output.length, "TRUNCATED_MESSAGE_PAYLOAD");
        return output[offset:end];
    }
}

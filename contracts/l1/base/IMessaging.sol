// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Messages between L1 and L2 as the published core contract has them.
interface IMessaging {
    event LogMessageToL1(uint256 indexed fromAddress, address indexed toAddress, uint256[] payload);

    event LogMessageToL2(
        address indexed fromAddress,
        uint256 indexed toAddress,
        uint256 indexed selector,
        uint256[] payload,
        uint256 nonce,
        uint256 fee
    );

    event ConsumedMessageToL1(
        uint256 indexed fromAddress,
        address indexed toAddress,
        uint256[] payload
    );

    event ConsumedMessageToL2(
        address indexed fromAddress,
        uint256 indexed toAddress,
        uint256 indexed selector,
        uint256[] payload,
        uint256 nonce
    );

    event MessageToL2CancellationStarted(
        address indexed fromAddress,
        uint256 indexed toAddress,
        uint256 indexed selector,
        uint256[] payload,
        uint256 nonce
    );

    event MessageToL2Canceled(
        address indexed fromAddress,
        uint256 indexed toAddress,
        uint256 indexed selector,
        uint256[] payload,
        uint256 nonce
    );

    /// The highest fee of a message, in wei.
    function getMaxL1MsgFee() external pure returns (uint256);

    /// Fee in wei and 1 of a pending message to L2; 0: none of this hash is pending.
    function l1ToL2Messages(bytes32 msgHash) external view returns (uint256);

    /// How many messages of this hash from L2 can be consumed.
    function l2ToL1Messages(bytes32 msgHash) external view returns (uint256);

    /// Unix seconds at which the cancellation of a message to L2 was begun; 0: it was not.
    function l1ToL2MessageCancellations(bytes32 msgHash) external view returns (uint256);

    /// Nonce of the next message to L2.
    function l1ToL2MessageNonce() external view returns (uint256);

    /// Seconds between the beginning of a cancellation and the cancellation itself.
    function messageCancellationDelay() external view returns (uint256);

    function l1ToL2MsgHash(
        address fromAddress,
        uint256 toAddress,
        uint256 selector,
        uint256[] calldata payload,
        uint256 nonce
    ) external pure returns (bytes32);

    function l2ToL1MsgHash(
        uint256 fromAddress,
        address toAddress,
        uint256[] calldata payload
    ) external pure returns (bytes32);

    /// Sends a message to L2; the value is its fee. Returns its hash and nonce.
    function sendMessageToL2(
        uint256 toAddress,
        uint256 selector,
        uint256[] calldata payload
    ) external payable returns (bytes32, uint256);

    /// Consumes a message from L2 whose recipient is the caller. Returns its hash.
    function consumeMessageFromL2(
        uint256 fromAddress,
        uint256[] calldata payload
    ) external returns (bytes32);

    /// Begins the cancellation of a pending message that the caller sent; anew when it had begun.
    function startL1ToL2MessageCancellation(
        uint256 toAddress,
        uint256 selector,
        uint256[] calldata payload,
        uint256 nonce
    ) external returns (bytes32);

    /// Cancels a pending message that the caller sent, after the delay. Its fee is not given back.
    function cancelL1ToL2Message(
        uint256 toAddress,
        uint256 selector,
        uint256[] calldata payload,
        uint256 nonce
    ) external returns (bytes32);
}

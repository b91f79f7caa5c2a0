// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {BridgeBase} from "./bridge/BridgeBase.sol";

/// The bridge for ETH, which its messages name by a token address of its own.
contract EthBridge is BridgeBase {
    /// The text "ETH" as an address.
    address public constant ETH = address(0x0000000000000000000000000000000000455448);

    constructor(
        address messagingContract_,
        address governor_
    ) BridgeBase(messagingContract_, governor_) {}

    /// What of `msg.value` is above `amount` is the message's fee.
    function deposit(uint256 amount, uint256 l2Recipient) external payable {
        deposit(ETH, amount, l2Recipient);
    }

    function withdraw(uint256 amount, address recipient) external {
        withdraw(ETH, amount, recipient);
    }

    function isServicingToken(address token) public pure override returns (bool) {
        return token == ETH;
    }

    function acceptFunds(address, uint256 amount) internal override returns (uint256) {
        require(msg.value >= amount, "INSUFFICIENT_VALUE");
        return msg.value - amount;
    }

    function transferOutFunds(address, uint256 amount, address recipient) internal override {
        (bool success, ) = recipient.call{value: amount}("");
        require(success, "ETH_TRANSFER_FAILED");
    }
}

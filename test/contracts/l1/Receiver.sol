// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// A recipient of ETH that makes a configured call when it gets some.
contract Receiver {
    /// Contract that is called; zero to reject ETH.
    address public target;
    bytes public data;
    bool public succeeded;

    function set(address target_, bytes calldata data_) external {
        (target, data) = (target_, data_);
    }

    receive() external payable {
        require(target != address(0), "REFUSED");
        (succeeded, ) = target.call(data);
    }
}

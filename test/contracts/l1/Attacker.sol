// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Calls a contract, and calls it back when it sends ETH.
contract Attacker {
    bytes private back;

    function attack(address target, bytes calldata first, bytes calldata second) external {
        back = second;
        forward(target, first);
    }

    receive() external payable {
        if (back.length == 0) return;
        bytes memory data = back;
        delete back;
        forward(msg.sender, data);
    }

    function forward(address target, bytes memory data) private {
        (bool success, bytes memory answer) = target.call(data);
        if (success) return;
        assembly {
            revert(add(answer, 32), mload(answer))
        }
    }
}

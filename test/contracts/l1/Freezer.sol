// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Implementation that is frozen from the start or on request, and overwrites the first
/// slots of the storage on which it runs.
contract Freezer {
    uint256[8] private first;
    bool public isFrozen;

    function initialize(bytes calldata data) external {
        isFrozen = data.length > 0;
        for (uint256 i = 0; i < first.length; i++) first[i] = type(uint256).max;
    }

    function freeze() external {
        isFrozen = true;
    }
}

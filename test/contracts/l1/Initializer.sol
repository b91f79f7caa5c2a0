// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// External initializer: sets the upgrade delay of the proxy on whose storage it runs.
contract Initializer {
    function initialize(bytes calldata data) external {
        require(data.length == 32, "ONE_WORD");
        bytes32 slot = 0xc21dbb3089fcb2c4f4c6a67854ab4db2b0f233ea4b21b21f912d52d18fc5db1f;
        uint256 delay = abi.decode(data, (uint256));
        assembly {
            sstore(slot, delay)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ProgramOutput} from "./ProgramOutput.sol";

/// The newest state of the chain that L1 knows.
library ChainState {
    struct State {
        uint256 globalRoot;
        /// -1 before the first update.
        int256 blockNumber;
        uint256 blockHash;
    }

    /// The published slot.
    bytes32 private constant SLOT = keccak256("STARKNET_1.0_INIT_STARKNET_STATE_STRUCT");

    /// -1 modulo the field prime: what an output has before the first update.
    uint256 private constant NO_BLOCK =
        0x800000000000011000000000000000000000000000000000000000000000000;

    function load() internal pure returns (State storage state) {
        bytes32 slot = SLOT;
        assembly {
            state.slot := slot
        }
    }

    function requirePrevious(State storage state, uint256[] calldata output) internal view {
        uint256 expected = state.blockNumber == -1 ? NO_BLOCK : uint256(state.blockNumber);
        require(
            output[ProgramOutput.PREV_BLOCK_NUMBER] == expected,
            "INVALID_PREV_BLOCK_NUMBER"
        );
    }

    /// Requires that the update was the last one: whoever gets the fees is called within it.
    function requireCurrent(State storage state, uint256[] calldata output) internal view {
        require(
            uint256(state.blockNumber) == output[ProgramOutput.NEW_BLOCK_NUMBER],
            "REENTRANCY_FAILURE"
        );
    }

    /// Requires that the output begins where the state is, and moves the state on.
    function update(State storage state, uint256[] calldata output) internal {
        requirePrevious(state, output);
        int256 newBlockNumber = int256(output[ProgramOutput.NEW_BLOCK_NUMBER]);
        require(newBlockNumber > state.blockNumber, "INVALID_NEW_BLOCK_NUMBER");
        require(
            output[ProgramOutput.PREV_BLOCK_HASH] == state.blockHash,
            "INVALID_PREV_BLOCK_HASH"
        );
        require(output[ProgramOutput.PREV_ROOT] == state.globalRoot, "INVALID_PREVIOUS_ROOT");
        state.blockNumber = newBlockNumber;
        state.blockHash = output[ProgramOutput.NEW_BLOCK_HASH];
        state.globalRoot = output[ProgramOutput.NEW_ROOT];
    }
}

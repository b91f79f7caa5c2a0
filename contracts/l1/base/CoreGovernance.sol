// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Governance} from "./Governance.sol";

/// The governors of the core contract, under the published names and in the published slot.
abstract contract CoreGovernance is Governance {
    bytes32 private constant GOVERNORS_SLOT = keccak256("STARKNET_1.0_GOVERNANCE_INFO");

    function starknetIsGovernor(address user) external view returns (bool) {
        return _isGovernor(user);
    }

    function starknetNominateNewGovernor(address newGovernor) external {
        _nominateNewGovernor(newGovernor);
    }

    function starknetRemoveGovernor(address governorForRemoval) external {
        _removeGovernor(governorForRemoval);
    }

    function starknetAcceptGovernance() external {
        _acceptGovernance();
    }

    function starknetCancelNomination() external {
        _cancelNomination();
    }

    function _governors() internal pure override returns (Governors storage governors) {
        bytes32 slot = GOVERNORS_SLOT;
        assembly {
            governors.slot := slot
        }
    }
}

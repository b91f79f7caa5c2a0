// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Governance} from "./Governance.sol";

/// The governors of a proxy, who decide what it delegates to.
abstract contract ProxyGovernance is Governance {
    bytes32 private constant GOVERNORS_SLOT = keccak256("appchain.proxy.governors");

    function proxyIsGovernor(address user) external view returns (bool) {
        return _isGovernor(user);
    }

    function proxyNominateNewGovernor(address newGovernor) external {
        _nominateNewGovernor(newGovernor);
    }

    function proxyRemoveGovernor(address governorForRemoval) external {
        _removeGovernor(governorForRemoval);
    }

    function proxyAcceptGovernance() external {
        _acceptGovernance();
    }

    function proxyCancelNomination() external {
        _cancelNomination();
    }

    function _governors() internal pure override returns (Governors storage governors) {
        bytes32 slot = GOVERNORS_SLOT;
        assembly {
            governors.slot := slot
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {StorageSlot} from "@openzeppelin/contracts/utils/StorageSlot.sol";
import {Governance} from "./Governance.sol";

/// Settings that a governor can freeze for good.
abstract contract Finalizable is Governance {
    bytes32 private constant FINALIZED_SLOT =
        keccak256("STARKWARE_CONTRACTS_GOVERENED_FINALIZABLE_1.0_TAG");

    event Finalized();

    modifier notFinalized() {
        require(!isFinalized(), "FINALIZED");
        _;
    }

    function isFinalized() public view returns (bool) {
        return StorageSlot.getBooleanSlot(FINALIZED_SLOT).value;
    }

    function finalize() external onlyGovernance notFinalized {
        StorageSlot.getBooleanSlot(FINALIZED_SLOT).value = true;
        emit Finalized();
    }
}

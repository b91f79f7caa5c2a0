// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Governance} from "./Governance.sol";

/// Who may post state updates: named and dismissed by governors, at once.
abstract contract Operators is Governance {
    bytes32 private constant OPERATORS_SLOT = keccak256("STARKNET_1.0_ROLES_OPERATORS_MAPPING_TAG");

    event LogOperatorAdded(address operator);
    event LogOperatorRemoved(address operator);

    modifier onlyOperator() {
        require(isOperator(msg.sender), "ONLY_OPERATOR");
        _;
    }

    function isOperator(address user) public view returns (bool) {
        return _operators()[user];
    }

    function registerOperator(address newOperator) external onlyGovernance {
        if (isOperator(newOperator)) return;
        _operators()[newOperator] = true;
        emit LogOperatorAdded(newOperator);
    }

    function unregisterOperator(address removedOperator) external onlyGovernance {
        if (!isOperator(removedOperator)) return;
        _operators()[removedOperator] = false;
        emit LogOperatorRemoved(removedOperator);
    }

    function _operators() private pure returns (mapping(address => bool) storage operators) {
        bytes32 slot = OPERATORS_SLOT;
        assembly {
            operators.slot := slot
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IFactRegistry} from "./base/IFactRegistry.sol";

/// Verifier for development: believes the facts that its operators register. Who deploys it is the
/// first operator, and names and dismisses others.
contract MockVerifier is IFactRegistry {
    address public immutable governor = msg.sender;
    mapping(address => bool) public isOperator;
    mapping(bytes32 => bool) public override isValid;

    event LogOperatorAdded(address operator);
    event LogOperatorRemoved(address operator);
    event LogFactRegistered(bytes32 fact);

    modifier onlyGovernor() {
        require(msg.sender == governor, "ONLY_GOVERNANCE");
        _;
    }

    constructor() {
        isOperator[msg.sender] = true;
        emit LogOperatorAdded(msg.sender);
    }

    function registerOperator(address newOperator) external onlyGovernor {
        isOperator[newOperator] = true;
        emit LogOperatorAdded(newOperator);
    }

    function unregisterOperator(address removedOperator) external onlyGovernor {
        isOperator[removedOperator] = false;
        emit LogOperatorRemoved(removedOperator);
    }

    function registerFact(bytes32 fact) external {
        require(isOperator[msg.sender], "ONLY_OPERATOR");
        isValid[fact] = true;
        emit LogFactRegistered(fact);
    }
}

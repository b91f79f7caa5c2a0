// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// A contract with one governor, whose office is handed over in two steps.
abstract contract Governed {
    /// Another one may accept the office; the zero address: a nomination was taken back.
    event LogNominatedGovernor(address nominatedGovernor);
    event LogNewGovernorAccepted(address acceptedGovernor, address previousGovernor);

    address public governor;
    /// Who may accept the office; zero: nobody.
    address public nominatedGovernor;

    modifier onlyGovernor() {
        require(msg.sender == governor, "ONLY_GOVERNANCE");
        _;
    }

    constructor(address governor_) {
        require(governor_ != address(0), "ZERO_GOVERNOR");
        governor = governor_;
    }

    function isGovernor(address account) external view returns (bool) {
        return account == governor;
    }

    /// The zero address takes a nomination back.
    function nominateNewGovernor(address newGovernor) external onlyGovernor {
        nominatedGovernor = newGovernor;
        emit LogNominatedGovernor(newGovernor);
    }

    function acceptGovernance() external {
        require(msg.sender == nominatedGovernor, "ONLY_CANDIDATE_GOVERNOR");
        emit LogNewGovernorAccepted(msg.sender, governor);
        governor = msg.sender;
        nominatedGovernor = address(0);
    }
}

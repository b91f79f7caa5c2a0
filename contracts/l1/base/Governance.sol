// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Governors of a contract: each may nominate another one, who takes office by accepting, and remove
/// any but itself. Who inherits it chooses where they are kept and the names under which they are
/// reached: a proxy and what is behind it have governors of their own at one address.
abstract contract Governance {
    struct Governors {
        mapping(address => bool) inOffice;
        address candidate;
        bool initialized;
    }

    event LogNominatedGovernor(address nominatedGovernor);
    event LogNewGovernorAccepted(address acceptedGovernor);
    event LogRemovedGovernor(address removedGovernor);
    event LogNominationCancelled();

    modifier onlyGovernance() {
        require(_isGovernor(msg.sender), "ONLY_GOVERNANCE");
        _;
    }

    /// Where the governors are kept: a slot that nothing else uses.
    function _governors() internal pure virtual returns (Governors storage);

    function _isGovernor(address user) internal view returns (bool) {
        return _governors().inOffice[user];
    }

    /// The caller becomes the first governor; once.
    function _initGovernance() internal {
        Governors storage governors = _governors();
        require(!governors.initialized, "ALREADY_INITIALIZED");
        governors.initialized = true;
        _takeOffice(governors, msg.sender);
    }

    function _nominateNewGovernor(address newGovernor) internal onlyGovernance {
        Governors storage governors = _governors();
        require(newGovernor != address(0), "BAD_ADDRESS");
        require(!governors.inOffice[newGovernor], "ALREADY_GOVERNOR");
        require(governors.candidate == address(0), "OTHER_CANDIDATE_PENDING");
        governors.candidate = newGovernor;
        emit LogNominatedGovernor(newGovernor);
    }

    function _cancelNomination() internal onlyGovernance {
        Governors storage governors = _governors();
        if (governors.candidate == address(0)) return;
        governors.candidate = address(0);
        emit LogNominationCancelled();
    }

    function _acceptGovernance() internal {
        Governors storage governors = _governors();
        require(msg.sender == governors.candidate, "ONLY_CANDIDATE_GOVERNOR");
        governors.candidate = address(0);
        _takeOffice(governors, msg.sender);
    }

    function _removeGovernor(address governorForRemoval) internal onlyGovernance {
        require(msg.sender != governorForRemoval, "GOVERNOR_SELF_REMOVE");
        Governors storage governors = _governors();
        require(governors.inOffice[governorForRemoval], "NOT_GOVERNOR");
        governors.inOffice[governorForRemoval] = false;
        emit LogRemovedGovernor(governorForRemoval);
    }

    function _takeOffice(Governors storage governors, address newGovernor) private {
        require(!governors.inOffice[newGovernor], "ALREADY_GOVERNOR");
        governors.inOffice[newGovernor] = true;
        emit LogNewGovernorAccepted(newGovernor);
    }
}

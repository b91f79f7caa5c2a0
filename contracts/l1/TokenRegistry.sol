// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ITokenService} from "./bridge/Interfaces.sol";

/// Tells which bridge takes deposits of a token, and which ones may have withdrawals of it.
contract TokenRegistry {
    event TokenEnlisted(address indexed token, address indexed bridge);
    event TokenStatusBlocked(address indexed token);
    event TokenSelfRemoved(address indexed token, address indexed bridge);

    /// What stands for the bridge of a token that is never bridged (again).
    address public constant BLOCKED_TOKEN = address(1);

    address public immutable manager;
    mapping(address token => address) private bridges;
    mapping(address token => address[]) private withdrawalBridges;

    modifier onlyManager() {
        require(msg.sender == manager, "ONLY_MANAGER");
        _;
    }

    constructor(address manager_) {
        require(manager_.code.length > 0, "INVALID_MANAGER_CONTRACT_ADDRESS");
        manager = manager_;
    }

    /// Zero: none; {BLOCKED_TOKEN}: none for good.
    function getBridge(address token) external view returns (address) {
        return bridges[token];
    }

    function getWithdrawalBridges(address token) external view returns (address[] memory) {
        return withdrawalBridges[token];
    }

    function enlistToken(address token, address bridge) external onlyManager {
        require(bridges[token] == address(0), "TOKEN_ALREADY_ENROLLED");
        bridges[token] = bridge;
        if (!contains(withdrawalBridges[token], bridge)) withdrawalBridges[token].push(bridge);
        emit TokenEnlisted(token, bridge);
    }

    function blockToken(address token) external onlyManager {
        bridges[token] = BLOCKED_TOKEN;
        emit TokenStatusBlocked(token);
    }

    /// By the bridge of a token that it does not serve any more.
    function selfRemove(address token) external {
        require(bridges[token] == msg.sender, "BRIDGE_MISMATCH_CANNOT_REMOVE_TOKEN");
        require(!ITokenService(msg.sender).isServicingToken(token), "TOKEN_IS_STILL_SERVICED");
        bridges[token] = address(0);
        emit TokenSelfRemoved(token, msg.sender);
    }

    function contains(address[] storage list, address wanted) private view returns (bool) {
        for (uint256 i = 0; i < list.length; i++) {
            if (list[i] == wanted) return true;
        }
        return false;
    }
}

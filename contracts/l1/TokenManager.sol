// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Governed} from "./bridge/Governed.sol";
import {ITokenBridge, ITokenRegistry} from "./bridge/Interfaces.sol";

/// Enrolls tokens for the bridge, for anybody, and lets the governor end or refuse bridging of one.
contract TokenManager is Governed {
    event Initialized(address registry, address bridge);
    event TokenEnrolled(address indexed token, address indexed sender);
    event TokenDeactivated(address indexed token, address indexed sender);
    event TokenBlocked(address indexed token, address indexed sender);

    /// What the registry has in place of a bridge for a token that is never bridged (again).
    address private constant BLOCKED_TOKEN = address(1);

    address private registry;
    address private bridge;

    constructor(address governor_) Governed(governor_) {}

    /// Sets registry and bridge, which both know this contract's address, once and for all.
    function initialize(address registry_, address bridge_) external onlyGovernor {
        require(registry == address(0), "ALREADY_INITIALIZED");
        require(registry_.code.length > 0, "INVALID_REGISTRY_CONTRACT_ADDRESS");
        require(bridge_.code.length > 0, "INVALID_BRIDGE_CONTRACT_ADDRESS");
        registry = registry_;
        bridge = bridge_;
        emit Initialized(registry_, bridge_);
    }

    /// Zero before {initialize}.
    function getRegistry() external view returns (address) {
        return registry;
    }

    /// Zero before {initialize}.
    function getBridge() external view returns (address) {
        return bridge;
    }

    /// Lets the bridge serve a token; `msg.value` is the fee of the message that deploys it on L2.
    function enrollTokenBridge(address token) external payable {
        require(registry != address(0), "NOT_INITIALIZED");
        require(ITokenRegistry(registry).getBridge(token) != BLOCKED_TOKEN, "CANNOT_DEPLOY_BRIDGE");
        ITokenRegistry(registry).enlistToken(token, bridge);
        ITokenBridge(bridge).enrollToken{value: msg.value}(token);
        emit TokenEnrolled(token, msg.sender);
    }

    /// Sends the message that deploys a token on L2 once more, for one that failed there.
    function resendDeployment(address token) external payable {
        require(registry != address(0), "NOT_INITIALIZED");
        ITokenBridge(bridge).resendDeployment{value: msg.value}(token);
    }

    /// Ends deposits of a token; it cannot be enrolled again, and withdrawals go on.
    function deactivateToken(address token) external onlyGovernor {
        require(bridge != address(0), "NOT_INITIALIZED");
        address current = ITokenRegistry(registry).getBridge(token);
        require(current == bridge, "THIS_TOKEN_CANNOT_BE_DEACTIVATED");
        ITokenRegistry(registry).blockToken(token);
        ITokenBridge(bridge).deactivate(token);
        emit TokenDeactivated(token, msg.sender);
    }

    /// Refuses a token that is not bridged.
    function blockToken(address token) external onlyGovernor {
        require(registry != address(0), "NOT_INITIALIZED");
        address current = ITokenRegistry(registry).getBridge(token);
        require(current == address(0), "CANNOT_BLOCK_TOKEN_IN_SERVICE");
        ITokenRegistry(registry).blockToken(token);
        emit TokenBlocked(token, msg.sender);
    }
}

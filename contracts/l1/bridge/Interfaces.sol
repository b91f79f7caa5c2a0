// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// How a bridge deals with a token.
enum TokenStatus {
    /// Not at all.
    Unknown,
    /// It takes no more deposits; withdrawals go on.
    Deactivated,
    /// Its deployment was sent to L2, which has not consumed that yet.
    Pending,
    Active
}

/// What the manager asks of the bridge for tokens.
interface ITokenBridge {
    function enrollToken(address token) external payable;

    function resendDeployment(address token) external payable;

    function deactivate(address token) external;
}

/// What manager and bridge ask of the registry.
interface ITokenRegistry {
    function getBridge(address token) external view returns (address);

    function enlistToken(address token, address bridge) external;

    function blockToken(address token) external;

    function selfRemove(address token) external;
}

/// What the bridge asks of the manager.
interface ITokenManager {
    function getRegistry() external view returns (address);
}

/// What the registry asks of a bridge.
interface ITokenService {
    function isServicingToken(address token) external view returns (bool);
}

// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Governance} from "./Governance.sol";

/// What a proxy may delegate to: `initialize` takes the place of a constructor.
///
/// The data of an upgrade is the address of an external initializer (a contract whose `initialize` is
/// run on the proxy's storage instead; 0: none) and then what the contract itself is initialized with,
/// which is empty from the second upgrade on.
abstract contract Proxied is Governance {
    address private immutable SELF = address(this);

    /// Runs behind a proxy alone. Whoever calls the proxy then becomes the first governor.
    function initialize(bytes calldata data) external {
        require(address(this) != SELF, "DIRECT_CALL_DISALLOWED");
        require(data.length >= 32, "INIT_DATA_TOO_SMALL");
        uint256 initializer = uint256(bytes32(data[:32]));
        require(initializer <= type(uint160).max, "EIC_NOT_A_CONTRACT");
        if (initializer != 0) {
            _runExternalInitializer(address(uint160(initializer)), data[32:]);
        } else if (_isInitialized()) {
            require(data.length == 32, "UNEXPECTED_INIT_DATA");
        } else {
            _initializeState(data[32:]);
            _initGovernance();
        }
    }

    /// Part of what a proxy asks of each implementation; this one is never frozen.
    function isFrozen() external pure returns (bool) {
        return false;
    }

    function _isInitialized() internal view virtual returns (bool);

    function _initializeState(bytes calldata data) internal virtual;

    function _runExternalInitializer(address initializer, bytes calldata data) private {
        require(initializer.code.length > 0, "EIC_NOT_A_CONTRACT");
        (bool success, bytes memory returned) = initializer.delegatecall(
            abi.encodeCall(this.initialize, (data))
        );
        if (success) return;
        assembly {
            revert(add(returned, 32), mload(returned))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {StorageSlot} from "@openzeppelin/contracts/utils/StorageSlot.sol";
import {ProxyGovernance} from "./base/ProxyGovernance.sol";

/// What a proxy calls of its implementation.
interface IImplementation {
    function initialize(bytes calldata data) external;

    function isFrozen() external view returns (bool);
}

/// Delegates to an implementation that its governors replace: announced with the data of its
/// initialization by `addImplementation`, taken by `upgradeTo` after the delay. The first one needs no
/// delay. A final one is never replaced.
///
/// Interface, revert texts and the slots of implementation, delay and final mark are the published ones.
contract Proxy is ProxyGovernance {
    string public constant PROXY_VERSION = "3.0.2";
    uint256 public constant MAX_UPGRADE_DELAY = 180 days;

    /// keccak256("StarkWare2019.implemntation-slot")
    bytes32 private constant IMPLEMENTATION_SLOT =
        0x177667240aeeea7e35eabe3a35e18306f336219e1386f7710a6bf8783f761b24;
    /// keccak256("StarkWare2019.finalization-flag-slot")
    bytes32 private constant FINALIZED_SLOT =
        0x7d433c6f837e8f93009937c466c82efbb5ba621fae36886d0cac433c5d0aa7d2;
    /// keccak256("StarkWare.Upgradibility.Delay.Slot"); an external initializer may change it.
    bytes32 public constant UPGRADE_DELAY_SLOT =
        0xc21dbb3089fcb2c4f4c6a67854ab4db2b0f233ea4b21b21f912d52d18fc5db1f;
    bytes32 private constant ENABLED_TIME_SLOT = keccak256("appchain.proxy.enabledTime");

    event ImplementationAdded(address indexed implementation, bytes initializer, bool finalize);
    event ImplementationRemoved(address indexed implementation, bytes initializer, bool finalize);
    event ImplementationUpgraded(address indexed implementation, bytes initializer);
    event FinalizedImplementation(address indexed implementation);

    /// @param upgradeActivationDelay in seconds; what is above `MAX_UPGRADE_DELAY` counts as that
    constructor(uint256 upgradeActivationDelay) {
        StorageSlot.getUint256Slot(UPGRADE_DELAY_SLOT).value = upgradeActivationDelay;
        _initGovernance();
    }

    receive() external payable {
        revert("CONTRACT_NOT_EXPECTED_TO_RECEIVE");
    }

    fallback() external payable {
        address current = implementation();
        require(current != address(0), "MISSING_IMPLEMENTATION");
        assembly {
            // Memory is this code's own: it does not return to Solidity.
            calldatacopy(0, 0, calldatasize())
            let success := delegatecall(gas(), current, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(success) {
                revert(0, returndatasize())
            }
            return(0, returndatasize())
        }
    }

    /// Initializes nothing: without it, anyone could initialize the implementation on this storage.
    function initialize(bytes calldata) external pure {
        revert("CANNOT_CALL_INITIALIZE");
    }

    /// 0: none yet.
    function implementation() public view returns (address) {
        return StorageSlot.getAddressSlot(IMPLEMENTATION_SLOT).value;
    }

    function isNotFinalized() public view returns (bool) {
        return StorageSlot.getUint256Slot(FINALIZED_SLOT).value == 0;
    }

    /// In seconds.
    function getUpgradeActivationDelay() public view returns (uint256) {
        uint256 delay = StorageSlot.getUint256Slot(UPGRADE_DELAY_SLOT).value;
        return delay < MAX_UPGRADE_DELAY ? delay : MAX_UPGRADE_DELAY;
    }

    /// Unix seconds from which on an announced implementation may be taken, by the hash of its address,
    /// data and final mark; 0: it is not announced.
    function enabledTime(bytes32 upgrade) external view returns (uint256) {
        return _enabledTimes()[upgrade];
    }

    function addImplementation(
        address newImplementation,
        bytes calldata data,
        bool finalize
    ) external onlyGovernance {
        require(newImplementation.code.length > 0, "ADDRESS_NOT_CONTRACT");
        bytes32 upgrade = keccak256(abi.encode(newImplementation, data, finalize));
        _enabledTimes()[upgrade] = block.timestamp + getUpgradeActivationDelay();
        emit ImplementationAdded(newImplementation, data, finalize);
    }

    function removeImplementation(
        address removedImplementation,
        bytes calldata data,
        bool finalize
    ) external onlyGovernance {
        bytes32 upgrade = keccak256(abi.encode(removedImplementation, data, finalize));
        require(_enabledTimes()[upgrade] > 0, "UNKNOWN_UPGRADE_INFORMATION");
        delete _enabledTimes()[upgrade];
        emit ImplementationRemoved(removedImplementation, data, finalize);
    }

    function upgradeTo(
        address newImplementation,
        bytes calldata data,
        bool finalize
    ) external payable onlyGovernance {
        require(isNotFinalized(), "IMPLEMENTATION_FINALIZED");
        address current = implementation();
        require(current == address(0) || !_isFrozen(current), "STATE_IS_FROZEN");
        bytes32 upgrade = keccak256(abi.encode(newImplementation, data, finalize));
        uint256 activationTime = _enabledTimes()[upgrade];
        require(activationTime > 0, "UNKNOWN_UPGRADE_INFORMATION");
        require(newImplementation.code.length > 0, "ADDRESS_NOT_CONTRACT");
        require(
            activationTime <= block.timestamp || current == address(0),
            "UPGRADE_NOT_ENABLED_YET"
        );

        StorageSlot.getAddressSlot(IMPLEMENTATION_SLOT).value = newImplementation;
        _delegate(newImplementation, abi.encodeCall(IImplementation.initialize, (data)));
        require(!_isFrozen(newImplementation), "NEW_IMPLEMENTATION_FROZEN");
        emit ImplementationUpgraded(newImplementation, data);
        if (!finalize) return;
        StorageSlot.getUint256Slot(FINALIZED_SLOT).value = 1;
        emit FinalizedImplementation(newImplementation);
    }

    function _isFrozen(address target) private returns (bool) {
        bytes memory answer = _delegate(target, abi.encodeCall(IImplementation.isFrozen, ()));
        return abi.decode(answer, (bool));
    }

    /// Fails as the target fails, with its reason.
    function _delegate(address target, bytes memory call) private returns (bytes memory) {
        (bool success, bytes memory answer) = target.delegatecall(call);
        if (success) return answer;
        assembly {
            revert(add(answer, 32), mload(answer))
        }
    }

    function _enabledTimes() private pure returns (mapping(bytes32 => uint256) storage times) {
        bytes32 slot = ENABLED_TIME_SLOT;
        assembly {
            times.slot := slot
        }
    }
}

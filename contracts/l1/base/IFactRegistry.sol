// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Whoever verifies proofs tells by their facts which ones it has verified.
interface IFactRegistry {
    function isValid(bytes32 fact) external view returns (bool);
}

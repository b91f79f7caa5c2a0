// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ProgramOutput} from "./ProgramOutput.sol";

/// Binds the blobs of a transaction to the KZG segment of a program output.
library KzgProofs {
    address private constant POINT_EVALUATION = address(0x0a);
    /// Keccak-256 of what the precompile answers: the number of field elements and the modulus.
    bytes32 private constant POINT_EVALUATION_OUTPUT =
        0xb2157d3a40131b14c4c675335465dffde802f0ce5218ad012284d7f275d1b37c;
    uint256 private constant PROOF_SIZE = 48;
    bytes1 private constant BLOB_HASH_VERSION = 0x01;

    /// Requires one proof for each blob: that its polynomial has the evaluation at the point that the
    /// segment, which begins after the header, tells. Source: EIP-4844.
    function verify(uint256[] calldata output, bytes[] calldata proofs) internal view {
        uint256 start = ProgramOutput.HEADER_SIZE + ProgramOutput.KZG_PREFIX_SIZE;
        require(output.length >= start, "KZG_SEGMENT_TOO_SHORT");
        uint256 blobs = output[start - 1];
        require(proofs.length == blobs, "INVALID_NUMBER_OF_KZG_PROOFS");
        uint256 evaluations = start + 2 * blobs;
        require(output.length >= evaluations + 2 * blobs, "KZG_SEGMENT_TOO_SHORT");
        for (uint256 i = 0; i < blobs; i++) {
            require(proofs[i].length == PROOF_SIZE, "INVALID_KZG_PROOF_SIZE");
            _evaluatePoint(
                abi.encodePacked(
                    _blobHash(i),
                    output[start - 2],
                    _evaluation(output[evaluations + 2 * i], output[evaluations + 2 * i + 1]),
                    _commitment(output[start + 2 * i], output[start + 2 * i + 1]),
                    proofs[i]
                )
            );
        }
    }

    function _evaluatePoint(bytes memory input) private view {
        (bool ok, bytes memory answer) = POINT_EVALUATION.staticcall(input);
        require(ok, "POINT_EVALUATION_PRECOMPILE_CALL_FAILED");
        require(
            keccak256(answer) == POINT_EVALUATION_OUTPUT,
            "UNEXPECTED_POINT_EVALUATION_PRECOMPILE_OUTPUT"
        );
    }

    function _blobHash(uint256 index) private view returns (bytes32 found) {
        found = blobhash(index);
        require(found != 0, "INVALID_BLOB_INDEX");
        require(found[0] == BLOB_HASH_VERSION, "UNEXPECTED_BLOB_HASH_VERSION");
    }

    function _commitment(uint256 low, uint256 high) private pure returns (bytes memory) {
        require(low <= type(uint192).max, "INVALID_KZG_COMMITMENT");
        require(high <= type(uint192).max, "INVALID_KZG_COMMITMENT");
        return abi.encodePacked(uint192(high), uint192(low));
    }

    function _evaluation(uint256 low, uint256 high) private pure returns (uint256) {
        require(low <= type(uint128).max, "INVALID_Y_VALUE");
        require(high <= type(uint128).max, "INVALID_Y_VALUE");
        return (high << 128) + low;
    }
}

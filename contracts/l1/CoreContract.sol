// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {StorageSlot} from "@openzeppelin/contracts/utils/StorageSlot.sol";
import {ChainState} from "./base/ChainState.sol";
import {CoreGovernance} from "./base/CoreGovernance.sol";
import {Finalizable} from "./base/Finalizable.sol";
import {IFactRegistry} from "./base/IFactRegistry.sol";
import {KzgProofs} from "./base/KzgProofs.sol";
import {Messaging} from "./base/Messaging.sol";
import {Operators} from "./base/Operators.sol";
import {ProgramOutput} from "./base/ProgramOutput.sol";
import {Proxied} from "./base/Proxied.sol";

/// Core contract of a chain, behind a `Proxy`: keeps its newest proven state and its messages. Interface,
/// events, revert texts and storage slots are those of the published core contract.
///
/// Initialized with seven words: program hash, aggregator's program hash (0: none), verifier, config
/// hash, and the state to begin with: root, block number (-1: no block), block hash.
contract CoreContract is CoreGovernance, Finalizable, Messaging, Operators, Proxied {
    using ChainState for ChainState.State;

    bytes32 private constant PROGRAM_HASH_SLOT = keccak256("STARKNET_1.0_INIT_PROGRAM_HASH_UINT");
    bytes32 private constant AGGREGATOR_PROGRAM_HASH_SLOT =
        keccak256("STARKNET_1.0_INIT_AGGREGATOR_PROGRAM_HASH_UINT");
    bytes32 private constant CONFIG_HASH_SLOT = keccak256("STARKNET_1.0_STARKNET_CONFIG_HASH");
    bytes32 private constant VERIFIER_SLOT = keccak256("STARKNET_1.0_INIT_VERIFIER_ADDRESS");
    bytes32 private constant FEE_COLLECTOR_SLOT = keccak256("FEE_COLLECTION_ADDRESS_SLOT_TAG");

    event LogStateUpdate(uint256 globalRoot, int256 blockNumber, uint256 blockHash);
    event LogStateTransitionFact(bytes32 stateTransitionFact);
    event ProgramHashChanged(
        address indexed changedBy,
        uint256 oldProgramHash,
        uint256 newProgramHash
    );
    event AggregatorProgramHashChanged(
        address indexed changedBy,
        uint256 oldAggregatorProgramHash,
        uint256 newAggregatorProgramHash
    );
    event ConfigHashChanged(
        address indexed changedBy,
        uint256 oldConfigHash,
        uint256 newConfigHash
    );

    function identify() external pure returns (string memory) {
        return "appchain_CoreContract_1";
    }

    function stateRoot() external view returns (uint256) {
        return ChainState.load().globalRoot;
    }

    function stateBlockNumber() external view returns (int256) {
        return ChainState.load().blockNumber;
    }

    function stateBlockHash() external view returns (uint256) {
        return ChainState.load().blockHash;
    }

    function programHash() public view returns (uint256) {
        return StorageSlot.getUint256Slot(PROGRAM_HASH_SLOT).value;
    }

    function aggregatorProgramHash() public view returns (uint256) {
        return StorageSlot.getUint256Slot(AGGREGATOR_PROGRAM_HASH_SLOT).value;
    }

    function configHash() public view returns (uint256) {
        return StorageSlot.getUint256Slot(CONFIG_HASH_SLOT).value;
    }

    /// Who gets the fees of consumed messages; 0: the operator who posts the update.
    function feeCollector() public view returns (address) {
        return StorageSlot.getAddressSlot(FEE_COLLECTOR_SLOT).value;
    }

    function setProgramHash(uint256 newProgramHash) external notFinalized onlyGovernance {
        emit ProgramHashChanged(msg.sender, programHash(), newProgramHash);
        StorageSlot.getUint256Slot(PROGRAM_HASH_SLOT).value = newProgramHash;
    }

    function setAggregatorProgramHash(
        uint256 newAggregatorProgramHash
    ) external notFinalized onlyGovernance {
        emit AggregatorProgramHashChanged(
            msg.sender,
            aggregatorProgramHash(),
            newAggregatorProgramHash
        );
        StorageSlot.getUint256Slot(AGGREGATOR_PROGRAM_HASH_SLOT).value = newAggregatorProgramHash;
    }

    function setConfigHash(uint256 newConfigHash) external notFinalized onlyGovernance {
        emit ConfigHashChanged(msg.sender, configHash(), newConfigHash);
        StorageSlot.getUint256Slot(CONFIG_HASH_SLOT).value = newConfigHash;
    }

    function setMessageCancellationDelay(
        uint256 delayInSeconds
    ) external notFinalized onlyGovernance {
        _setMessageCancellationDelay(delayInSeconds);
    }

    function setFeeCollectionAddress(address collector) external onlyGovernance {
        (bool success, ) = collector.call("");
        require(success, "ADDRESS_DOES_NOT_ACCEPT_ETH");
        StorageSlot.getAddressSlot(FEE_COLLECTOR_SLOT).value = collector;
    }

    /// Moves the state on by an output whose data is on L1 as calldata.
    ///
    /// @param onchainDataHash hash of the data that the fact commits to beside the output
    /// @param onchainDataSize its length in words
    function updateState(
        uint256[] calldata programOutput,
        uint256 onchainDataHash,
        uint256 onchainDataSize
    ) external onlyOperator {
        _requireStart(programOutput, 0);
        _update(
            programOutput,
            ProgramOutput.factWithOnchainData(programOutput, onchainDataHash, onchainDataSize)
        );
    }

    /// Moves the state on by an output whose data is in this transaction's blobs.
    ///
    /// @param kzgProofs one for each blob
    function updateStateKzgDA(
        uint256[] calldata programOutput,
        bytes[] calldata kzgProofs
    ) external onlyOperator {
        _requireStart(programOutput, 1);
        KzgProofs.verify(programOutput, kzgProofs);
        _update(programOutput, ProgramOutput.hash(programOutput));
    }

    function _requireStart(uint256[] calldata programOutput, uint256 kzgFlag) private view {
        require(
            programOutput.length > ProgramOutput.HEADER_SIZE,
            "STARKNET_OUTPUT_TOO_SHORT"
        );
        ChainState.load().requirePrevious(programOutput);
        require(
            programOutput[ProgramOutput.USE_KZG_DA] == kzgFlag,
            "UNEXPECTED_KZG_DA_FLAG"
        );
    }

    function _update(uint256[] calldata programOutput, bytes32 stateTransitionFact) private {
        ProgramOutput.requireFelts(programOutput);
        require(
            programOutput[ProgramOutput.CONFIG_HASH] == configHash(),
            "INVALID_CONFIG_HASH"
        );
        require(programOutput[ProgramOutput.FULL_OUTPUT] == 0, "FULL_OUTPUT_NOT_SUPPORTED");
        bytes32 fact = keccak256(abi.encode(_provenProgram(programOutput), stateTransitionFact));
        address verifier = StorageSlot.getAddressSlot(VERIFIER_SLOT).value;
        require(IFactRegistry(verifier).isValid(fact), "NO_STATE_TRANSITION_PROOF");
        emit LogStateTransitionFact(stateTransitionFact);

        ChainState.State storage state = ChainState.load();
        state.update(programOutput);
        uint256 offset = ProgramOutput.messagesOffset(programOutput);
        offset = ProgramOutput.addMessagesToL1(programOutput, offset, _messagesToL1());
        uint256 fees;
        (offset, fees) = ProgramOutput.consumeMessagesToL2(programOutput, offset, _messagesToL2());
        require(offset == programOutput.length, "STARKNET_OUTPUT_TOO_LONG");
        emit LogStateUpdate(state.globalRoot, state.blockNumber, state.blockHash);

        // Last, as whoever gets them is called.
        if (fees > 0) {
            address collector = feeCollector();
            (bool success, ) = (collector == address(0) ? msg.sender : collector).call{value: fees}(
                ""
            );
            require(success, "ETH_TRANSFER_FAILED");
        }
        state.requireCurrent(programOutput);
    }

    /// The OS itself, or the program that aggregates its outputs and names it in theirs.
    function _provenProgram(uint256[] calldata programOutput) private view returns (uint256) {
        uint256 osProgramHash = programOutput[ProgramOutput.OS_PROGRAM_HASH];
        if (osProgramHash == 0) return programHash();
        require(osProgramHash == programHash(), "AGGREGATOR_MODE_INVALID_OS_PROGRAM_HASH");
        return aggregatorProgramHash();
    }

    function _isInitialized() internal view override returns (bool) {
        return programHash() != 0;
    }

    function _initializeState(bytes calldata data) internal override {
        require(data.length == 7 * 32, "ILLEGAL_INIT_DATA_SIZE");
        (
            uint256 programHash_,
            uint256 aggregatorProgramHash_,
            address verifier_,
            uint256 configHash_,
            ChainState.State memory state_
        ) = abi.decode(data, (uint256, uint256, address, uint256, ChainState.State));
        require(programHash_ != 0, "BAD_INITIALIZATION");
        StorageSlot.getUint256Slot(PROGRAM_HASH_SLOT).value = programHash_;
        StorageSlot.getUint256Slot(AGGREGATOR_PROGRAM_HASH_SLOT).value = aggregatorProgramHash_;
        StorageSlot.getAddressSlot(VERIFIER_SLOT).value = verifier_;
        StorageSlot.getUint256Slot(CONFIG_HASH_SLOT).value = configHash_;
        ChainState.State storage state = ChainState.load();
        state.globalRoot = state_.globalRoot;
        state.blockNumber = state_.blockNumber;
        state.blockHash = state_.blockHash;
        _setMessageCancellationDelay(5 days);
    }
}

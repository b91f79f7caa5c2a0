// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {BridgeBase} from "./bridge/BridgeBase.sol";
import {ITokenManager, ITokenRegistry, TokenStatus} from "./bridge/Interfaces.sol";

/// The bridge for all ERC-20 tokens that anybody enrolled with the manager.
///
/// Tokens may lie and call back: what one does must not touch the others. A transfer that moves
/// another amount than it was asked to is refused.
contract TokenBridge is BridgeBase {
    using SafeERC20 for IERC20;

    event TokenEnrollmentInitiated(address token, bytes32 deploymentMsgHash);
    event TokenDeactivated(address token);

    struct Enrollment {
        TokenStatus status;
        bytes32 deploymentMsgHash;
        /// Unix seconds after which a deployment that L2 has not consumed is given up.
        uint256 expiration;
    }

    /// Selector of `handle_token_deployment`.
    uint256 private constant HANDLE_TOKEN_DEPLOYMENT_SELECTOR =
        0x3d78c7ddffebbba7bd7263963b2e0e86b2ed9e990a4fc1b9aed7acd11b37dbc;
    uint256 private constant MAX_PENDING_DURATION = 5 days;
    /// Longest text that a felt holds.
    uint256 private constant MAX_SHORT_STRING_LENGTH = 31;

    address public immutable manager;
    mapping(address token => Enrollment) private enrollments;

    modifier onlyManager() {
        require(msg.sender == manager, "ONLY_MANAGER");
        _;
    }

    constructor(
        address messagingContract_,
        address manager_,
        address governor_
    ) BridgeBase(messagingContract_, governor_) {
        require(manager_.code.length > 0, "INVALID_MANAGER_CONTRACT_ADDRESS");
        manager = manager_;
    }

    function getStatus(address token) external view returns (TokenStatus) {
        return enrollments[token].status;
    }

    function isServicingToken(address token) public view override returns (bool) {
        TokenStatus status = enrollments[token].status;
        return status == TokenStatus.Pending || status == TokenStatus.Active;
    }

    /// Tells L2 to deploy a token for this one; `msg.value` is the message's fee.
    function enrollToken(address token) external payable onlyManager nonReentrant {
        require(enrollments[token].status == TokenStatus.Unknown, "TOKEN_ALREADY_ENROLLED");
        bytes32 hash = sendDeployment(token);
        enrollments[token] = Enrollment({
            status: TokenStatus.Pending,
            deploymentMsgHash: hash,
            expiration: block.timestamp + MAX_PENDING_DURATION
        });
        emit TokenEnrollmentInitiated(token, hash);
    }

    /// Tells L2 once more, in case that it could not deploy the token the first time; where it
    /// could, the message fails there and changes nothing.
    function resendDeployment(address token) external payable onlyManager nonReentrant {
        require(isServicingToken(token), "TOKEN_NOT_SERVICED");
        sendDeployment(token);
    }

    /// Ends deposits of a token for good.
    function deactivate(address token) external onlyManager {
        require(enrollments[token].status != TokenStatus.Unknown, "UNKNOWN_TOKEN");
        enrollments[token].status = TokenStatus.Deactivated;
        emit TokenDeactivated(token);
    }

    /// Brings the status of a pending token up to date: active once L2 consumed its deployment,
    /// unknown again when it did not for 5 days.
    function checkDeploymentStatus(address token) public {
        Enrollment storage enrollment = enrollments[token];
        if (enrollment.status != TokenStatus.Pending) return;
        if (messagingContract.l1ToL2Messages(enrollment.deploymentMsgHash) == 0) {
            enrollment.status = TokenStatus.Active;
        } else if (block.timestamp > enrollment.expiration) {
            delete enrollments[token];
            ITokenRegistry(ITokenManager(manager).getRegistry()).selfRemove(token);
        }
    }

    /// Also brings the token's status up to date.
    function deposit(address token, uint256 amount, uint256 l2Recipient) public payable override {
        super.deposit(token, amount, l2Recipient);
        checkDeploymentStatus(token);
    }

    function sendDeployment(address token) private returns (bytes32 hash) {
        require(l2TokenBridge != 0, "L2_BRIDGE_NOT_SET");
        (hash, ) = messagingContract.sendMessageToL2{value: msg.value}(
            l2TokenBridge,
            HANDLE_TOKEN_DEPLOYMENT_SELECTOR,
            deploymentPayload(token)
        );
    }

    function deploymentPayload(address token) private view returns (uint256[] memory payload) {
        IERC20Metadata metadata = IERC20Metadata(token);
        payload = new uint256[](4);
        payload[0] = uint160(token);
        payload[1] = shortString(metadata.name());
        payload[2] = shortString(metadata.symbol());
        payload[3] = metadata.decimals();
    }

    /// The first 31 bytes of a text as a felt.
    function shortString(string memory text) private pure returns (uint256 felt) {
        bytes memory data = bytes(text);
        uint256 length = data.length < MAX_SHORT_STRING_LENGTH
            ? data.length
            : MAX_SHORT_STRING_LENGTH;
        for (uint256 i = 0; i < length; i++) felt = (felt << 8) | uint8(data[i]);
    }

    function acceptFunds(address token, uint256 amount) internal override returns (uint256) {
        uint256 before = IERC20(token).balanceOf(address(this));
        IERC20(token).safeTransferFrom(msg.sender, address(this), amount);
        uint256 balance = IERC20(token).balanceOf(address(this));
        require(balance >= before && balance - before == amount, "INCORRECT_AMOUNT_TRANSFERRED");
        return msg.value;
    }

    function transferOutFunds(address token, uint256 amount, address recipient) internal override {
        uint256 before = IERC20(token).balanceOf(address(this));
        IERC20(token).safeTransfer(recipient, amount);
        uint256 balance = IERC20(token).balanceOf(address(this));
        require(balance >= before || before - balance <= amount, "INCORRECT_AMOUNT_TRANSFERRED");
    }
}

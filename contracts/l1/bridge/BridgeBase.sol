// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {IMessaging} from "../base/IMessaging.sol";
import {Governed} from "./Governed.sol";

/// L1 half of a bridge: locks what is deposited, pays out what L2 says was burned there.
///
/// Functions, events, messages and texts are those of StarkGate where it has them. A message that
/// was consumed on L2 is gone, whether it failed there or not, so nothing is sent that would fail.
abstract contract BridgeBase is Governed, ReentrancyGuard {
    event Deposit(
        address indexed sender,
        address indexed token,
        uint256 amount,
        uint256 indexed l2Recipient,
        uint256 nonce,
        uint256 fee
    );
    event DepositCancelRequest(
        address indexed sender,
        address indexed token,
        uint256 amount,
        uint256 indexed l2Recipient,
        uint256 nonce
    );
    event DepositReclaimed(
        address indexed sender,
        address indexed token,
        uint256 amount,
        uint256 indexed l2Recipient,
        uint256 nonce
    );
    event Withdrawal(address indexed recipient, address indexed token, uint256 amount);
    event SetL2TokenBridge(uint256 value);
    event SetMaxTotalBalance(address indexed token, uint256 value);
    event SetMaxDeposit(address indexed token, uint256 value);

    /// Selector of `handle_token_deposit`.
    uint256 internal constant HANDLE_TOKEN_DEPOSIT_SELECTOR =
        0x1b64b1b3b690b43b9b514fb81377518f4039cd3e4f4914d8a6bdf01d679fb19;
    /// First word of the message of a withdrawal.
    uint256 internal constant TRANSFER_FROM_STARKNET = 0;
    /// Addresses of contracts on L2 are below this one: 2^251 - 256.
    uint256 internal constant L2_ADDRESS_UPPER_BOUND = 2 ** 251 - 256;
    uint256 private constant LOW_HALF = 2 ** 128 - 1;

    IMessaging public immutable messagingContract;
    /// The bridge on L2; 0 until it is set.
    uint256 public l2TokenBridge;
    /// What of a token was deposited and neither paid out nor reclaimed.
    mapping(address token => uint256) public lockedAmount;
    /// Who made a deposit, by the nonce of its message.
    mapping(uint256 nonce => address) public depositors;
    mapping(address token => uint256) private maxTotalBalances;
    mapping(address token => uint256) private maxDeposits;

    modifier onlyDepositor(uint256 nonce) {
        require(depositors[nonce] != address(0), "NO_DEPOSIT_TO_CANCEL");
        require(depositors[nonce] == msg.sender, "ONLY_DEPOSITOR");
        _;
    }

    constructor(address messagingContract_, address governor_) Governed(governor_) {
        require(messagingContract_.code.length > 0, "INVALID_MESSAGING_CONTRACT_ADDRESS");
        messagingContract = IMessaging(messagingContract_);
    }

    /// Whether deposits of a token are taken.
    function isServicingToken(address token) public view virtual returns (bool);

    /// Takes tokens in from the caller. Returns what of `msg.value` is the fee of the message.
    function acceptFunds(address token, uint256 amount) internal virtual returns (uint256 fee);

    function transferOutFunds(address token, uint256 amount, address recipient) internal virtual;

    /// Sets the bridge on L2, once and for all.
    function setL2TokenBridge(uint256 l2TokenBridge_) external onlyGovernor {
        require(l2TokenBridge == 0, "L2_BRIDGE_ALREADY_SET");
        require(isValidL2Address(l2TokenBridge_), "L2_ADDRESS_OUT_OF_RANGE");
        l2TokenBridge = l2TokenBridge_;
        emit SetL2TokenBridge(l2TokenBridge_);
    }

    /// A value below what is locked already only ends deposits.
    function setMaxTotalBalance(address token, uint256 maxTotalBalance_) external onlyGovernor {
        require(maxTotalBalance_ != 0, "INVALID_MAX_TOTAL_BALANCE");
        maxTotalBalances[token] = maxTotalBalance_;
        emit SetMaxTotalBalance(token, maxTotalBalance_);
    }

    function setMaxDeposit(address token, uint256 maxDeposit_) external onlyGovernor {
        require(maxDeposit_ != 0, "INVALID_MAX_DEPOSIT");
        maxDeposits[token] = maxDeposit_;
        emit SetMaxDeposit(token, maxDeposit_);
    }

    /// 2^256 - 1 where no limit is set.
    function getMaxTotalBalance(address token) public view returns (uint256) {
        return orNoLimit(maxTotalBalances[token]);
    }

    /// 2^256 - 1 where no limit is set.
    function getMaxDeposit(address token) public view returns (uint256) {
        return orNoLimit(maxDeposits[token]);
    }

    /// Locks tokens of the caller, to be minted on L2. The fee of the message is `msg.value`, for
    /// ETH what of it is above `amount`.
    function deposit(
        address token,
        uint256 amount,
        uint256 l2Recipient
    ) public payable virtual nonReentrant {
        require(isServicingToken(token), "TOKEN_NOT_SERVICED");
        require(l2TokenBridge != 0, "L2_BRIDGE_NOT_SET");
        require(amount > 0, "ZERO_DEPOSIT");
        require(isValidL2Address(l2Recipient), "L2_ADDRESS_OUT_OF_RANGE");
        require(amount <= getMaxDeposit(token), "TRANSFER_TO_STARKNET_AMOUNT_EXCEEDED");
        uint256 locked = lockedAmount[token];
        uint256 limit = getMaxTotalBalance(token);
        require(locked <= limit && amount <= limit - locked, "MAX_BALANCE_EXCEEDED");
        lockedAmount[token] = locked + amount;
        uint256 fee = acceptFunds(token, amount);
        (, uint256 nonce) = messagingContract.sendMessageToL2{value: fee}(
            l2TokenBridge,
            HANDLE_TOKEN_DEPOSIT_SELECTOR,
            depositPayload(token, msg.sender, amount, l2Recipient)
        );
        require(depositors[nonce] == address(0), "DEPOSIT_ALREADY_REGISTERED");
        depositors[nonce] = msg.sender;
        emit Deposit(msg.sender, token, amount, l2Recipient, nonce, fee);
    }

    /// Pays out what L2 told in a message of an accepted state; anybody may ask for it.
    function withdraw(address token, uint256 amount, address recipient) public nonReentrant {
        require(recipient != address(0) && recipient != address(this), "INVALID_RECIPIENT");
        require(l2TokenBridge != 0, "L2_BRIDGE_NOT_SET");
        uint256[] memory payload = new uint256[](5);
        payload[0] = TRANSFER_FROM_STARKNET;
        payload[1] = uint160(recipient);
        payload[2] = uint160(token);
        payload[3] = amount & LOW_HALF;
        payload[4] = amount >> 128;
        messagingContract.consumeMessageFromL2(l2TokenBridge, payload);
        unlock(token, amount, recipient);
        emit Withdrawal(recipient, token, amount);
    }

    function withdraw(address token, uint256 amount) external {
        withdraw(token, amount, msg.sender);
    }

    /// Begins to cancel a deposit that L2 does not consume; the core contract's delay starts.
    function depositCancelRequest(
        address token,
        uint256 amount,
        uint256 l2Recipient,
        uint256 nonce
    ) external onlyDepositor(nonce) {
        messagingContract.startL1ToL2MessageCancellation(
            l2TokenBridge,
            HANDLE_TOKEN_DEPOSIT_SELECTOR,
            depositPayload(token, msg.sender, amount, l2Recipient),
            nonce
        );
        emit DepositCancelRequest(msg.sender, token, amount, l2Recipient, nonce);
    }

    /// Pays a deposit back after the delay, if L2 has not consumed it meanwhile. The message's fee
    /// is not paid back.
    function depositReclaim(
        address token,
        uint256 amount,
        uint256 l2Recipient,
        uint256 nonce
    ) external onlyDepositor(nonce) nonReentrant {
        messagingContract.cancelL1ToL2Message(
            l2TokenBridge,
            HANDLE_TOKEN_DEPOSIT_SELECTOR,
            depositPayload(token, msg.sender, amount, l2Recipient),
            nonce
        );
        unlock(token, amount, msg.sender);
        emit DepositReclaimed(msg.sender, token, amount, l2Recipient, nonce);
    }

    function unlock(address token, uint256 amount, address recipient) private {
        require(amount <= lockedAmount[token], "AMOUNT_NOT_LOCKED");
        lockedAmount[token] -= amount;
        transferOutFunds(token, amount, recipient);
    }

    function depositPayload(
        address token,
        address depositor,
        uint256 amount,
        uint256 l2Recipient
    ) private pure returns (uint256[] memory payload) {
        payload = new uint256[](5);
        payload[0] = uint160(token);
        payload[1] = uint160(depositor);
        payload[2] = l2Recipient;
        payload[3] = amount & LOW_HALF;
        payload[4] = amount >> 128;
    }

    function isValidL2Address(uint256 l2Address) private pure returns (bool) {
        return l2Address != 0 && l2Address < L2_ADDRESS_UPPER_BOUND;
    }

    function orNoLimit(uint256 limit) private pure returns (uint256) {
        return limit == 0 ? type(uint256).max : limit;
    }
}

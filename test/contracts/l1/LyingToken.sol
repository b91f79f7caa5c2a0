// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// A token with wrong behaviour on request. By default it is honest, and returns
/// nothing from transfers, as some old tokens do.
contract LyingToken {
    enum Lie {
        None,
        /// Credits one less than the amount, debits the amount.
        CreditsLess,
        /// Credits one more.
        CreditsMore,
        /// Debits one more than the amount.
        DebitsMore,
        /// Moves nothing and returns success.
        MovesNothing,
        /// Moves, and returns false.
        ReturnsFalse,
        /// Calls {target} before it moves.
        CallsBack
    }

    string public name = "A name that is longer than the thirty-one bytes of a felt";
    string public symbol = "LIE";
    uint8 public decimals = 255;
    mapping(address => uint256) public balanceOf;
    Lie public lie;
    address public target;
    bytes public data;
    /// Whether the last call back succeeded, and whether there was any.
    bool public calledBack;
    bool public succeeded;

    function set(Lie lie_, address target_, bytes calldata data_) external {
        (lie, target, data, calledBack, succeeded) = (lie_, target_, data_, false, false);
    }

    function mint(address account, uint256 amount) external {
        balanceOf[account] += amount;
    }

    function transferFrom(address from, address to, uint256 amount) external {
        move(from, to, amount);
    }

    function transfer(address to, uint256 amount) external {
        move(msg.sender, to, amount);
    }

    function move(address from, address to, uint256 amount) private {
        if (lie == Lie.MovesNothing) return;
        if (lie == Lie.CallsBack) {
            calledBack = true;
            (succeeded, ) = target.call(data);
        }
        balanceOf[from] -= lie == Lie.DebitsMore ? amount + 1 : amount;
        balanceOf[to] += lie == Lie.CreditsLess
            ? amount - 1
            : lie == Lie.CreditsMore
                ? amount + 1
                : amount;
        if (lie == Lie.ReturnsFalse) {
            assembly {
                mstore(0, 0)
                return(0, 32)
            }
        }
    }
}

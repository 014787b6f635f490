// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {TestToken} from "./TestToken.sol";

/// Returns false, moves nothing, logs nothing: the transaction succeeds all the same.
contract SilentFalseToken is TestToken {
    constructor(string memory n, string memory s, uint8 d) TestToken(n, s, d) {}

    function transfer(address, uint256) public pure override returns (bool) {
        return false;
    }

    function transferFrom(address, address, uint256) public pure override returns (bool) {
        return false;
    }
}

/// Returns false and logs a perfect Transfer, but moves nothing.
contract LoggingFalseToken is TestToken {
    constructor(string memory n, string memory s, uint8 d) TestToken(n, s, d) {}

    function transfer(address to, uint256 amount) public override returns (bool) {
        emit Transfer(msg.sender, to, amount);
        return false;
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        emit Transfer(from, to, amount);
        return false;
    }
}

/// Moves and logs as it should, but returns false, as the USDT of another chain family does.
contract MovingFalseToken is TestToken {
    constructor(string memory n, string memory s, uint8 d) TestToken(n, s, d) {}

    function transfer(address to, uint256 amount) public override returns (bool) {
        super.transfer(to, amount);
        return false;
    }
}

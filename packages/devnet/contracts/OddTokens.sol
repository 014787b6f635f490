// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {TestToken} from "./TestToken.sol";

/// Takes one percent of each transfer; the receiver's log and balance show the rest.
contract FeeToken is TestToken {
    address public constant COLLECTOR = address(0xFEE);

    constructor(string memory n, string memory s, uint8 d) TestToken(n, s, d) {}

    function _update(address from, address to, uint256 amount) internal override {
        if (from == address(0) || to == address(0)) return super._update(from, to, amount);
        uint256 fee = amount / 100;
        super._update(from, COLLECTOR, fee);
        super._update(from, to, amount - fee);
    }
}

/// Can be paused, freezes addresses, and destroys frozen balances with its own event and no Transfer.
contract PausableToken is TestToken {
    event Pause();
    event Unpause();
    event AddedBlackList(address user);
    event RemovedBlackList(address user);
    event DestroyedBlackFunds(address user, uint256 balance);

    bool public paused;
    mapping(address => bool) public isBlackListed;
    mapping(address => uint256) private _destroyed;

    constructor(string memory n, string memory s, uint8 d) TestToken(n, s, d) {}

    function pause() external {
        paused = true;
        emit Pause();
    }

    function unpause() external {
        paused = false;
        emit Unpause();
    }

    function addBlackList(address user) external {
        isBlackListed[user] = true;
        emit AddedBlackList(user);
    }

    function removeBlackList(address user) external {
        isBlackListed[user] = false;
        emit RemovedBlackList(user);
    }

    function destroyBlackFunds(address user) external {
        require(isBlackListed[user], "not black listed");
        uint256 balance = balanceOf(user);
        _destroyed[user] += balance;
        emit DestroyedBlackFunds(user, balance);
    }

    function balanceOf(address user) public view override returns (uint256) {
        return super.balanceOf(user) - _destroyed[user];
    }

    function _update(address from, address to, uint256 amount) internal override {
        require(!paused, "paused");
        require(!isBlackListed[from], "black listed");
        require(from == address(0) || balanceOf(from) >= amount, "balance too low");
        super._update(from, to, amount);
    }
}

/// Balances change for everybody without any log when the factor is set.
contract RebaseToken is TestToken {
    uint256 public factor = 1e18;

    constructor(string memory n, string memory s, uint8 d) TestToken(n, s, d) {}

    function rebase(uint256 newFactor) external {
        factor = newFactor;
    }

    function balanceOf(address user) public view override returns (uint256) {
        return (super.balanceOf(user) * factor) / 1e18;
    }
}

/// Mints 2^256-1 to as many addresses as asked, without regard for overflow of the total.
contract HugeToken {
    event Transfer(address indexed from, address indexed to, uint256 value);

    string public name = "Huge";
    string public symbol = "HUGE";
    uint8 public constant decimals = 18;
    uint256 public constant totalSupply = type(uint256).max;
    mapping(address => uint256) public balanceOf;

    function mintMax(address to) external {
        balanceOf[to] = type(uint256).max;
        emit Transfer(address(0), to, type(uint256).max);
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        unchecked {
            balanceOf[msg.sender] -= amount;
            balanceOf[to] += amount;
        }
        emit Transfer(msg.sender, to, amount);
        return true;
    }
}

/// Returns nothing from transfer, transferFrom and approve, as USDT on Ethereum does.
contract NoReturnToken {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    string public name;
    string public symbol;
    uint8 public immutable decimals;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    constructor(string memory name_, string memory symbol_, uint8 decimals_) {
        name = name_;
        symbol = symbol_;
        decimals = decimals_;
    }

    function mint(address to, uint256 amount) external {
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function approve(address spender, uint256 amount) external {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
    }

    function transfer(address to, uint256 amount) external {
        _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external {
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
    }

    function _move(address from, address to, uint256 amount) private {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}

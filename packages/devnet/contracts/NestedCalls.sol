// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// One level of the nesting.
contract Level {
    function pay(address payable to) external payable {
        (bool ok, ) = to.call{value: msg.value}("");
        require(ok, "payment failed");
    }

    function payAndRevert(address payable to) external payable {
        (bool ok, ) = to.call{value: msg.value}("");
        require(ok, "payment failed");
        revert("on purpose");
    }

    function payThrough(Level next, address payable to) external payable {
        next.pay{value: msg.value}(to);
    }

    function payThroughAndRevert(Level next, address payable to) external payable {
        next.pay{value: msg.value}(to);
        revert("on purpose");
    }

    function payThroughAndCatch(Level next, address payable to) external payable {
        try next.payAndRevert{value: msg.value}(to) {} catch {}
    }
}

/// Three levels A (this), B and C, for payments below, beside and in calls that fail. The transaction succeeds each time.
contract NestedCalls {
    Level public immutable B = new Level();
    Level public immutable C = new Level();

    /// A ok, B ok, C ok: the target is paid.
    function payThreeDeep(address payable to) external payable {
        B.payThrough{value: msg.value}(C, to);
    }

    /// A ok, B reverts and is caught, C below it succeeded: the target is not paid.
    function payBelowReverted(address payable to) external payable {
        try B.payThroughAndRevert{value: msg.value}(C, to) {} catch {}
    }

    /// A ok, B ok, C pays and reverts and is caught by B: the target is not paid.
    function payInRevertedLeaf(address payable to) external payable {
        B.payThroughAndCatch{value: msg.value}(C, to);
    }

    /// B pays one half, its sibling C pays the other half and reverts: the target gets the first half (rounded down).
    function payBesideReverted(address payable to) external payable {
        uint256 half = msg.value / 2;
        B.pay{value: half}(to);
        try C.payAndRevert{value: half}(to) {} catch {}
    }
}

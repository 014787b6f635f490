/// Empties deposit addresses that delegate to it (EIP-7702) into one wallet, its treasury.
///
/// No owner, no storage, no call but those below. Whoever calls it can do nothing but move a token from the address that
/// runs this code to the treasury. The treasury is the last twenty bytes of the code: they stand behind this contract in
/// the init code, and each wallet has a contract of its own.
object "Sweeper" {
  code {
    let size := sub(codesize(), dataoffset("runtime"))
    codecopy(0, dataoffset("runtime"), size)
    return(0, size)
  }
  object "runtime" {
    code {
      // Coin is taken like by any account.
      if iszero(calldatasize()) { stop() }
      switch shr(224, calldataload(0))
      // sweep(address token): all of the token that lies at this address goes to the treasury. Returns how much.
      case 0x01681a62 {
        let token := calldataload(4)
        mstore(0, shl(224, 0x70a08231))
        mstore(4, address())
        if iszero(staticcall(gas(), token, 0, 36, 0, 32)) { revert(0, 0) }
        if lt(returndatasize(), 32) { revert(0, 0) }
        let units := mload(0)
        if iszero(units) { return(0, 32) }
        mstore(0, shl(224, 0xa9059cbb))
        mstore(32, 0)
        codecopy(16, sub(codesize(), 20), 20)
        mstore(36, units)
        if iszero(call(gas(), token, 0, 0, 68, 0, 32)) { revert(0, 0) }
        // Some tokens return nothing, all others have to return true.
        if returndatasize() {
          if or(lt(returndatasize(), 32), iszero(eq(mload(0), 1))) { revert(0, 0) }
        }
        mstore(0, units)
        return(0, 32)
      }
      // sweepMany(address token, address[] from): sweep(token) of each. One that fails keeps what it has, and nothing else
      // does. Returns the gas that it took, then what each of them moved.
      case 0x4b05099c {
        let started := gas()
        // Of the contract alone. The code of a delegated address has the length of its designator there.
        if iszero(eq(extcodesize(address()), codesize())) { revert(0, 0) }
        if lt(calldatasize(), 100) { revert(0, 0) }
        let length := mul(32, div(sub(calldatasize(), 100), 32))
        mstore(0, shl(224, 0x01681a62))
        mstore(4, calldataload(4))
        for { let at := 0 } lt(at, length) { at := add(at, 32) } {
          // A token that burns gas for one address leaves enough for the others.
          pop(call(300000, calldataload(add(100, at)), 0, 0, 36, add(96, at), 32))
        }
        mstore(64, sub(started, gas()))
        return(64, add(32, length))
      }
      default { revert(0, 0) }
    }
  }
}

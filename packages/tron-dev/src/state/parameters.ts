// The chain parameters, with mainnet's values; a development chain may start with others.

/** Keys as /wallet/getchainparameters prints them, values in its units (sun, milliseconds, per 10,000). */
export const mainnetParameters = {
  getMaintenanceTimeInterval: 21_600_000n,
  getCreateAccountFee: 100_000n,
  getTransactionFee: 1000n,
  getCreateNewAccountFeeInSystemContract: 1_000_000n,
  getCreateNewAccountBandwidthRate: 1n,
  getEnergyFee: 100n,
  getTotalEnergyCurrentLimit: 180_000_000_000n,
  getTotalEnergyLimit: 180_000_000_000n,
  getTotalNetLimit: 43_200_000_000n,
  getFreeNetLimit: 600n,
  getMaxFeeLimit: 15_000_000_000n,
  getMemoFee: 1_000_000n,
  getMultiSignFee: 1_000_000n,
  getUpdateAccountPermissionFee: 100_000_000n,
  getUnfreezeDelayDays: 14n,
  getMaxDelegateLockPeriod: 864_000n,
  getAllowDynamicEnergy: 1n,
  getDynamicEnergyThreshold: 5_000_000_000n,
  getDynamicEnergyIncreaseFactor: 2000n,
  getDynamicEnergyMaxFactor: 34_000n,
  getForbidTransferToContract: 1n,
  getAllowMultiSign: 1n,
  getAllowCreationOfContracts: 1n,
  getAllowDelegateResource: 1n,
  getAllowSameTokenName: 1n,
  getAllowTvmTransferTrc10: 0n,
} as const;

export type ParameterName = keyof typeof mainnetParameters;
export type Parameters = Readonly<Record<ParameterName, bigint>>;
export type ParameterChanges = Readonly<Partial<Record<ParameterName, bigint>>>;

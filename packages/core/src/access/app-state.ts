// Whether an app works: by its own switch, and by whether an operator has suspended its merchant.

export interface AppSwitches {
  readonly enabled: boolean;
  readonly isSuspended: boolean;
}

/** Nothing new is made for an app that is not on. What is open goes on. */
export function appStateOf({ enabled, isSuspended }: AppSwitches): 'on' | 'off' | 'suspended' {
  if (isSuspended) return 'suspended';
  return enabled ? 'on' : 'off';
}

export function isAppOn(app: AppSwitches): boolean {
  return appStateOf(app) === 'on';
}

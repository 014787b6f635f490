// The state of an app by its two switches.
import { expect, it } from 'vitest';
import { appStateOf, isAppOn } from './app-state.ts';

it.each([
  [true, false, 'on'],
  [false, false, 'off'],
  [true, true, 'suspended'],
  [false, true, 'suspended'],
] as const)('enabled %s and suspended %s is %s', (enabled, isSuspended, state) => {
  expect(appStateOf({ enabled, isSuspended })).toBe(state);
  expect(isAppOn({ enabled, isSuspended })).toBe(state === 'on');
});

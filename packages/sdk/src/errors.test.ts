// Tests that the error classes and the contract's list of codes are the same list.
import { codes } from '@ducat/contract/codes';
import { describe, expect, it } from 'vitest';
import { DucatError, errorClasses, RefusalError, refusalError } from './errors.ts';

describe('refusalError', () => {
  const refusals = codes.map((entry) => entry.code).filter((code) => code !== 0);

  it('has one class for each code of the contract, and no other', () => {
    expect(new Set(Object.keys(errorClasses))).toEqual(new Set(refusals.map(String)));
    expect(new Set(Object.values(errorClasses)).size).toBe(refusals.length);
  });

  it.each(refusals)('turns code %i into its class', (code) => {
    const error = refusalError({
      code,
      msg: 'why',
      httpStatus: 200,
      retryAfterSeconds: undefined,
      verified: true,
    });
    expect(error).toBeInstanceOf(errorClasses[code]);
    expect(error).toBeInstanceOf(DucatError);
    expect(error).toMatchObject({ code, name: errorClasses[code].name, message: `why (code ${code})` });
  });

  it('turns a code of a later gateway into a plain refusal', () => {
    const error = refusalError({
      code: 39999,
      msg: 'new',
      httpStatus: 200,
      retryAfterSeconds: undefined,
      verified: true,
    });
    expect(error.constructor).toBe(RefusalError);
    expect(error.code).toBe(39999);
  });
});
